// Checks the state root: two layouts and the naive definition agree over random histories; deletion restores; restarts agree.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeHead, HEAD_KEY } from '../../../src/state/head.js'
import {
  FrozenState,
  LeafSum,
  MemoryBackend,
  rowKey,
  rowKeyBytes,
  verifyStateProof,
  WorldState,
} from '../../../src/state/index.js'
import { numberOfDbKey, SPACE } from '../../../src/state/key-space.js'
import { CYCLE_BLOCKS } from '../../../src/state/tree-store.js'
import { counters, naiveRoot, randomBlock, seeded } from '../../unit/state/support.js'

const open = (backend: MemoryBackend, treeBits: number) => WorldState.open({ backend, treeBits, cacheBytes: 64 * 1024 })

describe('state root', () => {
  test('matches its definition in two layouts over random histories', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 60 }),
        async (seed, keys, changes) => {
          const random = seeded(seed)
          const worlds = await Promise.all([4, 11].map((bits) => open(new MemoryBackend(), bits)))
          const model = new Map<number, number>()
          for (let height = 1; height <= 8; height += 1) {
            const blockSeed = random(2 ** 30)
            const before = new Map(model)
            for (const world of worlds) {
              const overlay = world.overlay()
              model.clear()
              for (const [key, value] of before) model.set(key, value)
              randomBlock(seeded(blockSeed), overlay, model, { keys, changes })
              const candidate = world.prepare(overlay)
              expect(world.height).toBe(height - 1)
              await world.commit(candidate, { height })
              expect(world.root).toEqual(candidate.root)
              expect(world.root).toEqual(naiveRoot(model))
            }
          }
          for (const world of worlds) {
            const overlay = world.overlay()
            for (const key of model.keys()) overlay.delete(counters, key)
            expect(world.prepare(overlay).root).toEqual(Buffer.alloc(32))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is restored exactly when changes are undone', async () => {
    const random = seeded(7)
    const world = await open(new MemoryBackend(), 6)
    const model = new Map<number, number>()
    for (let height = 1; height <= 40; height += 2) {
      const before = new Map(model)
      const root = world.root
      const overlay = world.overlay()
      randomBlock(random, overlay, model, { keys: 300, changes: 50 })
      const touched = overlay.changes().length
      expect(touched).toBeGreaterThan(0)
      await world.commit(world.prepare(overlay), { height })
      const undo = world.overlay()
      for (const key of new Set([...before.keys(), ...model.keys()])) {
        const value = before.get(key)
        if (value === undefined) undo.delete(counters, key)
        else undo.set(counters, key, value)
      }
      await world.commit(world.prepare(undo), { height: height + 1 })
      expect(world.root).toEqual(root)
      const redo = world.overlay()
      randomBlock(random, redo, before, { keys: 300, changes: 30 })
      await world.commit(world.prepare(redo), { height: height + 1 })
      model.clear()
      for (const [key, value] of before) model.set(key, value)
    }
  })
})

describe('restart', () => {
  // These histories run through several cycles of chunks, with restarts anywhere.
  test.each([4, 8, 10, 12])('changes nothing at random blocks, with %i tree bits', async (bits) => {
    const random = seeded(bits)
    let backend = new MemoryBackend()
    let world = await open(backend, bits)
    const model = new Map<number, number>()
    for (let height = 1; height <= 3.5 * CYCLE_BLOCKS; height += 1) {
      const overlay = world.overlay()
      // Now and then an empty block, which writes no delta.
      randomBlock(random, overlay, model, { keys: 600, changes: random(5) === 0 ? 0 : 1 + random(12) })
      await world.commit(world.prepare(overlay), { height })
      if (random(40) === 0) {
        const root = world.root
        backend = backend.clone()
        world = await open(backend, bits)
        expect(world.root).toEqual(root)
        expect(world.height).toBe(height)
        for (const key of [random(600), random(600)]) expect(world.reader.get(counters, key)).toBe(model.get(key))
      }
    }
    expect(world.root).toEqual(naiveRoot(model))
    let deltas = 0
    for await (const _ of backend.range({ gte: Buffer.of(3), lt: Buffer.of(4) })) deltas += 1
    expect(deltas).toBeLessThanOrEqual(CYCLE_BLOCKS)
  })

  test('finds a consistent state at every batch boundary', async () => {
    const random = seeded(99)
    const backend = new MemoryBackend()
    const world = await open(backend, 8)
    const model = new Map<number, number>()
    const disks: { disk: MemoryBackend; root: Buffer; height: number; content: Map<number, number> }[] = []
    for (let height = 1; height <= 90; height += 1) {
      const overlay = world.overlay()
      randomBlock(random, overlay, model, { keys: 200, changes: 10 })
      await world.commit(world.prepare(overlay), { height })
      if (random(4) === 0) disks.push({ disk: backend.clone(), root: world.root, height, content: new Map(model) })
    }
    for (const { disk, root, height, content } of disks) {
      const reopened = await open(disk, 8)
      expect(reopened.root).toEqual(root)
      expect(reopened.height).toBe(height)
      expect(reopened.root).toEqual(naiveRoot(content))
      for (let key = 0; key < 200; key += 17) expect(reopened.reader.get(counters, key)).toBe(content.get(key))
    }
  })
})

/** Buckets that stand deeper than a database began with, by its head. */
function movedIn(backend: MemoryBackend): number {
  const head = backend.getSync(HEAD_KEY)
  return head === undefined ? 0 : decodeHead(head).moved
}

describe('a crowded tree', () => {
  const BITS = 10
  const BUCKETS = 2 ** BITS
  const KEYS = 8 * BUCKETS

  /** Blocks of 400 keys until every record was written twice, which moves all buckets; `each` sees the disk after each block. */
  async function history(
    each: (backend: MemoryBackend, world: WorldState, model: ReadonlyMap<number, number>) => Promise<WorldState>,
  ) {
    const random = seeded(17)
    const backend = new MemoryBackend()
    const model = new Map<number, number>()
    let world = await open(backend, BITS)
    for (let height = 1; height <= (2 * KEYS) / 400; height += 1) {
      const overlay = world.overlay()
      for (let at = 0; at < 400; at += 1) {
        const key = (height * 400 + at) % KEYS
        if (random(10) === 0) {
          overlay.delete(counters, key)
          model.delete(key)
        } else {
          overlay.set(counters, key, height)
          model.set(key, height)
        }
      }
      await world.commit(world.prepare(overlay), { height })
      world = await each(backend, world, model)
    }
    return { backend, world, model }
  }

  /** Requirement of a snapshot of a running node: rows and leaves are the same set. */
  async function isWhole(world: WorldState): Promise<boolean> {
    const frozen = await world.frozen()
    const rows = new LeafSum()
    for await (const stored of frozen.rows(async () => {})) FrozenState.addTo(rows, stored)
    const leaves = await frozen.leafSum(async () => {})
    await frozen.close()
    return leaves?.equals(rows) === true
  }

  test('deepens block by block while in use, with the correct root at each block', async () => {
    const steps: number[] = []
    const flat = await open(new MemoryBackend(), 12)
    const { backend, world, model } = await history(async (disk, current, records) => {
      expect(current.root).toEqual(naiveRoot(records))
      expect(await isWhole(current)).toBe(true)
      steps.push(movedIn(disk))
      return current
    })
    expect([...new Set(steps)]).toEqual([0, 256, 512, 768, BUCKETS])
    const overlay = flat.overlay()
    for (const [key, value] of model) overlay.set(counters, key, value)
    expect(flat.prepare(overlay).root).toEqual(world.root)
    // Nothing of the first depth is left on disk, and each record stands once.
    let leaves = 0
    for await (const [key, page] of backend.range({ gte: Buffer.of(SPACE.page), lt: Buffer.of(SPACE.page + 1) })) {
      expect(numberOfDbKey(key)).toBeGreaterThanOrEqual(4 * BUCKETS)
      leaves += page.length / 64
    }
    expect(leaves).toBe(model.size)
    const undo = world.overlay()
    for (const key of model.keys()) undo.delete(counters, key)
    expect(world.prepare(undo).root).toEqual(Buffer.alloc(32))
  })

  test('reopens after any block of the deepening, with all rows and proofs', async () => {
    const seen = new Set<number>()
    await history(async (disk, current, records) => {
      const copy = disk.clone()
      const again = await open(copy, BITS)
      expect([again.height, again.root]).toEqual([current.height, current.root])
      seen.add(movedIn(copy))
      for (let key = current.height; key < KEYS; key += 997) {
        const value = records.get(key)
        expect(again.reader.get(counters, key)).toBe(value)
        const bytes = value === undefined ? undefined : counters.value.encode(value)
        const { proof } = again.prove(rowKey(counters, key))
        expect(verifyStateProof(again.root, rowKeyBytes(rowKey(counters, key)), bytes, proof)).toBe(true)
      }
      return current
    })
    expect(seen.size).toBeGreaterThan(3)
  })

  test('continues an interrupted deepening after a restart', async () => {
    const { backend, world, model } = await history(async (disk) => open(disk, BITS))
    expect(movedIn(backend)).toBe(BUCKETS)
    expect(world.root).toEqual(naiveRoot(model))
  })

  test('does not deepen if its buckets have few records or if the block is small', async () => {
    const backend = new MemoryBackend()
    const world = await open(backend, BITS)
    for (let height = 1; height <= 6; height += 1) {
      const overlay = world.overlay()
      for (let key = 0; key < 3 * BUCKETS; key += 1) overlay.set(counters, key, height)
      await world.commit(world.prepare(overlay), { height })
    }
    expect(movedIn(backend)).toBe(0)
    const more = world.overlay()
    for (let key = 3 * BUCKETS; key < 4 * BUCKETS + 400; key += 1) more.set(counters, key, 7)
    await world.commit(world.prepare(more), { height: 7 })
    const before = movedIn(backend)
    for (let height = 8; height < 20; height += 1) {
      const overlay = world.overlay()
      for (let at = 0; at < 50; at += 1) overlay.set(counters, at, height)
      await world.commit(world.prepare(overlay), { height })
    }
    expect(movedIn(backend)).toBe(before)
  })

  test('refuses to move a page that was altered on disk', async () => {
    let damaged = false
    const run = history(async (disk, current) => {
      if (damaged || current.height < 10) return current
      damaged = true
      const batch = disk.batch()
      for await (const [key, page] of disk.range({ gte: Buffer.of(SPACE.page), lt: Buffer.of(SPACE.page + 1) })) {
        page[40]! ^= 1
        batch.put(key, page)
      }
      await batch.write()
      return open(disk, BITS)
    })
    await expect(run).rejects.toThrow('cannot switch the state')
  })
})

describe('proofs', () => {
  test('prove the value of every record and the absence of every other key, on any layout', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.integer({ min: 0, max: 120 }),
        fc.constantFrom(4, 7, 12),
        async (seed, count, bits) => {
          const random = seeded(seed)
          const world = await open(new MemoryBackend(), bits)
          const model = new Map<number, number>()
          const overlay = world.overlay()
          for (let at = 0; at < count; at += 1) {
            const key = random(300)
            model.set(key, at)
            overlay.set(counters, key, at)
          }
          await world.commit(world.prepare(overlay), { height: 1 })
          for (let key = 0; key < 300; key += 1) {
            const row = rowKeyBytes(rowKey(counters, key))
            const proven = world.prove(rowKey(counters, key))
            const value = model.get(key)
            const bytes = value === undefined ? undefined : counters.value.encode(value)
            expect(proven.bytes).toEqual(bytes)
            expect(verifyStateProof(world.root, row, bytes, proven.proof)).toBe(true)
            // The opposite statement, and another value, are refused with the same proof.
            const opposite = bytes === undefined ? counters.value.encode(1) : undefined
            expect(verifyStateProof(world.root, row, opposite, proven.proof)).toBe(false)
            expect(verifyStateProof(world.root, row, counters.value.encode(999_999), proven.proof)).toBe(false)
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})
