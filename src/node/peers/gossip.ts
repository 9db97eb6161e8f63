/**
 * Owns gossip: transactions to all peers at once, offers of hashes for transactions that are not in a block, evidence
 * (docs/design/consensus.md 6 and 10).
 */
import { bytes, enumOf, hash32, type Infer, list, struct, varint } from '../../codec/index.js'
import {
  EVIDENCE_PER_BLOCK_MAX,
  type Evidence,
  evidence,
  keyString,
  TRANSACTION_MAX_BYTES,
  type ValidatorKey,
} from '../../model/index.js'
import type { Transport } from '../../network/index.js'
import type { QueuedTransaction, TransactionQueue } from '../../queue/index.js'
import { batchesOf } from '../queue/batches.js'
import {
  type ChunkWanted,
  chunkWanted,
  type SnapshotChunk,
  type SnapshotOffer,
  snapshotChunk,
  snapshotOffer,
  snapshotWanted,
} from '../snapshot/messages.js'

/** Maximum records or hashes in one gossip message; limits its processing to a few milliseconds. */
const GOSSIP_ITEMS_MAX = 1_024
/** Maximum bytes of records in one message. */
const GOSSIP_BYTES_MAX = 1024 * 1024
/** Maximum bytes of records in the response to one request; omitted records are offered again. */
const ANSWER_BYTES_MAX = 4 * GOSSIP_BYTES_MAX
/** Delay before a queued transaction is offered again, in ms; it doubles up to the longest delay. */
const REOFFER_FIRST_MS = 2_000
const REOFFER_LONGEST_MS = 30_000

/** Clock of a peer, in ms since the Unix epoch, when it received the request with this number. */
export interface TimeResponse extends Infer<typeof timeResponse> {}
const timeResponse = struct('TimeResponse', { number: varint, clockMs: varint })

/** Message between peers outside of consensus. */
export type GossipMessage = Infer<typeof gossipMessage>
export const gossipMessage = enumOf('GossipMessage', {
  records: [0, list(bytes(TRANSACTION_MAX_BYTES), GOSSIP_ITEMS_MAX)],
  offer: [1, list(hash32, GOSSIP_ITEMS_MAX)],
  want: [2, list(hash32, GOSSIP_ITEMS_MAX)],
  evidence: [3, list(evidence, EVIDENCE_PER_BLOCK_MAX)],
  /** Request for the clock of a peer, with a number of the requester. */
  timeRequest: [4, varint],
  timeResponse: [5, timeResponse],
  /** Request for a snapshot offer at a height, 0 for the newest. */
  snapshotWanted: [6, snapshotWanted],
  snapshotOffer: [7, snapshotOffer],
  chunkWanted: [8, chunkWanted],
  snapshotChunk: [9, snapshotChunk],
})

/** Budget and fault reports of peers. */
export interface GossipConduct {
  /** True if a message of this kind is within the budget of the peer. */
  allowsGossip(peer: ValidatorKey, kind: GossipMessage['kind']): boolean
  /** True if a response of this size is within the budget of the peer. */
  allowsReply(peer: ValidatorKey, channel: 'gossip', bytes: number): boolean
  fault(peer: ValidatorKey, kind: 'malformed'): void
}

export class Gossip {
  private readonly outgoing: Uint8Array[] = []
  private scheduled = false
  /** Next offer of each transaction, and the delay after it; monotonic ms. */
  private readonly offers = new WeakMap<QueuedTransaction, { readonly dueMs: number; readonly afterMs: number }>()

  constructor(
    private readonly modules: {
      readonly transport: Pick<Transport, 'send' | 'broadcast'>
      readonly queue: TransactionQueue
      readonly monotonicMs: () => number
      /** Pass received records to admission. */
      readonly receive: (from: ValidatorKey, records: readonly Uint8Array[]) => void
      /** Pass received evidence to its pool. */
      readonly receiveEvidence: (from: ValidatorKey, records: readonly Evidence[]) => void
      readonly wallMs: () => number
      readonly receiveTime: (from: ValidatorKey, response: TimeResponse) => void
      readonly conduct: GossipConduct
      /** Handlers of snapshot requests from peers. */
      readonly snapshots: {
        wanted(from: ValidatorKey, height: number): void
        chunkWanted(from: ValidatorKey, wanted: ChunkWanted): void
      }
    },
  ) {}

  private send(to: ValidatorKey, message: GossipMessage): void {
    this.modules.transport.send(to, 'gossip', gossipMessage.encode(message))
  }

  private broadcast(message: GossipMessage): void {
    this.modules.transport.broadcast('gossip', gossipMessage.encode(message))
  }

  /** Send an admitted record to all peers, batched with the others of this tick. */
  announce(record: Uint8Array): void {
    this.outgoing.push(record)
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.flush()
    })
  }

  private flush(): void {
    for (const batch of messagesOf(this.outgoing.splice(0))) {
      this.broadcast({ kind: 'records', value: batch })
    }
  }

  /** Send evidence to all peers, which verify it themselves. */
  sendEvidence(records: readonly Evidence[]): void {
    this.broadcast({ kind: 'evidence', value: records })
  }

  /** Request the clock of a peer. */
  askTime(peer: ValidatorKey, number: number): void {
    this.send(peer, { kind: 'timeRequest', value: number })
  }

  /** Offer a snapshot to a peer. */
  offerSnapshot(to: ValidatorKey, value: SnapshotOffer): void {
    this.send(to, { kind: 'snapshotOffer', value })
  }

  sendChunk(to: ValidatorKey, value: SnapshotChunk): void {
    this.send(to, { kind: 'snapshotChunk', value })
  }

  /** Receive a message of a peer that is within its budget. */
  onMessage(from: ValidatorKey, body: Uint8Array): void {
    const { queue, receive, receiveEvidence, receiveTime, wallMs, conduct, snapshots } = this.modules
    const decoded = gossipMessage.decode(body)
    if (!decoded.ok) return conduct.fault(from, 'malformed')
    const message = decoded.value
    if (!conduct.allowsGossip(from, message.kind)) return
    if (message.kind === 'records') return receive(from, message.value)
    if (message.kind === 'evidence') return receiveEvidence(from, message.value)
    if (message.kind === 'timeResponse') return receiveTime(from, message.value)
    if (message.kind === 'snapshotWanted') return snapshots.wanted(from, message.value)
    if (message.kind === 'chunkWanted') return snapshots.chunkWanted(from, message.value)
    // This node has a state and requested no snapshot.
    if (message.kind === 'snapshotOffer' || message.kind === 'snapshotChunk') return
    if (message.kind === 'timeRequest') {
      const value = { number: message.value, clockMs: wallMs() }
      return this.send(from, { kind: 'timeResponse', value })
    }
    if (message.kind === 'offer') {
      const missing = unique(message.value).filter((id) => !queue.has(id))
      if (missing.length > 0) this.send(from, { kind: 'want', value: missing })
      return
    }
    this.answer(from, unique(message.value))
  }

  /** Send a peer the requested records that are queued here, in batches, up to a bound and within its budget. */
  private answer(to: ValidatorKey, wanted: readonly Uint8Array[]): void {
    const { queue, conduct } = this.modules
    const held: Uint8Array[] = []
    let bytes = 0
    for (const id of wanted) {
      const record = queue.get(id)?.bytes
      if (record === undefined) continue
      bytes += record.length
      if (bytes > ANSWER_BYTES_MAX) break
      held.push(record)
    }
    for (const batch of messagesOf(held)) {
      const length = batch.reduce((sum, record) => sum + record.length, 0)
      if (!conduct.allowsReply(to, 'gossip', length)) return
      this.send(to, { kind: 'records', value: batch })
    }
  }

  /** Announce queued transactions that are due by their backoff; all of them after a failed view. */
  offer(everything: boolean): void {
    const nowMs = this.modules.monotonicMs()
    const due: Buffer[] = []
    for (const transaction of this.modules.queue.all()) {
      if (due.length >= GOSSIP_ITEMS_MAX) break
      const known = this.offers.get(transaction)
      const dueMs = known?.dueMs ?? transaction.enteredAtMs + REOFFER_FIRST_MS
      if (!everything && dueMs > nowMs) {
        // Oldest first: all that follow one that was never offered and is not due are younger.
        if (known === undefined) break
        continue
      }
      due.push(transaction.id)
      const afterMs = Math.min(2 * (known?.afterMs ?? REOFFER_FIRST_MS), REOFFER_LONGEST_MS)
      this.offers.set(transaction, { dueMs: nowMs + afterMs, afterMs })
    }
    if (due.length > 0) this.broadcast({ kind: 'offer', value: due })
  }
}

/** Distinct hashes of a message, which may repeat a hash any number of times. */
const unique = (hashes: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(hashes.map((one) => [keyString(one), one])).values(),
]

/** Split records into messages. */
const messagesOf = (records: readonly Uint8Array[]) =>
  batchesOf(records, ({ length }) => length, { items: GOSSIP_ITEMS_MAX, bytes: GOSSIP_BYTES_MAX })
