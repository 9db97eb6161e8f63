/**
 * Owns the budgets and fault counts of peers: token buckets for bytes and for each kind of message, and the number of
 * faults after which the link of a peer is closed and its key banned (docs/design/hardening.md 1 and 2).
 */
import { type Rate, TokenBucket } from '../../base/token-bucket.js'
import type { ConsensusMessage } from '../../consensus/index.js'
import type { ValidatorKey } from '../../model/index.js'
import type { Channel } from '../../network/index.js'
import type { GossipMessage } from './gossip.js'

/**
 * Kinds of peer faults, and the number within the window after which the key is banned. A flood counts the dropped
 * messages; for a broken frame, or a message that made a handler throw, one is enough.
 */
export const PEER_FAULTS = {
  protocol: { banAfter: 1, text: 'it violated the link protocol' },
  handler: { banAfter: 1, text: 'one of its messages could not be handled' },
  answer: { banAfter: 1, text: 'one of its requests could not be answered' },
  malformed: { banAfter: 8, text: 'its messages do not decode' },
  bad_signature: { banAfter: 8, text: 'its signatures are invalid' },
  bad_blocks: { banAfter: 8, text: 'its blocks are invalid' },
  flood: { banAfter: 2_048, text: 'it exceeds the message rate of a correct peer' },
} as const
/** Label of `node_peer_faults_total`. */
export type PeerFaultKind = keyof typeof PEER_FAULTS

const MIB = 1024 * 1024

/** Byte rates by channel: a small multiple of the traffic of a saturated network over one link. */
const BYTE_RATES: Readonly<Record<Channel, Rate>> = {
  consensus: { perSecond: 16 * MIB, burst: 32 * MIB },
  payload: { perSecond: 128 * MIB, burst: 256 * MIB },
  gossip: { perSecond: 16 * MIB, burst: 64 * MIB },
}

/** Bytes of a dropped message that count as one fault, since the cost of a dropped message grows with its length. */
const FLOOD_BYTES = 64 * 1024

/** Rate of messages that each member sends once or twice per height and view, at about a hundred heights per second. */
const PER_VIEW: Rate = { perSecond: 1_000, burst: 4_000 }
/** Rate of requests and their responses: one is in flight per peer, and retried after a quarter of a second. */
const PER_REQUEST: Rate = { perSecond: 50, burst: 200 }
/** Rate of messages sent by a timer. */
const PER_BEAT: Rate = { perSecond: 20, burst: 100 }

/** Rate of snapshot manifests of up to 1 MiB each: a starting node requests them twice per second. */
const PER_OFFER: Rate = { perSecond: 4, burst: 32 }

const CONSENSUS_RATES: Readonly<Record<ConsensusMessage['kind'], Rate>> = {
  proposal: PER_VIEW,
  vote: PER_VIEW,
  timeout: PER_VIEW,
  certificate: PER_VIEW,
  timeoutCertificate: PER_VIEW,
  status: PER_REQUEST,
  payloadRequest: PER_REQUEST,
  payloadResponse: PER_REQUEST,
  syncRequest: PER_REQUEST,
  syncResponse: PER_REQUEST,
  recordRequest: PER_REQUEST,
  recordResponse: PER_REQUEST,
  rbcInit: PER_VIEW,
  /** 64 KiB each, up to the byte rate of the channel. */
  rbcChunk: { perSecond: 2_048, burst: 4_096 },
  rbcReady: PER_VIEW,
  rbcDeliver: PER_VIEW,
  rbcRequest: PER_REQUEST,
}

const GOSSIP_RATES: Readonly<Record<GossipMessage['kind'], Rate>> = {
  records: PER_VIEW,
  offer: PER_REQUEST,
  want: PER_REQUEST,
  evidence: PER_BEAT,
  timeRequest: PER_BEAT,
  timeResponse: PER_BEAT,
  snapshotWanted: PER_OFFER,
  snapshotOffer: PER_OFFER,
  chunkWanted: PER_REQUEST,
  snapshotChunk: PER_REQUEST,
}

/**
 * Rate of gossip records that are in progress or were refused. A correct peer verifies what it forwards, but its state
 * may be ahead of ours, so a refusal is not a fault although it costs a signature check. Records beyond the rate are
 * dropped unread; relevant ones are offered again. A saturated network has about a hundred in progress.
 */
const REFUSED_RECORDS: Rate = { perSecond: 512, burst: 4_096 }

/** Channels of responses. */
type ReplyChannel = Exclude<Channel, 'consensus'>

/**
 * Byte rates of responses, since a small request causes a long response. Payload channel: two of the longest payloads
 * at once and one per second, because a correct peer requests one missing payload at a time and retries after a second.
 * Gossip channel: half of what a correct peer accepts from this node; omitted records are offered again.
 */
const REPLY_RATES: Readonly<Record<ReplyChannel, Rate>> = {
  payload: { perSecond: 32 * MIB, burst: 72 * MIB },
  gossip: { perSecond: 8 * MIB, burst: 32 * MIB },
}

/**
 * Budget of all observers together, in multiples of the budget of one peer. Messages beyond it are dropped without a
 * fault for the sender; members have budgets of their own.
 */
const OBSERVERS_AS_PEERS = 4

/** Rate for all observers together. */
const forObservers = ({ perSecond, burst }: Rate): Rate => ({
  perSecond: OBSERVERS_AS_PEERS * perSecond,
  burst: OBSERVERS_AS_PEERS * burst,
})

/** Age after which faults are not counted, in ms. */
const WINDOW_MS = 60_000

interface Conduct {
  readonly bytes: Map<Channel, TokenBucket>
  readonly kinds: Map<string, TokenBucket>
  readonly records: TokenBucket
  readonly replies: Replies
  readonly faults: Map<PeerFaultKind, { count: number; sinceMs: number }>
}
type Replies = Readonly<Record<ReplyChannel, TokenBucket>>

export interface PeerConductModules {
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  /** True if a peer votes, or is registered to vote. */
  readonly isMember: (peer: ValidatorKey) => boolean
  readonly count: (kind: PeerFaultKind) => void
  /** Close the link of a peer and refuse its key for a while. */
  readonly ban: (peer: ValidatorKey, kind: PeerFaultKind) => void
}

/** Conduct of all peers that have or had a link; bounded by the number of registered peers. */
export class PeerConduct {
  private readonly peers = new Map<ValidatorKey, Conduct>()
  /** Shared budgets of all observers: bytes, messages and responses. */
  private readonly observers = new Map<string, TokenBucket>()
  private readonly observerReplies: Replies

  constructor(private readonly modules: PeerConductModules) {
    const now = modules.monotonicMs()
    const { payload, gossip } = REPLY_RATES
    this.observerReplies = {
      payload: new TokenBucket(forObservers(payload), now),
      gossip: new TokenBucket(forObservers(gossip), now),
    }
  }

  /** True if a message of this size is within the budget of the peer, and is processed. */
  allowsBytes(peer: ValidatorKey, channel: Channel, bytes: number): boolean {
    return this.allows(peer, this.of(peer).bytes, channel, BYTE_RATES[channel], bytes)
  }

  /** True if a consensus message of this kind is within the budget of the peer. */
  allowsConsensus(peer: ValidatorKey, kind: ConsensusMessage['kind']): boolean {
    return this.allows(peer, this.of(peer).kinds, kind, CONSENSUS_RATES[kind], 1)
  }

  /** True if a gossip message of this kind is within the budget of the peer. */
  allowsGossip(peer: ValidatorKey, kind: GossipMessage['kind']): boolean {
    return this.allows(peer, this.of(peer).kinds, kind, GOSSIP_RATES[kind], 1)
  }

  /**
   * True if records of the peer are processed, because few of its earlier ones were refused. Exceeding the budget is
   * not a fault.
   */
  allowsRecords(peer: ValidatorKey, count: number): boolean {
    return this.of(peer).records.take(count, this.modules.monotonicMs()) === 0
  }

  /** Return this many records to the budget of the peer, since they were not refused. */
  tookRecords(peer: ValidatorKey, count: number): void {
    this.of(peer).records.give(count)
  }

  /**
   * True if a response of this size is within the budget of the peer. Exceeding it is not a fault: peers on slow links
   * retry.
   */
  allowsReply(peer: ValidatorKey, channel: ReplyChannel, bytes: number): boolean {
    const now = this.modules.monotonicMs()
    const { replies } = this.of(peer)
    if (replies[channel].take(bytes, now) !== 0) return false
    if (this.modules.isMember(peer) || this.observerReplies[channel].take(bytes, now) === 0) return true
    replies[channel].give(bytes)
    return false
  }

  /** Return this many bytes of an admitted response to the budget, since it was shorter. */
  savedReply(peer: ValidatorKey, channel: ReplyChannel, bytes: number): void {
    this.of(peer).replies[channel].give(bytes)
    if (!this.modules.isMember(peer)) this.observerReplies[channel].give(bytes)
  }

  /** Count a fault `times` times; enough of them end the link and ban the key. */
  fault(peer: ValidatorKey, kind: PeerFaultKind, times = 1): void {
    const { monotonicMs, count, ban } = this.modules
    count(kind)
    const { faults } = this.of(peer)
    const now = monotonicMs()
    let known = faults.get(kind)
    if (known === undefined || now - known.sinceMs > WINDOW_MS) {
      known = { count: 0, sinceMs: now }
      faults.set(kind, known)
    }
    known.count += times
    if (known.count < PEER_FAULTS[kind].banAfter) return
    faults.delete(kind)
    ban(peer, kind)
  }

  /** Remove peers that are no longer registered. */
  keepOnly(peers: ReadonlySet<ValidatorKey>): void {
    for (const peer of this.peers.keys()) if (!peers.has(peer)) this.peers.delete(peer)
  }

  private allows<K extends string>(
    peer: ValidatorKey,
    buckets: Map<K, TokenBucket>,
    key: K,
    rate: Rate,
    amount: number,
  ): boolean {
    if (!this.takes(buckets, key, rate, amount)) {
      this.fault(peer, 'flood', Math.ceil(amount / FLOOD_BYTES))
      return false
    }
    return this.modules.isMember(peer) || this.takes(this.observers, key, forObservers(rate), amount)
  }

  private takes<K>(buckets: Map<K, TokenBucket>, key: K, rate: Rate, amount: number): boolean {
    const now = this.modules.monotonicMs()
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      bucket = new TokenBucket(rate, now)
      buckets.set(key, bucket)
    }
    return bucket.take(amount, now) === 0
  }

  private of(peer: ValidatorKey): Conduct {
    let conduct = this.peers.get(peer)
    if (conduct === undefined) {
      const now = this.modules.monotonicMs()
      const records = new TokenBucket(REFUSED_RECORDS, now)
      const { payload, gossip } = REPLY_RATES
      const replies = { payload: new TokenBucket(payload, now), gossip: new TokenBucket(gossip, now) }
      conduct = { bytes: new Map(), kinds: new Map(), records, replies, faults: new Map() }
      this.peers.set(peer, conduct)
    }
    return conduct
  }
}
