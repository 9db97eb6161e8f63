// Checks what becomes of lane files when a catalogue changes and the process dies at any step of it, twice in a row.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LedgerError } from '../../../src/model/index.js'
import { arrangeLanes, type LaneName, laneFolderName, mergeLogName } from '../../../src/storage/lane-folders.js'
import { copyOf, filesBelow, temporary } from './support.js'

const BEFORE: readonly LaneName[] = [
  { id: 0, alias: 'default' },
  { id: 1, alias: 'one' },
  { id: 2, alias: 'two' },
  { id: 4, alias: 'four' },
]
/** Lane 0 is relabelled, 1 and 2 change their aliases with each other, 3 is new, 4 is retired. */
const AFTER: readonly LaneName[] = [
  { id: 0, alias: 'main' },
  { id: 1, alias: 'two' },
  { id: 2, alias: 'one' },
  { id: 3, alias: 'three' },
]
const HOLDING = BEFORE.map((lane) => lane.id)

class Crash extends Error {}
/** Dies at the given passage of a step. */
const dyingAt = (passage: number) => {
  let left = passage
  return () => {
    if (left === 0) throw new Crash()
    left -= 1
  }
}

/** The files of four lanes, each with its own content. */
async function populated(): Promise<string> {
  const folder = await temporary()
  await arrangeLanes(folder, { lanes: BEFORE, inUse: [] })
  for (const lane of BEFORE) {
    await writeFile(join(folder, 'blocks', laneFolderName(lane), 'segment_000000.dat'), `records of lane ${lane.id}`)
    await writeFile(join(folder, 'merge_ledger', mergeLogName(lane)), `order of lane ${lane.id}`)
  }
  return folder
}

async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of await filesBelow(folder)) found[name] = await readFile(join(folder, name), 'utf8')
  return found
}

/** Runs the change and dies at a step; false when it came to its end before. */
async function diesAt(folder: string, passage: number, lanes = AFTER): Promise<boolean> {
  try {
    await arrangeLanes(folder, { lanes, inUse: HOLDING, onStep: dyingAt(passage) })
    return false
  } catch (error) {
    if (error instanceof Crash) return true
    throw error
  }
}

const refusalOf = async (run: Promise<unknown>) => {
  const error = await run.then(() => undefined).catch((fault: unknown) => fault)
  return error instanceof LedgerError ? [error.code, error.details?.reason] : error
}

it('two crashes in a row at any steps lead to the files of the new lane catalogue, also with swapped aliases', async () => {
  const start = await populated()
  const whole = await copyOf(start)
  await arrangeLanes(whole, { lanes: AFTER, inUse: HOLDING })
  const expected = await contents(whole)
  expect(expected).toEqual({
    'blocks/lane_000_main/segment_000000.dat': 'records of lane 0',
    'blocks/lane_001_two/segment_000000.dat': 'records of lane 1',
    'blocks/lane_002_one/segment_000000.dat': 'records of lane 2',
    'merge_ledger/lane_000_main_merge.log': 'order of lane 0',
    'merge_ledger/lane_001_two_merge.log': 'order of lane 1',
    'merge_ledger/lane_002_one_merge.log': 'order of lane 2',
    'retired/blocks/lane_004_four/segment_000000.dat': 'records of lane 4',
    'retired/merge_ledger/lane_004_four_merge.log': 'order of lane 4',
  })
  let deaths = 0
  for (let first = 0; ; first += 1) {
    const once = await copyOf(start)
    if (!(await diesAt(once, first))) break
    for (let second = 0; ; second += 1) {
      const twice = await copyOf(once)
      if (!(await diesAt(twice, second))) {
        expect(await contents(twice)).toEqual(expected)
        break
      }
      deaths += 1
      const paths = await arrangeLanes(twice, { lanes: AFTER, inUse: HOLDING })
      expect(await contents(twice)).toEqual(expected)
      expect([...paths].filter(([, path]) => path.active).map(([id]) => id)).toEqual([0, 1, 2, 3])
    }
  }
  // Four lanes move twice, one is made: nine steps, each with a place before and a place after.
  expect(deaths).toBeGreaterThanOrEqual(81)
})

it('a crash during the change to a lane catalogue that is then replaced leads to the later catalogue', async () => {
  const start = await populated()
  const back = await copyOf(start)
  const expected = await contents(start)
  for (let passage = 0; await diesAt(back, passage); passage += 3) {
    await arrangeLanes(back, { lanes: BEFORE, inUse: HOLDING })
    expect(await contents(back)).toEqual(expected)
  }
})

it('lane files stay in place without a lane catalogue', async () => {
  const folder = await populated()
  const before = await contents(folder)
  const paths = await arrangeLanes(folder, { lanes: undefined, inUse: HOLDING })
  expect(await contents(folder)).toEqual(before)
  expect([...paths.values()].some((path) => path.active)).toBe(false)
})

it('a lane with two folders, or without files, is reported before any file is moved', async () => {
  const folder = await populated()
  const two = await copyOf(folder)
  await mkdir(join(two, 'retired', 'blocks', 'lane_002_old'), { recursive: true })
  const before = await contents(two)
  expect(await refusalOf(arrangeLanes(two, { lanes: AFTER, inUse: HOLDING }))).toEqual([
    'storage_corrupt',
    'lane_dir_conflict',
  ])
  expect(await contents(two)).toEqual(before)
  for (const gone of [join('blocks', 'lane_001_one'), join('merge_ledger', 'lane_001_one_merge.log')]) {
    const none = await copyOf(folder)
    await rm(join(none, gone), { recursive: true })
    expect(await refusalOf(arrangeLanes(none, { lanes: AFTER, inUse: HOLDING }))).toEqual([
      'storage_corrupt',
      'lane_segment_missing',
    ])
  }
})
