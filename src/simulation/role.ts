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
  /** Number of the node; twins have two numbers and one name. */
  readonly id: number
  /** First key of the node. */
  readonly peer: ValidatorKey
  /**
   * `honest` nodes are checked completely; `twin`s run honest code with a shared key; `faulty` ones rewrite messages.
   */
  readonly kind: 'honest' | 'twin' | 'faulty'
  readonly behaviour: Behaviour | undefined
  /** Keys of this process. */
  readonly keys: readonly ValidatorKey[]
  /** Processor time of a block on this node in virtual ms, which determines the pauses of a proposer. */
  readonly blockCostMs: number
  /** True if its syncs are slow until the network heals. */
  readonly slowDisk: boolean
  /** Signer process with the keys; undefined if the node has its own keys. */
  readonly signer: SimulatedSigner | undefined
}

/** Environment of a node: time, links, checker. */
export interface Surroundings<Node> extends Changes {
  readonly clock: VirtualClock
  readonly checker: InvariantChecker
  /** Numbers of all transactions submitted so far. */
  readonly submitted: readonly number[]
  /** True if nodes start without a vote log and without a declaration; they begin once a quorum is seen at genesis. */
  readonly firstStart: boolean
  /** Current share of the blocks with a long execution. */
  readonly slowExecutionRate: number
  /** Current share of the blocks whose time is too late for the clock of a node. */
  readonly lateTimeRate: number
  /** Keys of the members that are faulty or run twice; no other member may ever be proven faulty. */
  readonly faultyKeys: ReadonlySet<ValidatorKey>
  readonly payloads: PayloadLimits
  isHealed(): boolean
  /** Send a message to the peer with the key `to`. */
  send(from: Node, to: ValidatorKey, message: ConsensusMessage): void
  committed(by: Node): void
  /** Report a full log of a node, which ends its process. */
  diskFull(node: Node): void
}

/** Prepare certificates of one height that a faulty member received; correct nodes keep none. */
export class CertificateMemory {
  /** By view. */
  readonly certificates = new Map<number, CertifiedHeader>()

  constructor(private readonly behaviour: Behaviour | undefined) {}

  /** Store the certificate of a message, if it is of this height. */
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

  /** Clear the certificates when the height is decided. */
  clear(): void {
    this.certificates.clear()
  }
}
