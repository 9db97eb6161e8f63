// Random histories of due runs against a plain list: the same runs in the same minutes, and no row left behind.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addRun, firstRun, MINUTE_MS, removeRun, runOf } from '../../../src/executor/due-runs/store.js'
import { EMPTY_ROWS, Overlay } from '../../../src/state/index.js'
import { slice } from '../../suites.mjs'
import { accountNamed } from '../../support/executor.js'

const HISTORIES = Number(process.env.CAUSEWAY_HISTORIES ?? slice(100, 300))
/** A change of an entry on a page of its own minute, and rows of the index of minutes above it, which begin and end once in 2.8 days. */
const ROWS_MAX = 5
const ROWS_OF_INDEX = 2

const owners = [undefined, accountNamed('a'), accountNamed('b')]
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      key: fc.nat(400),
      by: fc.nat(2),
      minute: fc.oneof(fc.nat(3), fc.nat(40_000_000)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), key: fc.nat(400) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pop' as const), count: fc.nat(80) }) },
  // Many of one minute, so that pages begin and end.
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('crowd' as const), from: fc.nat(300), by: fc.nat(2), minute: fc.nat(3) }),
  },
)

interface Entry {
  readonly key: number
  readonly by: number
  readonly minute: number
}
const idOf = (key: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(key)
  return { kind: 'k', key: bytes }
}

it('due runs of many owners match a plain list, and each changes only a few rows', {
  timeout: 20 * 60_000,
}, () => {
  let most = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (history) => {
      const state = new Overlay(EMPTY_ROWS)
      const list = new Map<number, Entry>()
      /** Makes a change and counts its rows. */
      const changed = <T>(work: (on: Overlay) => T): T => {
        const fork = state.fork()
        const result = work(fork)
        const rows = fork.changes()
        const index = rows.filter(({ table }) => table.name === 'due_bits').length
        expect(rows.length - Math.max(0, index - 1)).toBeLessThanOrEqual(ROWS_MAX + 1)
        expect(rows.length).toBeLessThanOrEqual(ROWS_MAX + 1 + ROWS_OF_INDEX)
        most = Math.max(most, rows.length)
        fork.merge()
        return result
      }
      const add = (key: number, by: number, minute: number): void => {
        const found = changed((on) => addRun(on, idOf(key), { owner: owners[by], dueMs: minute * MINUTE_MS }))
        if (list.has(key)) expect(found).toMatchObject({ code: 'exists' })
        else {
          expect(found).toBe(minute * MINUTE_MS)
          list.set(key, { key, by, minute })
        }
      }
      const earliest = (isChain: boolean): number | undefined => {
        const minutes = [...list.values()].filter(({ by }) => (by === 0) === isChain).map(({ minute }) => minute)
        return minutes.length === 0 ? undefined : Math.min(...minutes)
      }
      const pop = (payer: 'chain' | 'owner'): void => {
        const minute = earliest(payer === 'chain')
        const run = firstRun(state, payer)
        if (minute === undefined) return expect(run).toBeUndefined()
        if (run === undefined) throw new Error('a run is lost')
        const key = Buffer.from(run.key).readUInt32BE(0)
        expect(list.get(key)?.minute).toBe(minute)
        expect(runOf(state, run)?.minute).toBe(minute)
        list.delete(key)
        expect(changed((on) => removeRun(on, run))).toBe(true)
      }
      for (const one of history) {
        if (one.kind === 'add') add(one.key, one.by, one.minute)
        else if (one.kind === 'remove') expect(changed((on) => removeRun(on, idOf(one.key)))).toBe(list.delete(one.key))
        else if (one.kind === 'crowd')
          for (let key = one.from; key < one.from + 100; key += 1) add(key, one.by, one.minute)
        else for (let count = 0; count < one.count; count += 1) pop(count % 2 === 0 ? 'chain' : 'owner')
      }
      while (list.size > 0) {
        if (earliest(true) !== undefined) pop('chain')
        if (earliest(false) !== undefined) pop('owner')
      }
      expect(state.changes().filter(({ value }) => value !== undefined)).toEqual([])
    }),
    { numRuns: HISTORIES },
  )
  expect(most).toBeGreaterThan(3)
})
