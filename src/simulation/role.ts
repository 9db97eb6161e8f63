/**
 * Owns the role of a simulated node: correct, one of two with the same key, or faulty with its memory; and its
 * environment.
 */
import type { ConsensusMessage, PayloadLimits } from '../consensus/index.js'
import type { CertifiedHeader, ValidatorKey } from '../model/index.js'
import type { Behaviour } from './byzantine/index.js'
import type { InvariantChecker } from './checker.js'
import type { VirtualClock } from './clock.js'
import type { Changes } from './producer.js'
import type { SimulatedSigner } from './signer.js'

/** Role of a node. */
export interface NodeRole {
  /** Its number; twins have two numbers and one name. */
  readonly id: number
  /** Its first key. */
  readonly peer: ValidatorKey
  /**
   * `honest` nodes are checked completely; `twin`s run honest code with a shared key; `faulty` ones rewrite messages.
   */
  readonly kind: 'honest' | 'twin' | 'faulty'
  readonly behaviour: Behaviour | undefined
  /** Keys of this process. */
  readonly keys: readonly ValidatorKey[]
  /** Processor time of a block here in virtual ms, which determines the pauses of a proposer. */
  readonly blockCostMs: number
  /** Its syncs take long until the network heals. */
  readonly slowDisk: boolean
  /** The process with its keys, if they are not its own. */
  readonly signer: SimulatedSigner | undefined
}

/** Environment of a node: time, links, checker. */
export interface Surroundings<Node> extends Changes {
  readonly clock: VirtualClock
  readonly checker: InvariantChecker
  /** Numbers of all transactions submitted so far. */
  readonly submitted: readonly number[]
  /** Nodes start without a vote log and without a declaration: they begin once a quorum is seen at genesis. */
  readonly firstStart: boolean
  /** Current share of the blocks with a long execution. */
  readonly slowExecutionRate: number
  /** Current share of the blocks whose time is too late for the clock of a node. */
  readonly lateTimeRate: number
  /** Keys of the members that are faulty or run twice: no other one may ever be proven faulty. */
  readonly faultyKeys: ReadonlySet<ValidatorKey>
  readonly payloads: PayloadLimits
  isHealed(): boolean
  /** `to` names a peer. */
  send(from: Node, to: ValidatorKey, message: ConsensusMessage): void
  committed(by: Node): void
  /** The log of a node is full, which ends its process. */
  diskFull(node: Node): void
}

/** Prepare certificates of one height seen by a faulty member; correct nodes keep none. */
export class CertificateMemory {
  /** By view. */
  readonly certificates = new Map<number, CertifiedHeader>()

  constructor(private readonly behaviour: Behaviour | undefined) {}

  /** Stores the certificate of a message, if it is of this height. */
  note(message: ConsensusMessage, height: number): void {
    if (this.behaviour === undefined) return
    const carried =
      message.kind === 'certificate'
        ? message.value
        : message.kind === 'timeout' || message.kind === 'status' || message.kind === 'timeoutCertificate'
          ? message.value.highPrepare
          : undefined
    if (carried?.certificate.phase !== 'prepare' || carried.certificate.height !== height) return
    this.certificates.set(carried.certificate.view, carried)
  }

  /** Clears them when the height is decided. */
  clear(): void {
    this.certificates.clear()
  }
}
