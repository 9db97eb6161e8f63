/** Owns the durations of the work of a modelled node, in ms, from the table of costs. */
import { type ConsensusMessage, consensusMessage, type Effect, type SignatureCheck } from '../../consensus/index.js'
import type { Costs } from './costs.js'

/** Virtual ms for a time in ns per unit and this many bytes. */
export const msOf = (ns: number, bytes = 0, kibNs = 0): number => (ns + (bytes * kibNs) / 1_024) / 1e6

/** Bytes of messages; a message for many receivers is encoded once. */
export class MessageSizes {
  private readonly sizes = new WeakMap<object, number>()

  of(message: ConsensusMessage): number {
    const known = this.sizes.get(message.value)
    if (known !== undefined) return known
    const bytes = consensusMessage.encode(message).length
    this.sizes.set(message.value, bytes)
    return bytes
  }
}

/** Bytes hashed when a message arrives: its payload, or a chunk of a payload. */
function hashedBytes(message: ConsensusMessage): number {
  switch (message.kind) {
    case 'proposal':
    case 'payloadResponse':
      return message.value.body?.length ?? 0
    case 'rbcChunk':
      return message.value.bytes.length
    default:
      return 0
  }
}

export class WorkTimes {
  constructor(
    readonly costs: Costs,
    private readonly sizes: MessageSizes,
  ) {}

  /** Main thread: receipt of a message of a peer, before it reaches the state machine. */
  receive(message: ConsensusMessage): number {
    const { costs } = this
    const bytes = this.sizes.of(message)
    return (
      msOf(costs.readNs, bytes, costs.readKibNs) +
      msOf(costs.decodeNs, bytes, costs.decodeKibNs) +
      msOf(0, hashedBytes(message), costs.hashKibNs)
    )
  }

  /** Main thread: admission of a transaction of a client. */
  admit(): number {
    return msOf(this.costs.admitNs)
  }

  /** Main thread: a batch of gossip. */
  gossip(bytes: number, records: number): number {
    const { costs } = this
    return (
      msOf(costs.readNs, bytes, costs.readKibNs) +
      msOf(costs.decodeNs, bytes, costs.decodeKibNs) +
      msOf(costs.admitNs * records)
    )
  }

  /** Main thread: encoding of this many bytes. */
  encode(bytes: number): number {
    return msOf(this.costs.encodeNs, bytes, this.costs.encodeKibNs)
  }

  /** Main thread: one input of the state machine and its effects. */
  step(effects: readonly Effect[]): number {
    let sum = msOf(this.costs.stepNs)
    for (const effect of effects) sum += this.begin(effect)
    return sum
  }

  /** Main thread: the beginning of an effect. */
  private begin(effect: Effect): number {
    const { costs } = this
    switch (effect.type) {
      case 'send':
      case 'broadcast':
        return this.encode(this.sizes.of(effect.message))
      case 'verify':
        return msOf(costs.handoffNs * effect.checks.length)
      case 'sign':
      case 'aggregate':
      case 'persist':
      case 'stage':
      case 'build':
      case 'commit':
        return msOf(costs.handoffNs)
      case 'execute':
        return msOf(costs.handoffNs, effect.body.length, costs.encodeKibNs)
      default:
        return 0
    }
  }

  /** Main thread: a payload rebuilt from records of the queue, and its hash. */
  rebuild(compactBytes: number, payloadBytes: number): number {
    const { costs } = this
    return (
      msOf(costs.decodeNs, compactBytes, costs.decodeKibNs) +
      msOf(costs.encodeNs, payloadBytes, costs.encodeKibNs) +
      msOf(0, payloadBytes, costs.hashKibNs)
    )
  }

  /** Crypto thread: own signatures. */
  sign(messages: number): number {
    return msOf(this.costs.blsSignNs * messages)
  }

  /** Crypto thread: checks of messages from peers. */
  verify(checks: readonly SignatureCheck[]): number {
    const { blsVerifyNs, blsKeyNs } = this.costs
    let ns = 0
    for (const check of checks) {
      const groups = check.kind === 'same' ? [check] : check.groups
      // One pairing for the signature and one for each message; the check of one signature takes two.
      ns += (blsVerifyNs * (groups.length + 1)) / 2
      for (const { keys } of groups) ns += blsKeyNs * (keys.length - 1)
    }
    return msOf(ns)
  }

  /** Crypto thread: aggregation and check of signatures. */
  aggregate(signatures: number, verified: boolean): number {
    const { blsSignatureNs, blsVerifyNs, blsKeyNs } = this.costs
    return msOf(blsSignatureNs * signatures + (verified ? blsVerifyNs + blsKeyNs * (signatures - 1) : 0))
  }

  /** Crypto thread: signatures of transactions. */
  transactions(count: number): number {
    return msOf(this.costs.transactionVerifyNs * count)
  }

  /** Ledger thread: building or executing a block. */
  execute(transactions: number): number {
    return msOf(this.costs.blockNs + this.costs.executeNs * transactions)
  }

  /** Ledger thread: committing a block. */
  commit(): number {
    return msOf(this.costs.commitNs)
  }

  /** Disk: a sync of this many bytes. */
  sync(bytes: number, syncs = 1): number {
    return msOf(this.costs.syncNs * syncs, bytes, this.costs.diskKibNs)
  }
}
