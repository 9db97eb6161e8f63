// Checks pruning of the block store: what goes, what stays, crashes at each step, damage of the mark.
import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BlockStore, type BlockStoreOptions } from '../../../src/storage/index.js'
import { copyOf, fill, seeded, temporary } from './support.js'

const lanes = [
  { id: 0, alias: 'default' },
  { id: 1, alias: 'fast' },
]
/** Some blocks to a segment. */
const options: BlockStoreOptions = { lanes, segmentMaxBytes: 250 }

async function filled(seed: number) {
  const folder = await temporary()
  const store = await BlockStore.open(folder, options)
  return { folder, store, blocks: await fill(store, seeded(seed), 60, 2) }
}
const heldOf = async (store: BlockStore): Promise<number[]> => {
  const heights = Array.from({ length: store.height }, (_, at) => at + 1)
  const held = await Promise.all(
    heights.map(async (height) => {
      const [block, outcome] = [await store.read(height), await store.readOutcome(height)]
      expect(block === undefined, `block ${height} and its results go together`).toBe(outcome === undefined)
      return block !== undefined
    }),
  )
  return heights.filter((_, at) => held[at])
}
const from = (first: number, last: number) => [1, ...Array.from({ length: last - first + 1 }, (_, at) => first + at)]
const segmentsOf = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes('segment_')).sort()

test('pruned blocks are removed permanently; genesis, headers and later blocks are unchanged', async () => {
  const { folder, store, blocks } = await filled(1)
  const before = await segmentsOf(folder)
  store.hideBelow(41)
  expect([store.firstHeight, store.firstWhole(1), store.firstWhole(2), store.firstWhole(50)]).toEqual([41, 1, 41, 50])
  await store.dropHidden()
  for (const open of [store, undefined]) {
    if (open === undefined) await store.close()
    const looked = open ?? (await BlockStore.open(folder, options))
    expect(looked.firstHeight).toBe(41)
    expect(await heldOf(looked)).toEqual(from(41, 60))
    for (const { header, body, outcome, hash } of blocks) {
      expect(await looked.readHeader(header.height)).toEqual(header)
      expect(looked.heightOf(hash)).toBe(header.height)
      const read = await looked.read(header.height)
      if (read !== undefined) expect(Buffer.compare(read.body, body)).toBe(0)
      if (read !== undefined) expect(Buffer.compare((await looked.readOutcome(header.height))!, outcome)).toBe(0)
    }
    if (open === undefined) await looked.close()
  }
  const after = await segmentsOf(folder)
  expect(after.length).toBeLessThan(before.length / 2)
  expect(before).toEqual(expect.arrayContaining(after))
  // The first segment of results has those of genesis alone.
  const { size } = await stat(join(folder, 'blocks', 'outcomes', 'segment_000000.dat'))
  expect(size).toBe(blocks[0]!.outcome.length)
})

test('a pruned store accepts further blocks, and can be pruned again', async () => {
  const { folder, store, blocks } = await filled(2)
  store.hideBelow(30)
  await store.dropHidden()
  const more = await fill(store, seeded(3), 20, 2, blocks)
  store.hideBelow(75)
  await store.dropHidden()
  expect(await heldOf(store)).toEqual(from(75, 80))
  await store.close()
  const again = await BlockStore.open(folder, options)
  expect(await heldOf(again)).toEqual(from(75, 80))
  expect(Buffer.compare((await again.read(80))!.body, more[79]!.body)).toBe(0)
  await again.close()
})

test('blocks that were hidden but not yet dropped are available again after a restart', async () => {
  const { folder, store } = await filled(4)
  store.hideBelow(20)
  expect(await heldOf(store)).toEqual(from(20, 60))
  await store.close()
  const again = await BlockStore.open(folder, options)
  expect([again.firstHeight, (await heldOf(again)).length]).toEqual([1, 60])
  await again.close()
})

test('a store opens after a crash between the pruning mark and the files, and the next run frees the rest', async () => {
  const { folder, store } = await filled(5)
  const whole = await copyOf(folder)
  store.hideBelow(40)
  await store.dropHidden()
  await store.close()
  const kept = new Set(await segmentsOf(folder))
  const gone = (await segmentsOf(whole)).filter((name) => !kept.has(name))
  expect(gone.length).toBeGreaterThan(3)
  // Each of the files may have gone before the crash, or not.
  for (let step = 0; step <= gone.length; step += 1) {
    const crashed = await copyOf(whole)
    await writeFile(join(crashed, 'blocks', 'first_height'), '40\n')
    for (const name of gone.slice(0, step)) await rm(join(crashed, name))
    const again = await BlockStore.open(crashed, options)
    expect(await heldOf(again)).toEqual(from(40, 60))
    await again.dropHidden()
    expect(await segmentsOf(crashed)).toEqual([...kept].sort())
    await again.close()
  }
})

test('reads in progress during pruning return no blocks instead of an error', async () => {
  const { store } = await filled(6)
  const reads = Array.from({ length: 38 }, (_, at) => [store.read(at + 2), store.readOutcome(at + 2)]).flat()
  store.hideBelow(40)
  await Promise.all([store.dropHidden(), ...reads])
  expect(await heldOf(store)).toEqual(from(40, 60))
  await store.close()
})

test.each([
  ['nothing', ''],
  ['a text that is not a number', 'x\n'],
  ['a height above the tip', '61\n'],
  ['genesis', '1\n'],
])('a pruning mark of %s is reported as corrupt, and nothing is changed', async (_, text) => {
  const { folder, store } = await filled(7)
  await store.close()
  await writeFile(join(folder, 'blocks', 'first_height'), text)
  const before = await segmentsOf(folder)
  await expect(BlockStore.open(folder, options)).rejects.toMatchObject({ code: 'storage_corrupt' })
  expect(await segmentsOf(folder)).toEqual(before)
})

test('the last block is never hidden', async () => {
  const { store } = await filled(8)
  expect(() => store.hideBelow(61)).toThrow('the last or above')
  await store.close()
})

test('corruption of a block that was not pruned is still reported', async () => {
  const { folder, store } = await filled(9)
  store.hideBelow(40)
  await store.dropHidden()
  await store.close()
  const outcomes = join(folder, 'blocks', 'outcomes')
  const [, kept] = (await readdir(outcomes)).sort()
  await truncate(join(outcomes, kept as string), 0)
  const again = await BlockStore.open(folder, options)
  const reads = await Promise.allSettled(Array.from({ length: 21 }, (_, at) => again.readOutcome(at + 40)))
  expect(reads.some(({ status }) => status === 'rejected')).toBe(true)
  await again.close()
})
