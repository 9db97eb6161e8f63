/**
 * Random histories in whole blocks: fees with and without sponsors, runs of time and pre-commit triggers, accounts that
 * value makes. The executor of blocks and the naive one say the same, and no unit appears or is lost.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BlockRun, FEE_SPONSOR_KEY, parameterOf } from '../../../src/executor/index.js'
import { preCommitTeu, timedTeu } from '../../../src/executor/shares.js'
import { MAX_TEU_PER_TX } from '../../../src/executor/system-parameters.js'
import { type AccountId, formatAddress } from '../../../src/model/index.js'
import { Blocks, entry, eventsOf } from '../../support/blocks.js'
import { begin, compare, HISTORIES, newcomers, people, real, step, textOf, wisely } from '../../support/histories.js'
import { type NaiveEntry, type NaiveFees, type NaiveInstruction, TEU } from '../../support/naive.js'

const person = fc.constantFrom(...people)
/** A hundred-thousandth of a unit for each unit of execution: a transaction sets 0.6 aside; or ten times that, which not everybody has. */
const fees: fc.Arbitrary<NaiveFees | undefined> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  {
    weight: 4,
    arbitrary: fc.record({
      asset: fc.constantFrom('d0#bank', 'd0#bank', 'd1#bank'),
      perTeu: fc.constantFrom(10n ** 23n, 10n ** 24n, 7n),
      sink: fc.oneof(fc.constantFrom('burn' as const, 'pot' as const), fc.record({ account: person })),
    }),
  },
)
const blocks = fc.array(
  fc.record({
    entries: fc.array(
      fc.record({
        step,
        sponsor: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: person }),
      }),
      { maxLength: 4 },
    ),
    waitMs: fc.constantFrom(1, 1, 1_000, 6_000),
  }),
  { minLength: 10, maxLength: 30 },
)

/** Triggers that are there from the start: rent that is due again and again, and alms at the end of every block. */
const [p0, p1, p2] = people as [AccountId, AccountId, AccountId]
const pays = (from: AccountId, to: AccountId, mantissa: bigint, scale: number): NaiveInstruction[] => [
  { op: 'transfer', of: 'd0#bank', from, to, amount: { mantissa, scale } },
]
const PRELUDE: readonly NaiveInstruction[] = [
  {
    op: 'registerTrigger',
    id: 't0',
    authority: p1,
    filter: { kind: 'time', startMs: 2_000, periodMs: 4_000 },
    list: pays(p1, p2, 15n, 1),
    repeats: undefined,
  },
  {
    op: 'registerTrigger',
    id: 't1',
    authority: p0,
    filter: { kind: 'preCommit' },
    list: pays(p0, p2, 25n, 2),
    repeats: 9,
  },
]

/** Codes of the entries and of the runs after them. */
function codesOf({ results, rejections }: BlockRun): (string | undefined)[] {
  return results.map((_, place) => rejections.get(place)?.code)
}

describe('random histories of blocks', () => {
  it('use the fee reserves of this chain in the naive executor', () => {
    const { state } = begin(undefined).bench
    expect(TEU).toEqual({
      transaction: parameterOf(state, MAX_TEU_PER_TX),
      timers: timedTeu(state),
      preCommit: preCommitTeu(state),
    })
  })

  it('give the same codes and states in two executors, and conserve every supply', { timeout: 20 * 60_000 }, () => {
    const seen = new Map<string, number>()
    const count = (what: string, by = 1): void => void seen.set(what, (seen.get(what) ?? 0) + by)
    fc.assert(
      fc.property(fees, blocks, (charged, history) => {
        const { bench, naive } = begin(charged)
        for (const one of PRELUDE) {
          const by = one.op === 'registerTrigger' ? one.authority : p0
          expect([bench.run(by, real(one, [])), naive.run(by, [one])]).toEqual([undefined, undefined])
        }
        const chain = new Blocks(bench)
        const known: Uint8Array[] = []
        for (const { entries, waitMs } of history) {
          bench.timeMs += waitMs
          const asked = entries.map(({ step: one, sponsor }): NaiveEntry => ({ ...wisely(naive, one), sponsor }))
          const run = chain.run(
            bench.timeMs,
            ...asked.map(({ by, list, sponsor }) => {
              const metadata = new Map(
                sponsor === undefined ? [] : [[FEE_SPONSOR_KEY, formatAddress(sponsor)] as const],
              )
              return entry(
                by,
                list.map((one) => real(one, known)),
                { metadata },
              )
            }),
          )
          const codes = naive.block(
            bench.timeMs,
            asked,
            run.results.map((one) => one.teu),
          )
          expect(codesOf(run), textOf(asked)).toEqual(codes)
          known.push(...eventsOf(run, 'proposalCreated').map((one) => one.proposal as Uint8Array))
          compare(bench, naive, known)
          for (const code of codes) count(code ?? 'approved')
          count('fees', eventsOf(run, 'feePaid').length)
          count(
            'admitted',
            eventsOf(run, 'accountCreated').filter((one) => newcomers.has(one.account as AccountId)).length,
          )
          count('runs', run.results.length - entries.length)
          count('failed runs', codes.slice(entries.length).filter((code) => code !== undefined).length)
          count(
            'sponsored',
            eventsOf(run, 'feePaid').filter((one) => asked.some(({ sponsor }) => sponsor === one.payer)).length,
          )
        }
      }),
      { numRuns: HISTORIES },
    )
    // Outcomes that never occur are not compared.
    for (const what of ['approved', 'fees', 'runs', 'failed runs', 'sponsored', 'fee_unpayable', 'admitted']) {
      expect(seen.get(what) ?? 0, what).toBeGreaterThan(0)
    }
    expect(seen.has('executor_fault')).toBe(false)
  })
})
