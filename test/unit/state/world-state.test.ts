// Checks the world state: candidates, commits, caches, indexes, bookkeeping, failures.
import { describe, expect, test } from 'vitest'
import { list, string } from '../../../src/codec/index.js'
import {
  type CandidateRow,
  EMPTY_ROWS,
  MemoryBackend,
  Overlay,
  rowKey,
  type StateBackend,
  type TableDef,
  WorldState,
} from '../../../src/state/index.js'
import { accounts, counters, naiveRoot } from './support.js'

const open = (backend: StateBackend = new MemoryBackend()) =>
  WorldState.open({ backend, treeBits: 6, cacheBytes: 256 * 1024 })

describe('row keys', () => {
  test('are the table id and the encoded key', () => {
    expect(Buffer.from(rowKey(accounts, 'ab'), 'latin1')).toEqual(Buffer.from([300 >> 8, 300 & 255, 2, 0x61, 0x62]))
    expect(Buffer.from(rowKey(counters, 5), 'latin1')).toEqual(Buffer.from([0, 2, 5]))
    expect(() => rowKey(counters, -1)).toThrow()
    expect(rowKey(counters, 5)).toBe(rowKey(counters, 5))
  })
})

describe('state candidates', () => {
  test('can share the same base state without changing it, and one of them is committed', async () => {
    const world = await open()
    const first = world.overlay()
    first.set(counters, 1, 10)
    const second = world.overlay()
    second.set(counters, 1, 20)
    second.set(accounts, 'alice', { owner: 'alice', balance: 5 })
    const candidates = [world.prepare(first), world.prepare(second)]
    expect(world.root).toEqual(Buffer.alloc(32))
    expect(world.reader.get(counters, 1)).toBeUndefined()
    expect(first.get(counters, 1)).toBe(10)
    expect(world.prepare(second).root).toEqual(candidates[1]!.root)
    expect(candidates[1]!.rows.map((entry) => entry.row)).toEqual(
      [rowKey(counters, 1), rowKey(accounts, 'alice')].sort(),
    )

    await world.commit(candidates[0]!, { height: 1 })
    expect(world.root).toEqual(naiveRoot(new Map([[1, 10]])))
    expect(world.reader.get(counters, 1)).toBe(10)
    expect(world.reader.has(accounts, 'alice')).toBe(false)
    await expect(world.commit(candidates[1]!, { height: 1 })).rejects.toThrow(/superseded/)
    expect(() => second.get(counters, 2)).toThrow(/superseded/)
    expect(() => world.prepare(second)).toThrow(/is not based/)
    expect(() => world.prepare(new Overlay(EMPTY_ROWS))).toThrow(/is not based/)
  })

  test('keep the root and advance the height if empty', async () => {
    const world = await open()
    await world.commit(world.prepare(world.overlay()), { height: 1 })
    expect([world.height, world.sequence]).toEqual([1, 1])
    expect(world.root).toEqual(Buffer.alloc(32))
  })

  test('have the same root whether rows are given as bytes or as typed values', async () => {
    const world = await open()
    const overlay = world.overlay()
    for (let key = 0; key < 50; key += 1) overlay.set(counters, key, key)
    await world.commit(world.prepare(overlay), { height: 1 })
    const rows: CandidateRow[] = []
    for await (const row of world.allRows()) rows.push(row)
    expect(rows.length).toBe(50)
    const copy = await open()
    const candidate = copy.prepareRows(rows)
    expect(candidate.root).toEqual(world.root)
    await copy.commit(candidate, { height: 1 })
    expect(copy.reader.get(counters, 33)).toBe(33)
    expect(copy.rowBytes(rowKey(counters, 33))).toEqual(counters.value.encode(33))
    expect(() => world.prepareRows([rows[0]!, rows[0]!])).toThrow(/twice/)
  })

  test('contain values that are decoded once and then shared', async () => {
    const world = await open()
    const notes: TableDef<number, readonly string[]> = { ...counters, id: 9, name: 'notes', value: list(string(10), 4) }
    const overlay = world.overlay()
    overlay.set(notes, 1, ['a', 'b'])
    await world.commit(world.prepare(overlay), { height: 1 })
    expect(world.reader.get(notes, 1)).toEqual(['a', 'b'])
    // Decoded once, then shared.
    expect(world.reader.get(notes, 1)).toBe(world.reader.get(notes, 1))
  })
})

describe('index entries', () => {
  test('with empty values are deleted as durably as others, as pruning requires', async () => {
    const written: unknown[] = []
    class CountingBackend extends MemoryBackend {
      override batch() {
        const inner = super.batch()
        let changes = 0
        return {
          ...inner,
          del: (key: Buffer) => {
            changes += 1
            inner.del(key)
          },
          write: async (options?: { readonly sync: boolean }) => {
            written.push({ changes, ...options })
            await inner.write()
          },
        }
      }
    }
    await (await open(new CountingBackend())).dropIndexes([])
    expect(written).toEqual([{ changes: 1, sync: true }])
  })
})

describe('state commits', () => {
  /** A store whose writes wait for a signal, or fail. */
  class SlowBackend extends MemoryBackend {
    release: () => void = () => {}
    fail = false
    hold = false

    override batch() {
      const inner = super.batch()
      return {
        ...inner,
        write: async () => {
          if (this.hold) {
            await new Promise<void>((resolve) => {
              this.release = resolve
            })
          }
          if (this.fail) throw new Error('disk full')
          await inner.write()
        },
      }
    }
  }

  test('are visible to reads before they are on disk, and are written completely or not at all', async () => {
    const backend = new SlowBackend()
    const world = await open(backend)
    const first = world.overlay()
    for (let key = 0; key < 20; key += 1) first.set(counters, key, key)
    await world.commit(world.prepare(first), { height: 1 })
    backend.hold = true
    const second = world.overlay()
    second.set(counters, 1, 100)
    second.delete(counters, 2)
    for (let key = 500; key < 700; key += 1) second.set(counters, key, key)
    const candidate = world.prepare(second)
    const writing = world.commit(candidate, { height: 2, indexes: { put: [[Buffer.from('k'), Buffer.from('v')]] } })
    expect(world.height).toBe(2)
    expect(world.reader.get(counters, 1)).toBe(100)
    expect(world.reader.has(counters, 2)).toBe(false)
    expect(world.prove(rowKey(counters, 1)).bytes).toEqual(counters.value.encode(100))
    // Execution goes on meanwhile, on pages that are not on disk yet.
    const third = world.overlay()
    third.set(counters, 1, 7)
    third.set(counters, 2, 7)
    const next = world.prepare(third)
    const crashed = await open(backend.clone())
    expect(crashed.height).toBe(1)
    expect(crashed.reader.get(counters, 1)).toBe(1)
    expect(crashed.indexGet(Buffer.from('k'))).toBeUndefined()

    const following = world.commit(next, { height: 3 })
    expect(world.height).toBe(2)
    backend.hold = false
    backend.release()
    await Promise.all([writing, following])
    const model = new Map(Array.from({ length: 20 }, (_, key) => [key, key]))
    for (let key = 500; key < 700; key += 1) model.set(key, key)
    model.set(1, 7).set(2, 7)
    expect(world.root).toEqual(naiveRoot(model))
    expect(world.indexGet(Buffer.from('k'))).toEqual(Buffer.from('v'))
    const reopened = await open(backend.clone())
    expect([reopened.height, reopened.root]).toEqual([3, world.root])
  })

  test('fail on a write error, which makes the state unusable and leaves the last commit on disk', async () => {
    const backend = new SlowBackend()
    const world = await open(backend)
    const overlay = world.overlay()
    overlay.set(counters, 1, 1)
    await world.commit(world.prepare(overlay), { height: 1 })
    backend.fail = true
    const next = world.overlay()
    next.set(counters, 1, 2)
    await expect(world.commit(world.prepare(next), { height: 2 })).rejects.toThrow(/cannot write the state database/)
    expect(() => world.prepare(world.overlay())).toThrow(/cannot write the state database/)
    const reopened = await open(backend.clone())
    expect(reopened.height).toBe(1)
    expect(reopened.reader.get(counters, 1)).toBe(1)
  })

  test('are checked for damage when the state is opened', async () => {
    const backend = new MemoryBackend()
    const world = await open(backend)
    const overlay = world.overlay()
    for (let key = 0; key < 20; key += 1) overlay.set(counters, key, key)
    await world.commit(world.prepare(overlay), { height: 1 })
    const broken = backend.clone()
    for await (const [key, value] of backend.range({ gte: Buffer.of(3), lt: Buffer.of(4) })) {
      value[10]! ^= 1
      const batch = broken.batch()
      batch.put(key, value)
      await batch.write()
    }
    await expect(open(broken)).rejects.toThrow(/corrupt/)
    await expect(WorldState.open({ backend, treeBits: 7 })).rejects.toThrow(/tree bits 6/)
    await expect(WorldState.open({ backend: new MemoryBackend(), treeBits: 3 })).rejects.toThrow(/4 to 20/)
    expect((await WorldState.open({ backend })).root).toEqual(world.root)
  })
})

describe('indexes beside the state', () => {
  test('can be read as ranges in byte order, separately from the rows', async () => {
    const world = await open()
    const overlay = world.overlay()
    overlay.set(counters, 1, 1)
    const put = [3, 1, 2, 255].map((n) => [Buffer.from([7, n]), Buffer.from(`v${n}`)] as const)
    await world.commit(world.prepare(overlay), { height: 1, indexes: { put: [...put, [Buffer.of(8), Buffer.of(1)]] } })
    const collect = async (range: Parameters<WorldState['indexRange']>[0]) => {
      const found: string[] = []
      for await (const [key, value] of world.indexRange(range)) found.push(`${key.toString('hex')}=${value}`)
      return found
    }
    expect(await collect({ gte: Buffer.of(7), lt: Buffer.of(8), limit: 10 })).toEqual([
      '0701=v1',
      '0702=v2',
      '0703=v3',
      '07ff=v255',
    ])
    expect(await collect({ gte: Buffer.from([7, 2]), limit: 2 })).toEqual(['0702=v2', '0703=v3'])
    expect(await collect({ gte: Buffer.of(7), lt: Buffer.of(8), reverse: true, limit: 2 })).toEqual([
      '07ff=v255',
      '0703=v3',
    ])
    const root = world.root
    await world.commit(world.prepare(world.overlay()), {
      height: 2,
      indexes: { del: [Buffer.from([7, 1])] },
      meta: [['cursor', Buffer.from('x')]],
    })
    expect(world.root).toEqual(root)
    expect(world.indexGet(Buffer.from([7, 1]))).toBeUndefined()
    expect(await collect({ gte: Buffer.alloc(0), limit: 1 })).toEqual(['0702=v2'])
    expect(world.meta('cursor')).toEqual(Buffer.from('x'))
    await world.commit(world.prepare(world.overlay()), { height: 3, meta: [['cursor', undefined]] })
    expect(world.meta('cursor')).toBeUndefined()
  })
})

describe('the row cache of the state', () => {
  test('stays within its size limit, caches absent rows, and never returns replaced values', async () => {
    let reads = 0
    const backend = new MemoryBackend()
    const original = backend.getSync.bind(backend)
    backend.getSync = (key) => {
      if (key[0] === 1) reads += 1
      return original(key)
    }
    const world = await WorldState.open({ backend, treeBits: 6, cacheBytes: 64 * 1024 })
    for (let height = 1; height <= 20; height += 1) {
      const overlay = world.overlay()
      for (let key = 0; key < 200; key += 1) overlay.set(counters, key + 50 * height, height)
      await world.commit(world.prepare(overlay), { height })
      expect(world.cachedBytes).toBeLessThanOrEqual(64 * 1024)
      for (let key = 0; key < 1300; key += 1) {
        const last = Math.min(height, Math.floor(key / 50))
        const expected = key >= 50 && key < 50 * height + 200 ? last : undefined
        expect(world.reader.get(counters, key)).toBe(expected)
        expect(world.cachedBytes).toBeLessThanOrEqual(64 * 1024)
      }
    }
    world.reader.get(counters, 99_999)
    const before = reads
    expect(world.reader.get(counters, 99_999)).toBeUndefined()
    expect(world.reader.has(counters, 99_999)).toBe(false)
    expect(reads).toBe(before)
  })

  test('avoids reads for an empty table, but not once the table has had a row, also after restarts', async () => {
    let reads = 0
    const backend = new MemoryBackend()
    const original = backend.getSync.bind(backend)
    backend.getSync = (key) => {
      if (key[0] === 1) reads += 1
      return original(key)
    }
    let world = await open(backend)
    const overlay = world.overlay()
    overlay.set(counters, 1, 1)
    expect(world.reader.get(accounts, 'alice')).toBeUndefined()
    expect(world.reader.get(counters, 1)).toBeUndefined()
    await world.commit(world.prepare(overlay), { height: 1 })
    world = await open(backend)
    expect(world.reader.has(accounts, 'alice')).toBe(false)
    expect(reads).toBe(0)
    expect(world.reader.get(counters, 1)).toBe(1)
    const first = world.overlay()
    first.set(accounts, 'alice', { owner: 'alice', balance: 5 })
    const committed = world.commit(world.prepare(first), { height: 2 })
    expect(world.reader.has(accounts, 'alice')).toBe(true)
    await committed
    expect(world.reader.has(accounts, 'bob')).toBe(false)
    world = await open(backend)
    expect(world.reader.get(accounts, 'alice')).toEqual({ owner: 'alice', balance: 5 })
    const last = world.overlay()
    last.delete(accounts, 'alice')
    await world.commit(world.prepare(last), { height: 3 })
    expect(world.reader.has(accounts, 'alice')).toBe(false)
    expect((await open(backend)).reader.has(accounts, 'alice')).toBe(false)
  })
})
