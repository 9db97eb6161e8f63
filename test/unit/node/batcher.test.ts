// Batches grow with the load, and who goes first waits for no others, without shutting them out.
import { describe, expect, it } from 'vitest'
import { Batcher } from '../../../src/node/admission/batcher.js'
import { pause } from '../../support/ports.js'

/** A batcher of four whose batches end when they are told to. */
function held() {
  const batches: string[][] = []
  const ends: (() => void)[] = []
  const batcher = new Batcher<string, string>({
    sizeMax: 4,
    waitMs: 0,
    busyWaitMs: () => 0,
    run: (items) => {
      batches.push([...items])
      return new Promise((resolve) => ends.push(() => resolve(items.map((item) => item.toUpperCase()))))
    },
  })
  const end = async (): Promise<void> => {
    ends.shift()?.()
    await pause(5)
  }
  return { batcher, batches, end }
}

describe('a batcher', () => {
  it('returns the result of each item to its caller, for any batches and order', async () => {
    const { batcher, end } = held()
    const answers = ['a', 'b', 'c', 'd', 'e', 'f'].map((item, index) => batcher.add(item, index % 2 === 1))
    await end()
    await end()
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E', 'F'])
  })

  it('runs urgent items first, but reserves half of a batch for other items', async () => {
    const { batcher, batches, end } = held()
    for (const item of ['a', 'b', 'c', 'd']) void batcher.add(item)
    for (const item of ['e', 'f', 'g', 'h', 'i']) void batcher.add(item)
    expect(batcher.size).toBe(5)
    for (const item of ['1', '2', '3', '4']) void batcher.add(item, true)
    expect(batcher.size).toBe(5)
    for (let round = 0; round < 4; round += 1) await end()
    expect(batches).toEqual([['a', 'b', 'c', 'd'], ['1', '2', 'e', 'f'], ['3', '4', 'g', 'h'], ['i']])
  })

  it('fills a whole batch with urgent items if no other items are waiting', async () => {
    const { batcher, batches, end } = held()
    for (const item of ['1', '2', '3', '4', '5']) void batcher.add(item, true)
    await end()
    await end()
    expect(batches).toEqual([['1', '2', '3', '4'], ['5']])
  })

  it('fails all items of a failed batch, and continues', async () => {
    let fails = true
    const run = async (items: readonly string[]): Promise<string[]> => {
      if (fails) throw new Error('no thread')
      return [...items]
    }
    const batcher = new Batcher<string, string>({ sizeMax: 4, waitMs: 0, busyWaitMs: () => 0, run })
    const answers = await Promise.allSettled([batcher.add('a'), batcher.add('b', true)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    expect(await batcher.add('c')).toBe('c')
  })

  it('limits a batch by the total size of its items, keeps their order, and accepts a single larger item', async () => {
    const batches: string[][] = []
    const batcher = new Batcher<string, string>({
      sizeMax: 10,
      sizeOf: (item) => item.length,
      waitMs: 0,
      busyWaitMs: () => 0,
      run: async (items) => {
        batches.push([...items])
        return items
      },
    })
    const items = ['aaaa', 'bbbb', 'cccc', 'd'.repeat(30), 'ee', 'ff']
    expect(await Promise.all(items.map((item) => batcher.add(item)))).toEqual(items)
    expect(batches.slice(1)).toEqual([['cccc'], ['d'.repeat(30)], ['ee', 'ff']])
    expect(batches[0]).toEqual(['aaaa', 'bbbb'])
  })
})
