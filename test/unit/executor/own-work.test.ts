/** Work of a block besides its transactions: parameters that take effect, the window of ids, roots over its records. */
import { beforeEach, describe, expect, it } from 'vitest'
import { merkleRoot } from '../../../src/crypto/index.js'
import {
  activateParameters,
  MAX_TTL_MS,
  parameterAt,
  parameterOf,
  routeFactsOf,
  SINGLETON_KEY,
  scheduleHeight,
  stagedOf,
  stageParameter,
} from '../../../src/executor/index.js'
import { parameters, replay, replayStart } from '../../../src/executor/tables.js'
import { ABI_1, ABI_2 } from '../../../src/features/abi.js'
import { Blocks, entry } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { seeded } from '../../support/seeded.js'

let bench: Bench
beforeEach(() => {
  bench = core.smallWorld()
})

describe('a parameter', () => {
  it('takes effect at its height, and several changes apply in order', () => {
    const { state } = bench
    const before = parameterOf(state, MAX_TTL_MS)
    stageParameter(state, MAX_TTL_MS, 2_000, 10)
    stageParameter(state, MAX_TTL_MS, 3_000, 12)
    const acting = (height: number) => {
      activateParameters(state, [MAX_TTL_MS as never], height)
      return [parameterOf(state, MAX_TTL_MS), stagedOf(state, MAX_TTL_MS).map(({ fromHeight }) => fromHeight)]
    }
    expect([9, 10, 11, 12].map((height) => parameterAt(state, MAX_TTL_MS, height))).toEqual([
      before,
      2_000,
      2_000,
      3_000,
    ])
    expect(acting(9)).toEqual([before, [10, 12]])
    expect(acting(10)).toEqual([2_000, [12]])
    expect(stagedOf(state, MAX_TTL_MS)).toEqual([{ fromHeight: 12, value: 3_000 }])
    expect(acting(12)).toEqual([3_000, []])
  })

  it('is reported as corrupt if its record does not decode', () => {
    bench.state.set(parameters, MAX_TTL_MS.name, { current: Buffer.of(0xff), staged: [] })
    expect(() => parameterOf(bench.state, MAX_TTL_MS)).toThrow(/does not decode/)
  })
})

describe('the window of transaction ids', () => {
  const HOUR_MS = 3_600_000

  it('keeps the ids of a block until the last of its transactions has expired', () => {
    const blocks = new Blocks(bench)
    const first = entry(core.alice, [core.log('x')])
    blocks.run(1_000, first)
    expect(bench.state.get(replay, 2)?.lastExpiryMs).toBe(100_001)
    expect(blocks.run(100_001).expiredReplayHeights).toEqual([])
    expect(bench.state.has(replay, 2)).toBe(true)
    expect(blocks.run(100_002).expiredReplayHeights).toEqual([2])
    expect(bench.state.has(replay, 2)).toBe(false)
  })

  it('drops at most 64 blocks at a time, and none at or above the current height', () => {
    const { state } = bench
    for (let height = 2; height < 202; height += 1) {
      state.set(replay, height, { digest: Buffer.alloc(32), lastExpiryMs: 1 })
    }
    const blocks = new Blocks(bench)
    blocks.height = 199
    for (let height = 200; height < 206; height += 1) scheduleHeight(seeded(state, Buffer.alloc(32, 3)), height)
    const dropped = [0, 1, 2, 3].map((more) => blocks.run(HOUR_MS + more).expiredReplayHeights)
    expect(dropped.map((heights) => heights.length)).toEqual([64, 64, 64, 8])
    expect(dropped.flat()).toEqual(Array.from({ length: 200 }, (_, index) => 2 + index))
    expect(state.get(replayStart, SINGLETON_KEY)).toBe(203)
  })
})

describe('the transaction root of a block', () => {
  it('is the root of its lane if there is one lane, and covers all records in order otherwise', () => {
    const blocks = new Blocks(bench)
    const [a, b, c] = [core.alice, core.bob, core.alice].map((account) => entry(account, [core.log('x')])) as [
      ReturnType<typeof entry>,
      ReturnType<typeof entry>,
      ReturnType<typeof entry>,
    ]
    const alone = blocks.run(10, a)
    expect(alone.transactionsRoot).toEqual(merkleRoot([a.signedHash]))
    const both = blocks.run(20, { ...b, lane: 0 }, { ...c, lane: 1 })
    expect(both.laneCommitments).toHaveLength(2)
    expect(both.transactionsRoot).toEqual(merkleRoot([b.signedHash, c.signedHash]))
    expect(blocks.run(30).transactionsRoot).toEqual(merkleRoot([]))
  })
})

describe('the routing facts of a transaction', () => {
  it('include the domain of every instruction, including instructions inside a batch', () => {
    const facts = routeFactsOf(ABI_1, {
      authority: core.alice,
      dataspace: undefined,
      executable: {
        kind: 'instructions',
        value: [core.batch([core.alice, core.bob, 1n]), core.log('x'), core.registerDefinition('eur#other')],
      },
    })
    expect(facts.domains).toContain('other')
    expect(facts.domains).toContain('bank')
    expect(facts.domains.every((domain) => domain === undefined || typeof domain === 'string')).toBe(true)
  })
  it('exclude instructions without a domain under ABI 2, but not under ABI 1', () => {
    const nothing = core.batch()
    const of = (abi: typeof ABI_1, ...value: (typeof nothing)[]) =>
      routeFactsOf(abi, { authority: core.alice, dataspace: undefined, executable: { kind: 'instructions', value } })
    const paid = core.batch([core.alice, core.bob, 1n])
    expect(of(ABI_2, nothing, core.log('x'))).toEqual(of(ABI_2, core.log('x')))
    expect(of(ABI_2, nothing)).toMatchObject({ domains: [], labels: [] })
    expect(of(ABI_2, nothing, paid)).toEqual(of(ABI_2, paid))
    expect(of(ABI_1, nothing).labels).toEqual(['asset::transfer_batch'])
  })
})
