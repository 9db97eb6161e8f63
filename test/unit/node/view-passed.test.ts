// Executions that are no longer needed: conditions that end them, those that never end, and the remaining
// candidates.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { viewPassed } from '../../../src/consensus/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { type BlockHeader, composeBody, hashOfHeader } from '../../../src/model/index.js'
import { CurrentView } from '../../../src/node/ledger/current-view.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import { flatHashes } from '../../../src/node/ledger/slices.js'
import { ExecutionWatch, SLOW_MS } from '../../../src/node/ledger/watch.js'
import { GENESIS_TIME_MS, signedBy, transferOf } from '../../support/chain.js'
import { templateAfter, uncheckedCertificate } from '../../support/headers.js'
import { type BenchBlock, commitKept, LedgerBench } from '../../support/ledger-bench.js'

const HASH = Buffer.alloc(32, 0xfe)
const header = (height: number, originView: number) => ({ height, originView })

let bench: LedgerBench
let builder: Ledger
beforeAll(async () => {
  bench = await LedgerBench.create()
  builder = await bench.open('builder')
})
afterAll(() => bench.close())

const pay = () => signedBy(bench.alice, [transferOf(bench.alice.id, bench.bob.id, 1n)], GENESIS_TIME_MS)
const block = (count: number): Promise<BenchBlock> => bench.build(builder, Array.from({ length: count }, pay))
const requestOf = (one: BenchBlock, certified = false) => ({ ...one, blockHash: hashOfHeader(one.header), certified })

describe('the current view in memory shared by two threads', () => {
  it('is read as written, also at the limits of its numbers', () => {
    const view = new CurrentView()
    expect(view.read()).toBeUndefined()
    const reader = new CurrentView(view.memory)
    for (const place of [
      { height: 2, view: 0, kept: undefined },
      { height: Number.MAX_SAFE_INTEGER, view: 2 ** 32 - 1, kept: HASH },
      { height: 2 ** 32, view: 2 ** 31, kept: undefined },
    ]) {
      view.enter(place)
      expect(reader.read()).toEqual(place)
    }
  })

  it('is read as absent during a write', () => {
    const view = new CurrentView()
    view.enter({ height: 2, view: 1, kept: undefined })
    Atomics.add(view.memory, 0, 1)
    expect(view.read()).toBeUndefined()
  })

  it('has passed for blocks from earlier views of its height, except for the kept block', () => {
    const place = { height: 5, view: 2, kept: HASH }
    expect(viewPassed(place, header(5, 1), Buffer.alloc(32))).toBe(true)
    expect(viewPassed(place, header(5, 1), undefined)).toBe(true)
    expect(viewPassed(place, header(5, 1), HASH)).toBe(false)
    expect(viewPassed(place, header(5, 2), undefined)).toBe(false)
    expect(viewPassed(place, header(6, 0), undefined)).toBe(false)
  })
})

describe('the execution of a block', () => {
  it('of a past view does not start, unless the block is kept or certified', async () => {
    const one = await block(1)
    const voter = await bench.open('voter')
    const { height } = one.header
    voter.enterView({ height, view: 1, kept: undefined })
    expect(await voter.execute(requestOf(one))).toMatchObject({ ok: false, isEnded: true, mismatch: false })
    voter.enterView({ height, view: 1, kept: hashOfHeader(one.header) })
    expect(await voter.execute(requestOf(one))).toMatchObject({ ok: true, isEnded: false })
    const other = await bench.open('other')
    other.enterView({ height, view: 9, kept: undefined })
    expect(await other.execute(requestOf(one, true))).toMatchObject({ ok: true, isEnded: false })
  })

  it('stops at the next transaction when its view times out, and has no effect', async () => {
    const one = await block(6)
    const view = new CurrentView()
    const ledger = await openLedger({ folder: bench.folder('ending'), genesis: bench.genesis, abi: ABI_1, view })
    let asked = 0
    const passes = vi.spyOn(view, 'hasPassed').mockImplementation(() => ++asked > 4)
    expect(await ledger.execute(requestOf(one))).toMatchObject({
      ok: false,
      isEnded: true,
      detail: 'the view has timed out',
    })
    expect(asked).toBe(5)
    passes.mockRestore()
    expect(await ledger.execute(requestOf(one))).toMatchObject({ ok: true, isEnded: false })
    const certified = { header: one.header, certificate: uncheckedCertificate(one.header) }
    expect(Buffer.from((await commitKept(ledger, certified)).stateRoot)).toEqual(Buffer.from(one.header.stateRoot))
    await ledger.close()
  })

  it('by its own proposer also stops, without a block and without slow transactions to skip', async () => {
    const ledger = await bench.open('proposer')
    const tip = await ledger.tip()
    ledger.enterView({ height: tip.height + 1, view: 1, kept: undefined })
    const records = [pay(), pay()]
    const body = composeBody(
      undefined,
      [],
      records.map(({ bytes }) => ({ lane: 0, dataspace: 0n, bytes })),
    )
    const request = { header: templateAfter(tip, bench.genesis), body, hashes: flatHashes(records) }
    expect(await ledger.build(request)).toMatchObject({ header: undefined, invalid: [], isUnreadable: false })
  })

  it('reports its slow transactions', () => {
    let nowMs = 0
    const watch = new ExecutionWatch(
      () => true,
      () => nowMs,
    )
    expect(watch.took).toEqual({ ms: 0, slow: [] })
    for (const [ran, tookMs] of [0, SLOW_MS, SLOW_MS + 1, 3, 900].entries()) {
      nowMs += tookMs
      expect(watch.between(ran)).toBe(true)
    }
    expect(watch.took).toEqual({ ms: 2 * SLOW_MS + 904, slow: [1, 3] })
  })
})

it('the candidate of the highest prepare certificate is kept even after many later candidates', async () => {
  const ledger = await bench.open('keeper')
  const made: BlockHeader[] = []
  for (let count = 0; count < 8; count++) {
    const { header: one } = await bench.build(ledger, [pay()])
    made.push(one)
    if (count === 0) ledger.enterView({ height: one.height, view: 0, kept: hashOfHeader(one) })
  }
  // A held candidate needs no body: an evicted one is refused for it.
  const isHeld = async (one: BlockHeader) => {
    const nothing = { body: Buffer.alloc(1), hashes: Buffer.alloc(0), certified: false }
    return (await ledger.execute({ blockHash: hashOfHeader(one), header: one, ...nothing })).ok
  }
  const held = await Promise.all(made.map(isHeld))
  expect(held).toEqual([true, false, false, false, false, true, true, true])
})
