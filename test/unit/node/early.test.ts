// A transaction from before the clock of a node was set back: no block takes it yet, and what was acknowledged is not lost.
import { beforeAll, describe, expect, it } from 'vitest'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { VerifiedTransactions } from '../../../src/node/admission/verified.js'
import { BlockWork, type BlockWorkModules } from '../../../src/node/consensus/block-work.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { QueueReview } from '../../../src/node/queue/review.js'
import { EARLY_MAX_MS, TransactionQueue } from '../../../src/queue/index.js'
import { CHAIN, codec, GENESIS_TIME_MS, signedBy, transferOf } from '../../support/chain.js'
import { earlyProofs } from '../../support/early-proofs.js'
import { templateAfter } from '../../support/headers.js'
import { LedgerBench } from '../../support/ledger-bench.js'

let crypto: InlineCrypto
let bench: LedgerBench
let ledger: Ledger
beforeAll(async () => {
  crypto = await InlineCrypto.create()
  bench = await LedgerBench.create()
  ledger = await bench.open('early')
  return () => bench.close()
})

const LIFE_MS = 100_000

/** A node that took a transaction of now and one of so many ms later, before its clock was set back. */
function nodeWith(aheadMs: number) {
  const queue = new TransactionQueue()
  const [now, later] = [0, aheadMs].map((ms) => {
    const paid = [transferOf(bench.alice.id, bench.bob.id, 1n)]
    const record = signedBy(bench.alice, paid, GENESIS_TIME_MS + 10 + ms, LIFE_MS)
    const place = { route: { lane: 0, dataspace: 0n }, teu: 240, work: 0, proofWork: 0, enteredAtMs: 0 }
    queue.push({ ...record, ...place, authority: bench.alice.id, expiresAtMs: GENESIS_TIME_MS + 10 + ms + LIFE_MS })
    return record
  })
  const dropped: string[] = []
  const node = { clockMs: GENESIS_TIME_MS + 10, nowMs: 0 }
  const onDropped: BlockWorkModules['onDropped'] = (gone) => dropped.push(...gone.map(({ code }) => code))
  const work = new BlockWork({
    ledger: ledger as unknown as BlockWorkModules['ledger'],
    crypto,
    proofs: earlyProofs(),
    queue,
    verified: new VerifiedTransactions(),
    evidenceForBlock: async () => [],
    codec,
    routing: { ready: Promise.resolve(), reroute: async () => undefined },
    reconsider: async () => undefined,
    mustPass: () => false,
    wallMs: () => node.clockMs,
    monotonicMs: () => node.nowMs,
    onDivergence: () => undefined,
    onDeferred: () => undefined,
    onDropped,
  })
  /** Which of the two are in the next block of this node. */
  const build = async (): Promise<readonly boolean[]> => {
    const tip = await ledger.tip()
    const { timeMs, ...template } = templateAfter(tip, bench.genesis)
    const effect = {
      type: 'build',
      view: 0,
      allowEmpty: false,
      directBytes: Number.MAX_SAFE_INTEGER,
      template: { ...template, parentTimeMs: tip.header.timeMs },
    } as const
    const block = await work.build(effect, undefined, tip)
    return [now, later].map((one) => block !== undefined && Buffer.from(block.body).includes(Buffer.from(one!.bytes)))
  }
  const review = async (): Promise<void> => {
    const { limits } = await ledger.tip()
    const wallMs = () => node.clockMs
    const review = new QueueReview({ abi: ABI_1, codec, chain: CHAIN, queue, limits: () => limits, wallMs, onDropped })
    await review.again([...queue.all()])
  }
  return { node, queue, build, review, dropped }
}

describe('a transaction created before the clock was set back', () => {
  it('stays queued, but is not included in blocks of this node until its time is valid', async () => {
    const { maxClockDriftMs } = (await ledger.tip()).limits
    const aheadMs = maxClockDriftMs + 3_000
    const { node, queue, build, dropped } = nodeWith(aheadMs)
    expect(await build()).toEqual([true, false])
    expect([queue.size, dropped]).toEqual([2, []])
    expect(queue.readyAt(node.nowMs)).toEqual({ pending: true, teu: 240 })
    node.nowMs = 2_999
    node.clockMs += node.nowMs
    expect(await build()).toEqual([true, false])
    node.nowMs = 3_000
    node.clockMs += 1
    expect(await build()).toEqual([true, true])
  })

  it('is checked again before that time, since the clock may be corrected', async () => {
    const { node, build } = nodeWith(3_600_000)
    expect(await build()).toEqual([true, false])
    node.clockMs += 3_600_000 - LIFE_MS / 2
    node.nowMs = EARLY_MAX_MS - 1
    expect(await build()).toEqual([false, false])
    node.clockMs += LIFE_MS / 2
    node.nowMs = EARLY_MAX_MS
    expect(await build()).toEqual([false, true])
  })

  it('stays queued when the rules of the next block change', async () => {
    const { queue, review, dropped } = nodeWith(3_600_000)
    await review()
    expect([queue.size, dropped]).toEqual([2, []])
  })
})
