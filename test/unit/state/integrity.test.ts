// Checks what finds a disk that changed something: damaged rows, differences of two databases, a tree or a head that does not fit.
import { describe, expect, test } from 'vitest'
import {
  damagedRows,
  differingRows,
  MemoryBackend,
  rowDamage,
  rowKey,
  type StateBatch,
  stateHead,
  WorldState,
} from '../../../src/state/index.js'
import { numberedDbKey, prefixedDbKey, rowDbKey, SPACE } from '../../../src/state/key-space.js'
import { accounts, counters } from './support.js'

const HEAD = prefixedDbKey(SPACE.meta, Buffer.from('head', 'ascii'))
const open = (backend: MemoryBackend, treeBits?: number) =>
  WorldState.open({ backend, ...(treeBits === undefined ? {} : { treeBits }) })
const rowOf = (key: number) => rowKey(counters, key)
const bytesOf = (value: number) => counters.value.encode(value)

/** A state of ten counters, closed; what is written to its backend then is the disk's doing. */
async function stored(): Promise<MemoryBackend> {
  const backend = new MemoryBackend()
  const world = await open(backend, 6)
  const overlay = world.overlay()
  for (let key = 0; key < 10; key += 1) overlay.set(counters, key, key)
  await world.commit(world.prepare(overlay), { height: 1 })
  return backend
}

async function write(backend: MemoryBackend, change: (batch: StateBatch) => void): Promise<void> {
  const batch = backend.batch()
  change(batch)
  await batch.write()
}

describe('the damage report of a row', () => {
  test('covers changed, missing and never committed rows, but not intact or absent rows', async () => {
    const backend = await stored()
    await write(backend, (batch) => {
      batch.put(rowDbKey(rowOf(3)), bytesOf(99))
      batch.del(rowDbKey(rowOf(4)))
      batch.put(rowDbKey(rowOf(50)), bytesOf(50))
    })
    const world = await open(backend)
    const damage = (key: number) => {
      const found = rowDamage(world, rowOf(key))
      return found && [found.stored, found.recordedHash === undefined]
    }
    expect([damage(3), damage(4), damage(50)]).toEqual([
      [bytesOf(99), false],
      [undefined, false],
      [bytesOf(50), true],
    ])
    expect([damage(2), damage(51)]).toEqual([undefined, undefined])
    // Those that are stored, in the order of their keys, as many as were asked for.
    const rows = async (limit: number) => (await damagedRows(world, limit)).map(({ row }) => row)
    expect(await rows(10)).toEqual([rowOf(3), rowOf(50)])
    expect(await rows(2)).toEqual([rowOf(3), rowOf(50)])
    expect(await rows(1)).toEqual([rowOf(3)])
  })
})

describe('a comparison of two databases', () => {
  test('reports rows in only one of them and different values, up to a limit', async () => {
    const [left, right] = [await stored(), await stored()]
    expect(await differingRows(left, right, 10)).toEqual([])
    await write(left, (batch) => {
      batch.put(rowDbKey(rowOf(5)), bytesOf(55))
      batch.del(rowDbKey(rowOf(2)))
      batch.put(rowDbKey(rowOf(60)), bytesOf(60))
      batch.put(rowDbKey(rowOf(61)), bytesOf(61))
    })
    const expected = [
      { row: rowOf(2), left: undefined, right: bytesOf(2) },
      { row: rowOf(5), left: bytesOf(55), right: bytesOf(5) },
      { row: rowOf(60), left: bytesOf(60), right: undefined },
      { row: rowOf(61), left: bytesOf(61), right: undefined },
    ]
    expect(await differingRows(left, right, 10)).toEqual(expected)
    expect(await differingRows(left, right, 3)).toEqual(expected.slice(0, 3))
    const turned = expected.map((one) => ({ row: one.row, left: one.right, right: one.left }))
    expect(await differingRows(right, left, 10)).toEqual(turned)
  })

  test('reports every row if one of them is empty', async () => {
    const full = await stored()
    const sides = [
      await differingRows(full, new MemoryBackend(), 20),
      await differingRows(new MemoryBackend(), full, 20),
    ]
    expect(sides.map((found) => found.map(({ row }) => row))).toEqual(
      Array.from({ length: 2 }, () => Array.from({ length: 10 }, (_, key) => rowOf(key))),
    )
  })
})

describe('a state database', () => {
  test('reports its height and root before it is opened, and neither if it is empty', async () => {
    const backend = await stored()
    const { root } = await open(backend)
    expect(stateHead(backend)).toMatchObject({ height: 1, root })
    expect(stateHead(new MemoryBackend())).toBeUndefined()
  })

  test('is not opened if it has another layout or a truncated head', async () => {
    const head = (await stored()).getSync(HEAD) ?? Buffer.alloc(0)
    for (const bytes of [Buffer.concat([Buffer.of(2), head.subarray(1)]), head.subarray(0, -1), Buffer.alloc(0)]) {
      const backend = await stored()
      await write(backend, (batch) => batch.put(HEAD, bytes))
      await expect(open(backend)).rejects.toThrow(/the state database has layout/)
    }
  })

  test('is not opened if the root of its tree differs from the last commit, or with other tree bits', async () => {
    const backend = await stored()
    await expect(open(backend, 7)).rejects.toMatchObject({ code: 'config_invalid' })
    const head = Buffer.from(backend.getSync(HEAD) ?? Buffer.alloc(0))
    head[head.length - 1] = (head.at(-1) ?? 0) ^ 1
    await write(backend, (batch) => batch.put(HEAD, head))
    await expect(open(backend)).rejects.toMatchObject({
      code: 'storage_corrupt',
      message: expect.stringContaining('state tree of height 1 is corrupt'),
    })
  })

  test.each([
    ['chunk beyond the tree', SPACE.chunk, 1_000_000, 64 * 33],
    ['chunk of another length', SPACE.chunk, 0, 7],
    ['delta of another length', SPACE.delta, 1, 7],
  ])('is not opened if it contains a %s', async (_what, space, number, length) => {
    const backend = await stored()
    await write(backend, (batch) => batch.put(numberedDbKey(space, number), Buffer.alloc(length)))
    await expect(open(backend)).rejects.toMatchObject({
      code: 'storage_corrupt',
      message: expect.stringMatching(/state tree: (chunk|delta) \d+ is corrupt/),
    })
  })

  test('reports the table of a row that does not decode', async () => {
    const backend = await stored()
    await write(backend, (batch) => batch.put(rowDbKey(rowKey(accounts, 'a')), Buffer.of(0xff, 0xff)))
    const world = await open(backend)
    await expect(world.rowRange(accounts, { limit: 10 })).rejects.toThrow(/table accounts: a record .* does not decode/)
    expect(await world.rowRange(counters, { after: 7, limit: 10 })).toEqual([
      { key: 8, value: 8, bytes: 1 },
      { key: 9, value: 9, bytes: 1 },
    ])
    const upTo = async (maxBytes: number) => (await world.rowRange(counters, { limit: 5, maxBytes })).length
    expect([await upTo(0), await upTo(1), await upTo(3), await upTo(9)]).toEqual([1, 2, 4, 5])
  })

  test('that fails a write makes the state unusable, with the original reason', async () => {
    const backend = await stored()
    const world = await open(backend)
    const cause = new Error('disk full')
    const batchOf = backend.batch.bind(backend)
    backend.batch = () => ({ ...batchOf(), write: () => Promise.reject(cause) })
    const commit = (height: number) => world.commit(world.prepare(world.overlay()), { height })
    await expect(commit(2)).rejects.toMatchObject({ message: 'cannot write the state database', cause })
    expect(() => world.prepare(world.overlay())).toThrow('cannot write')
  })

  test('that refuses a batch makes the state unusable, since memory may be partly updated', async () => {
    const backend = await stored()
    const world = await open(backend)
    backend.batch = () => {
      throw new Error('closed')
    }
    await expect(world.commit(world.prepare(world.overlay()), { height: 2 })).rejects.toThrow('cannot switch')
    expect(() => world.prepare(world.overlay())).toThrow('cannot switch')
  })
})
