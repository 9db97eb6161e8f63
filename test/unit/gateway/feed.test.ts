/** Blocks as all readers share them: read once, encoded once, whatever their size. */
import { describe, expect, it, vi } from 'vitest'
import { Feed } from '../../../src/events/feed.js'
import { CACHE_BYTES } from '../../../src/events/limits.js'
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

describe('a block that is larger than all that is kept', () => {
  it('is read and encoded once for those who ask for it one after the other', async () => {
    const { feed, first, read } = await withBlocks(CACHE_BYTES + 1, 1_000, 1_000)
    const [one] = await feed.from(first)
    const [again] = await feed.from(first)
    expect([again, read.mock.calls.length]).toEqual([one, 1])
    expect(again?.storedBytes('binary')).toBe(one?.storedBytes('binary'))
  })

  it('makes room for what is asked for next', async () => {
    const { feed, first, read } = await withBlocks(CACHE_BYTES + 1, CACHE_BYTES + 1)
    for (const height of [first, first + 1, first + 1]) await feed.from(height)
    expect(read.mock.calls.length).toBe(2)
    await feed.from(first)
    expect(read.mock.calls.length).toBe(3)
  })
})
