// Checks the state on disk: far more accounts than the cache holds, bounded memory, restart; and the store itself.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  LevelBackend,
  MemoryBackend,
  rowKey,
  rowKeyBytes,
  verifyStateProof,
  WorldState,
} from '../../../src/state/index.js'
import { accounts, seeded } from '../../unit/state/support.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-state-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('both stores return the same results', async () => {
  const level = await LevelBackend.open(join(folder, 'alike', 'nested'))
  const memory = new MemoryBackend()
  const random = seeded(5)
  for (let round = 0; round < 20; round += 1) {
    const batches = [level.batch(), memory.batch()]
    for (let at = 0; at < 30; at += 1) {
      const key = Buffer.from([random(4), random(256)])
      const value = Buffer.from(`value ${random(1000)}`)
      const remove = random(4) === 0
      for (const batch of batches) {
        if (remove) batch.del(key)
        else batch.put(key, value)
      }
    }
    await Promise.all(batches.map((batch) => batch.write()))
  }
  for (const range of [
    { gte: Buffer.alloc(0) },
    { gte: Buffer.of(1), lt: Buffer.of(2) },
    { gte: Buffer.of(1), lt: Buffer.of(3), reverse: true, limit: 5 },
    { gte: Buffer.of(9) },
  ]) {
    const found: (readonly [Buffer, Buffer])[][] = [[], []]
    for await (const entry of level.range(range)) found[0]!.push([Buffer.from(entry[0]), Buffer.from(entry[1])])
    for await (const entry of memory.range(range)) found[1]!.push(entry)
    expect(found[0]).toEqual(found[1])
  }
  for (let first = 0; first < 4; first += 1) {
    for (let second = 0; second < 256; second += 1) {
      const key = Buffer.from([first, second])
      expect(level.getSync(key)).toEqual(memory.getSync(key))
    }
  }
  await level.close()
})

test('200,000 accounts are read correctly through a cache of 4 MiB', async () => {
  const COUNT = 200_000
  const BLOCK = 10_000
  const CACHE = 4 * 1024 * 1024
  const path = join(folder, 'large')
  const nameOf = (at: number) => `account-${at}`
  const balances = new Uint32Array(COUNT)
  let world = await WorldState.open({ backend: await LevelBackend.open(path), cacheBytes: CACHE, treeBits: 16 })
  let height = 0
  for (let from = 0; from < COUNT; from += BLOCK) {
    const overlay = world.overlay()
    for (let at = from; at < from + BLOCK; at += 1) {
      balances[at] = at
      overlay.set(accounts, nameOf(at), { owner: nameOf(at), balance: at })
    }
    height += 1
    await world.commit(world.prepare(overlay), { height })
    expect(world.cachedBytes).toBeLessThanOrEqual(CACHE)
  }

  const random = seeded(1)
  for (let round = 0; round < 5; round += 1) {
    const overlay = world.overlay()
    for (let change = 0; change < 500; change += 1) {
      const from = random(COUNT)
      const to = random(COUNT)
      const amount = Math.min(balances[from]!, 1 + random(50))
      for (const [at, delta] of [
        [from, -amount],
        [to, amount],
      ] as const) {
        const record = overlay.get(accounts, nameOf(at))
        if (record === undefined) throw new Error(`account ${at} is missing`)
        expect(record.balance).toBe(balances[at])
        balances[at] = record.balance + delta
        overlay.set(accounts, nameOf(at), { owner: record.owner, balance: record.balance + delta })
      }
    }
    height += 1
    await world.commit(world.prepare(overlay), { height })
    expect(world.cachedBytes).toBeLessThanOrEqual(CACHE)
  }

  const root = world.root
  await world.close()
  world = await WorldState.open({ backend: await LevelBackend.open(path), cacheBytes: CACHE })
  expect([world.height, world.root]).toEqual([height, root])
  for (let probe = 0; probe < 5000; probe += 1) {
    const at = random(COUNT)
    expect(world.reader.get(accounts, nameOf(at))).toEqual({ owner: nameOf(at), balance: balances[at] })
    expect(world.reader.has(accounts, nameOf(COUNT + at))).toBe(false)
  }
  expect(world.cachedBytes).toBeLessThanOrEqual(CACHE)
  for (const name of [nameOf(17), nameOf(COUNT + 17)]) {
    const row = rowKey(accounts, name)
    const { bytes, proof } = world.prove(row)
    expect(bytes === undefined).toBe(name === nameOf(COUNT + 17))
    expect(verifyStateProof(world.root, rowKeyBytes(row), bytes, proof)).toBe(true)
  }
  await world.close()
})
