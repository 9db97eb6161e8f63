/** Blocks as all readers share them: read once, encoded once, whatever their size. */
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { Feed } from '../../../src/events/feed.js'
import { CACHE_BYTES, READ_BLOCKS } from '../../../src/events/limits.js'
import { WALKS_AT_ONCE, Walks } from '../../../src/events/walks.js'
import { blockAt, moved } from './fake-chain.js'
import { CODEC, FakeNode } from './support.js'

/** A node with blocks after its first ones, of these sizes; and the height of the first of them. */
async function withBlocks(...sizes: readonly number[]) {
  const node = new FakeNode()
  const first = node.services.height() + 1
  for (const [at, size] of sizes.entries()) {
    const stored = await blockAt(first + at, [[moved(1n)]])
    node.commit({ ...stored, block: { ...stored.block, body: Buffer.alloc(size, 1) } })
  }
  const read = vi.spyOn(node.services.history, 'read')
  return { feed: new Feed(node.services.history, CODEC), first, read }
}

describe('a block larger than the cache', () => {
  it('is read and encoded once for consecutive readers', async () => {
    const { feed, first, read } = await withBlocks(CACHE_BYTES + 1, 1_000, 1_000)
    const [one] = await feed.from(first)
    const [again] = await feed.from(first)
    expect([again, read.mock.calls.length]).toEqual([one, 1])
    expect(again?.storedBytes('binary')).toBe(one?.storedBytes('binary'))
  })

  it('is evicted when the next block is read', async () => {
    const { feed, first, read } = await withBlocks(CACHE_BYTES + 1, CACHE_BYTES + 1)
    for (const height of [first, first + 1, first + 1]) await feed.from(height)
    expect(read.mock.calls.length).toBe(2)
    await feed.from(first)
    expect(read.mock.calls.length).toBe(3)
  })
})

describe('readers of old blocks at different heights', () => {
  it('are served a few at a time, which bounds memory and main-thread work', async () => {
    const readers = 10
    const { feed, first, read } = await withBlocks(...Array.from({ length: readers * READ_BLOCKS }, () => 100))
    const walks = new Walks()
    let shown = 0
    const show = (): boolean => {
      shown += 1
      return true
    }
    const all = Array.from({ length: readers }, (_, at) => walks.take(() => feed.walk(first + at * READ_BLOCKS, show)))
    await turn()
    await turn()
    expect(read.mock.calls.length).toBe(WALKS_AT_ONCE)
    const before = shown
    await turn()
    expect(shown - before).toBeLessThanOrEqual(WALKS_AT_ONCE)
    await Promise.all(all)
    expect(shown).toBe(readers * READ_BLOCKS)
  })

  it('release their slot when they are done or when one fails', async () => {
    const { feed, first } = await withBlocks(...Array.from({ length: READ_BLOCKS }, () => 100))
    const walks = new Walks()
    for (let round = 0; round <= WALKS_AT_ONCE; round += 1) {
      const failing = walks.take(() => feed.walk(first, () => Promise.reject(new Error('gone'))))
      await expect(failing).rejects.toThrow('gone')
      let shown = 0
      await walks.take(() => feed.walk(first, () => ++shown < 2))
      expect(shown).toBe(2)
    }
  })
})
