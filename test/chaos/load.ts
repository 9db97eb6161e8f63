/**
 * Owns the payments during disturbed runs: sent to running nodes; at the end each acknowledged one must be committed
 * exactly once.
 */
import { CausewayClient } from '../../src/client/index.js'
import type { Random } from '../../src/simulation/prng.js'
import { framed, Payer } from '../e2e/transactions.js'
import { pause, until } from '../support/ports.js'
import type { ChaosPeer } from './net.js'

/** Lifetime of a payment, in ms: the longest that the chain allows, so that none expires while its node is down. */
const TTL_MS = 600_000
const ANSWER_MS = 5_000
/** Pauses of a lane after a payment that was taken, and after one that was not, in ms: chaos needs blocks, not full ones. */
const BETWEEN_MS = 40
const RETRY_MS = 100
/** States of a payment that is in a block and was not rejected. */
const COMMITTED = new Set(['Committed', 'Applied'])

/** A node that payments are sent to while it runs. */
export interface PaidPeer {
  readonly gateway: string
  readonly isRunning: boolean
}

/** A network with accounts of alice and bob. */
export interface PaidNet {
  readonly peers: readonly PaidPeer[]
  keyFile(name: string): string
}

/** Outcomes of the payments. */
export interface Accounts {
  readonly acknowledged: number
  /** Sent without an answer: they may be there or not. */
  readonly unanswered: number
  readonly committed: number
}

interface Books {
  readonly alice: bigint
  readonly bob: bigint
}

/** Payments of one cent from alice to bob, as many at a time as there are lanes. */
export class Load {
  private readonly acknowledged = new Set<string>()
  private readonly unanswered = new Set<string>()
  private running = false
  private lanes: Promise<void>[] = []

  private constructor(
    private readonly net: PaidNet,
    private readonly random: Random,
    private readonly payer: Payer,
    private readonly before: Books,
  ) {}

  static async open(net: PaidNet, random: Random): Promise<Load> {
    const client = new CausewayClient({ gateway: net.peers[0]!.gateway })
    try {
      const payer = await Payer.open(client, net.keyFile('alice'), 'bob@bank')
      return new Load(net, random, payer, await booksAt(net.peers[0]!))
    } finally {
      await client.close()
    }
  }

  get count(): number {
    return this.acknowledged.size
  }

  start(lanes = 3): void {
    this.running = true
    this.lanes = Array.from({ length: lanes }, () => this.lane())
  }

  async stop(): Promise<void> {
    this.running = false
    await Promise.all(this.lanes)
  }

  /** Sends one payment through a peer; true when it was acknowledged. */
  async pay(peer: PaidPeer): Promise<boolean> {
    const record = await this.payer.signed({ ttlMs: TTL_MS })
    const { bytes, type } = framed(record)
    // Until an answer says otherwise it may be there.
    const sent = record.toString('latin1')
    this.unanswered.add(sent)
    const answer = await fetch(`${peer.gateway}/transaction`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': type ?? '' },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => undefined)
    const json = (await answer?.json().catch(() => undefined)) as { transaction_hash?: string } | undefined
    if (answer?.status !== 202 || json?.transaction_hash === undefined) return false
    this.unanswered.delete(sent)
    this.acknowledged.add(json.transaction_hash)
    return true
  }

  /** Sends payments through a peer, each in a block before the next; the height afterwards. */
  async payBlocks(through: PaidPeer & Pick<ChaosPeer, 'standing'>, times: number): Promise<number> {
    let height = (await through.standing())?.height ?? 0
    for (let count = 0; count < times; count += 1) {
      if (!(await this.pay(through))) throw new Error('a payment was not taken')
      height = await until('a block', async () => {
        const now = (await through.standing())?.height ?? 0
        return now > height ? now : undefined
      })
    }
    return height
  }

  private async lane(): Promise<void> {
    while (this.running) {
      const up = this.net.peers.filter((peer) => peer.isRunning)
      const taken = up.length > 0 && (await this.pay(this.random.pick(up)))
      await pause(taken ? BETWEEN_MS : RETRY_MS)
    }
  }

  /**
   * Checks at the end, when all peers agree: each acknowledged payment is in a block and approved, the money that moved is
   * one cent for each that is, and none was made or lost. Throws what does not hold.
   */
  async settle(peer: PaidPeer): Promise<Accounts> {
    for (const hash of this.acknowledged) {
      await until(`payment ${hash} in a block`, async () =>
        COMMITTED.has((await stateOf(peer, hash)) ?? '') ? true : undefined,
      )
    }
    const after = await booksAt(peer)
    const moved = after.bob - this.before.bob
    if (after.alice + after.bob !== this.before.alice + this.before.bob) throw new Error('the supply changed')
    const least = BigInt(this.acknowledged.size)
    if (moved < least) throw new Error(`${moved} cents moved, ${least} payments were acknowledged`)
    const most = least + BigInt(this.unanswered.size)
    if (moved > most) throw new Error(`${moved} cents moved, at most ${most} payments were sent`)
    return { acknowledged: this.acknowledged.size, unanswered: this.unanswered.size, committed: Number(moved) }
  }
}

async function stateOf(peer: PaidPeer, hash: string): Promise<string | undefined> {
  const answer = await fetch(`${peer.gateway}/v1/pipeline/transactions/status?hash=${hash}`, {
    headers: { accept: 'application/json' },
  })
  if (!answer.ok) return undefined
  const { content } = (await answer.json()) as { content?: { status?: { kind?: string } } }
  return content?.status?.kind
}

/** Cents of both accounts. */
async function booksAt(peer: PaidPeer): Promise<Books> {
  const client = new CausewayClient({ gateway: peer.gateway })
  try {
    const cents = async (alias: string): Promise<bigint> => {
      const { balances } = await client.account(alias)
      const found = balances.find((one) => one.definition === 'eur#bank')
      if (found === undefined) return 0n
      const { mantissa, scale } = found.amount
      return mantissa * 10n ** BigInt(2 - scale)
    }
    return { alice: await cents('alice@bank'), bob: await cents('bob@bank') }
  } finally {
    await client.close()
  }
}
