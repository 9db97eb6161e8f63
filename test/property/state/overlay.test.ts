// Checks nested overlays against plain maps under random programs of reads, writes, forks, merges and discards.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryBackend, Overlay, rowKey, WorldState } from '../../../src/state/index.js'
import { counters } from '../../unit/state/support.js'

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), key: fc.nat(12), value: fc.nat(1000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key: fc.nat(12), value: fc.constant(0) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('fork' as const, 'merge' as const, 'discard' as const),
      key: fc.constant(0),
      value: fc.constant(0),
    }),
  },
)

test('an overlay stack matches a stack of copied maps', async () => {
  const world = await WorldState.open({ backend: new MemoryBackend(), treeBits: 4, cacheBytes: 16 * 1024 })
  const base = world.overlay()
  for (let key = 0; key < 6; key += 1) base.set(counters, key, key + 5000)
  await world.commit(world.prepare(base), { height: 1 })

  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bottom = new Map(Array.from({ length: 6 }, (_, key) => [key, key + 5000]))
      const stack = [{ overlay: world.overlay(), map: new Map(bottom), touched: new Set<number>() }]
      for (const { kind, key, value } of steps) {
        const { overlay, map, touched } = stack[stack.length - 1]!
        if (kind === 'set') {
          overlay.set(counters, key, value)
          map.set(key, value)
          touched.add(key)
        } else if (kind === 'delete') {
          overlay.delete(counters, key)
          map.delete(key)
          touched.add(key)
        } else if (kind === 'fork') {
          stack.push({ overlay: overlay.fork(), map: new Map(map), touched: new Set() })
        } else if (stack.length > 1) {
          stack.pop()
          const below = stack[stack.length - 1]!
          if (kind === 'merge') {
            overlay.merge()
            below.map = map
            for (const changed of touched) below.touched.add(changed)
          } else overlay.discard()
          expect(() => overlay.get(counters, 0)).toThrow(/merged or discarded/)
        }
        const top = stack[stack.length - 1]!
        for (let probe = 0; probe <= 12; probe += 1) {
          expect(top.overlay.get(counters, probe)).toBe(top.map.get(probe))
          expect(top.overlay.has(counters, probe)).toBe(top.map.has(probe))
        }
        const rows = top.overlay.changes()
        expect(rows.map((change) => change.row)).toEqual(
          [...top.touched].map((changed) => rowKey(counters, changed)).sort(),
        )
        for (const change of rows) {
          const owner = [...top.touched].find((changed) => rowKey(counters, changed) === change.row)!
          expect(change.value).toBe(top.map.get(owner))
        }
      }
      for (let key = 0; key < 13; key += 1) expect(world.reader.get(counters, key)).toBe(bottom.get(key))
    }),
    { numRuns: 300 },
  )
})

test('only overlays on overlays can be merged', async () => {
  const world = await WorldState.open({ backend: new MemoryBackend(), treeBits: 4 })
  const overlay = world.overlay()
  expect(() => overlay.merge()).toThrow(/only an overlay/)
  expect(overlay.fork()).toBeInstanceOf(Overlay)
})
