/** Owns what a hostile peer says: messages that it saw, changed, spoiled, repeated, or signed with its own key. */
import {
  type ConsensusMessage,
  consensusMessage,
  domainOf,
  type HeightContext,
  proposalSignBytes,
  timeoutSignBytes,
  voteSignBytes,
} from '../../src/consensus/index.js'
import { nobleBackend } from '../../src/crypto/bls-noble.js'
import type { KeyPair } from '../../src/crypto/index.js'
import { hashOfHeader, keyString } from '../../src/model/index.js'
import type { Channel } from '../../src/network/index.js'
import { type GossipMessage, gossipMessage } from '../../src/node/peers/gossip.js'
import { mutated, type Random, spoiled } from './mutate.js'

/** A message as it goes over a link. */
export interface Wire {
  readonly channel: Channel
  readonly body: Buffer
}

/** Messages of a kind that are remembered: enough to find one of each shape. */
const RECORDED_PER_KIND = 24
/** Tries to find a change that the codec takes. */
const TRIES = 8

/** One hostile peer. */
export class Hostile {
  private readonly seen = new Map<string, (ConsensusMessage | GossipMessage)[]>()
  sent = 0

  constructor(
    private readonly random: Random,
    /** Its consensus key; the key of an observer does not count. */
    private readonly key: KeyPair,
    /** Knowledge about the current height; without it nothing is signed for or changed to that height. */
    private readonly context: (() => HeightContext) | undefined,
  ) {}

  /** Kinds of messages that it can change. */
  get kinds(): readonly string[] {
    return [...this.seen.keys()]
  }

  /** Messages that pass by are the material of forgeries. */
  intercept(channel: Channel, body: Uint8Array): void {
    const decoded = channel === 'gossip' ? gossipMessage.decode(body) : consensusMessage.decode(body)
    if (decoded.ok) this.record(channel, decoded.value)
  }

  record(channel: Channel, message: ConsensusMessage | GossipMessage): void {
    const name = `${channel === 'gossip' ? 'gossip' : 'consensus'}:${message.kind}`
    const known = this.seen.get(name) ?? []
    this.seen.set(name, [message, ...known].slice(0, RECORDED_PER_KIND))
  }

  /** The next thing that it says: mostly of a kind that it picks evenly, so that none is rare. */
  next(): Wire {
    this.sent += 1
    const { random } = this
    const name = random.pick(this.kinds)
    const channel: Channel = name.startsWith('gossip:') ? 'gossip' : random.pick(['consensus', 'payload'] as const)
    const message = random.pick(this.seen.get(name) ?? [])
    const schema = name.startsWith('gossip:') ? gossipMessage : consensusMessage
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const forgery = this.forgeryOf(message)
      try {
        const body = (schema as typeof consensusMessage).encode(forgery as ConsensusMessage)
        return { channel, body: random.chance(0.02) ? spoiled(body, random) : body }
      } catch {
        // Beyond its declaration: no message of this protocol can say it.
      }
    }
    return { channel, body: spoiled((schema as typeof consensusMessage).encode(message as ConsensusMessage), random) }
  }

  private forgeryOf(message: ConsensusMessage | GossipMessage): ConsensusMessage | GossipMessage {
    const { random } = this
    let forgery = this.present(message)
    const changes = random.chance(0.15) ? 0 : 1 + random.below(3)
    for (let change = 0; change < changes; change++) forgery = mutated(forgery, random)
    return random.chance(0.5) ? this.signed(forgery) : forgery
  }

  /** Mostly about the present height: what is of another one is dropped early. */
  private present(message: ConsensusMessage | GossipMessage): ConsensusMessage | GossipMessage {
    if (this.context === undefined || this.random.chance(0.3)) return message
    const value = message.value
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !('height' in value)) return message
    return { ...message, value: { ...value, height: this.context().height } } as ConsensusMessage
  }

  /** With its own key and place where it has one: the checks of signatures are passed, and what is behind them is met. */
  private signed(message: ConsensusMessage | GossipMessage): ConsensusMessage | GossipMessage {
    const context = this.context?.()
    if (context === undefined) return message
    const index = context.committee.indexOf.get(keyString(this.key.publicKey.bytes))
    if (index === undefined) return message
    const domain = domainOf(context)
    const sign = (bytes: Uint8Array): Uint8Array => nobleBackend().sign(this.key.secret, bytes)
    try {
      switch (message.kind) {
        case 'vote': {
          const { phase, view, blockHash } = message.value
          return {
            ...message,
            value: { ...message.value, index, signature: sign(voteSignBytes(domain, phase, view, blockHash)) },
          }
        }
        case 'timeout': {
          const { view, highPrepare, reason } = message.value
          const named = highPrepare === undefined ? 0 : highPrepare.certificate.view + 1
          return {
            ...message,
            value: { ...message.value, index, signature: sign(timeoutSignBytes(domain, view, named, reason)) },
          }
        }
        case 'proposal': {
          const { header, view } = message.value
          const fitting = {
            ...header,
            parentHash: context.parentHash,
            rosterHash: context.rosterHash,
            committeeHash: context.committee.hash,
            nextCommitteeHash: context.nextCommittee.hash,
            height: context.height,
            originProposer: keyString(this.key.publicKey.bytes),
          }
          const bytes = proposalSignBytes(domain, view, hashOfHeader(fitting))
          return { ...message, value: { ...message.value, header: fitting, signature: sign(bytes) } }
        }
        default:
          return message
      }
    } catch {
      // A message that cannot be hashed cannot be signed.
      return message
    }
  }
}

/** Messages that no network says every day, for the hostile to begin with. */
export const RARE: readonly ConsensusMessage[] = [
  { kind: 'payloadRequest', value: { height: 2, blockHash: Buffer.alloc(32, 1) } },
  {
    kind: 'payloadResponse',
    value: { height: 2, blockHash: Buffer.alloc(32, 1), header: undefined, body: Buffer.alloc(64) },
  },
  { kind: 'syncRequest', value: { from: 2, count: 32 } },
  { kind: 'syncResponse', value: { blocks: [] } },
  { kind: 'recordRequest', value: { height: 2, blockHash: Buffer.alloc(32, 1), places: [0, 1, 2] } },
  {
    kind: 'recordResponse',
    value: { height: 2, blockHash: Buffer.alloc(32, 1), records: [{ place: 0, bytes: Buffer.alloc(64) }] },
  },
  {
    kind: 'rbcInit',
    value: {
      height: 2,
      view: 0,
      payloadHash: Buffer.alloc(32, 1),
      blockHash: Buffer.alloc(32, 2),
      payloadBytes: 100_000,
      digests: [Buffer.alloc(32, 3), Buffer.alloc(32, 4)],
      shares: [{ lane: 0, dataspace: 0n, transactions: 1, payloadBytes: 100, teu: 1 }],
    },
  },
  {
    kind: 'rbcChunk',
    value: { height: 2, view: 0, payloadHash: Buffer.alloc(32, 1), index: 0, bytes: Buffer.alloc(50_000) },
  },
  { kind: 'rbcReady', value: { height: 2, view: 0, payloadHash: Buffer.alloc(32, 1) } },
  { kind: 'rbcDeliver', value: { height: 2, view: 0, payloadHash: Buffer.alloc(32, 1) } },
  { kind: 'rbcRequest', value: { height: 2, view: 0, payloadHash: Buffer.alloc(32, 1), missing: [0, 1] } },
]
