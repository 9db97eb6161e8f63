/** Owns the shared parts of a node: options, metrics, ABI, head of the chain, queue, and the event bus. */
import { Registry } from 'prom-client'
import { type Metrics, metricsOf } from '../../api/metrics.js'
import type { NodeInfo } from '../../api/services.js'
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import { EventBus } from '../../base/event-bus.js'
import type { CodecContext } from '../../codec/index.js'
import type { CheckedProof } from '../../crypto/circuits/service.js'
import { type AbiSchedule, abiScheduleOf, type TransactionLimits } from '../../executor/index.js'
import type { Evidence, ValidatorKey } from '../../model/index.js'
import { type QueuedTransaction, TransactionQueue } from '../../queue/index.js'
import type { BlockContent } from '../consensus/block-work.js'
import { type ConsensusSigner, localSigner } from '../consensus/signer.js'
import type { Tip } from '../ledger/protocol.js'
import { infoOf } from '../peers/node-info.js'
import { FatalError, type FatalPlace } from '../process/fatal.js'
import type { ChunkWanted } from '../snapshot/messages.js'
import { ConsensusTelemetry } from '../status/telemetry.js'
import type { CoreOptions } from './options.js'

/** Committed block: the new head, its transactions, and the previous head. */
export interface Commit {
  readonly tip: Tip
  readonly content: readonly BlockContent[]
  readonly before: Tip
}

/**
 * Events against the direction of dependencies: from peers to the ledger side, from both of these to consensus, and
 * from consensus to all.
 */
export interface NodeEvents {
  /** A peer sent transactions. */
  readonly records: { readonly from: ValidatorKey; readonly records: readonly Uint8Array[] }
  /** A peer, or this node if `from` is absent, has evidence of a fault. */
  readonly evidence: { readonly from?: ValidatorKey | undefined; readonly record: Evidence }
  readonly snapshotWanted: { readonly from: ValidatorKey; readonly height: number }
  readonly chunkWanted: { readonly from: ValidatorKey; readonly wanted: ChunkWanted }
  /** A transaction entered the queue. `isOwn`: a client submitted it to this node. */
  readonly queued: { readonly transaction: QueuedTransaction; readonly isOwn: boolean }
  /** A transaction left the queue without a block. */
  readonly dropped: { readonly transaction: QueuedTransaction; readonly code: string }
  /** The transaction expired. */
  readonly expired: QueuedTransaction
  /** A proof was verified outside a block. */
  readonly proofChecked: CheckedProof
  /** The set of pending work changed: consensus checks whether to propose. */
  readonly work: undefined
  readonly committed: Commit
  /** The node halted. */
  readonly halted: undefined
}

/** Last committed block, written by consensus and read by all parts. */
export interface Head {
  tip: Tip
}

export interface Common {
  readonly options: CoreOptions
  readonly registry: Registry
  readonly metrics: Metrics
  readonly line: AbiSchedule
  readonly codec: CodecContext
  readonly info: NodeInfo
  readonly head: Head
  readonly queue: TransactionQueue
  readonly events: EventBus<NodeEvents>
  readonly telemetry: ConsensusTelemetry
  readonly signer: ConsensusSigner
  /** Limits of the next block. */
  readonly limits: () => TransactionLimits
  /** Return the handler of an I/O failure of this node at a place; it ends the process. */
  readonly fatal: (place: FatalPlace) => (error: unknown) => void
  /** Mark the node as closing: failures from now on are not reported. */
  readonly beginClosing: () => void
}

export function openCommon(options: CoreOptions, tip: Tip): Common {
  const registry = new Registry()
  const line = abiScheduleOf(options)
  line.switchTo(tip.abi, tip.height + 1)
  const head: Head = { tip }
  const { capacity, capacityPerUser } = options.queue
  let isClosing = false
  return {
    options,
    registry,
    metrics: metricsOf(registry),
    line,
    codec: line.abi.codec(options.pinned.genesis.payload.value.addressPrefix),
    info: infoOf(options, line, () => head.tip.mode),
    head,
    queue: new TransactionQueue({ capacity, capacityPerAccount: capacityPerUser }),
    events: new EventBus(),
    telemetry: new ConsensusTelemetry(SYSTEM_CLOCKS.monotonicMs()),
    signer: options.signer ?? localSigner(options.crypto, options.pinned.chainHash),
    limits: () => head.tip.limits,
    fatal: (place) => (error) => {
      if (!isClosing) options.onFatal(new FatalError(place, error))
    },
    beginClosing: () => {
      isClosing = true
    },
  }
}
