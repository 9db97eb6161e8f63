// Checks the block store: exact reads, crashes at every step and byte, damage that is named, lane files that move.
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashOfHeader, LedgerError } from '../../../src/model/index.js'
import { BlockStore, type BlockStoreOptions, decodeMergeEntry, laneSlug } from '../../../src/storage/index.js'
import { BLOCK_CACHE_COUNT, HEADERS_READ_MAX_BYTES } from '../../../src/storage/limits.js'
import {
  copyOf,
  cut,
  filesBelow,
  fill,
  flip,
  sampleBlock,
  sampleCertificate,
  sampleHeader,
  seeded,
  temporary,
} from './support.js'

const LANES = [
  { id: 0, alias: 'default' },
  { id: 1, alias: 'Fast Lane!' },
  { id: 12, alias: '***' },
]
/** Lane numbers of sample blocks are 0 to n-1. */
const THREE = [LANES[0], LANES[1], { id: 2, alias: 'third' }] as typeof LANES
const options: BlockStoreOptions = { lanes: THREE }

type Blocks = Awaited<ReturnType<typeof fill>>

async function expectBlocks(store: BlockStore, blocks: Blocks): Promise<void> {
  expect(store.height).toBe(blocks.length)
  for (const block of blocks) {
    const { height } = block.header
    const read = await store.read(height)
    expect(Buffer.from(read?.body ?? []).equals(Buffer.from(block.body))).toBe(true)
    expect(read?.header).toEqual(block.header)
    expect(read?.certificate).toEqual(block.certificate)
    expect(Buffer.from((await store.readOutcome(height)) ?? []).equals(Buffer.from(block.outcome))).toBe(true)
    expect(store.heightOf(block.hash)).toBe(height)
    expect(store.hashAt(height)).toEqual(block.hash)
  }
  expect(await store.read(blocks.length + 1)).toBeUndefined()
}

async function reopened(folder: string, blocks: Blocks): Promise<void> {
  const store = await BlockStore.open(folder, options)
  await expectBlocks(store, blocks)
  await store.close()
}

async function refusal(run: Promise<unknown>): Promise<LedgerError> {
  const error = await run.then(() => undefined).catch((fault: unknown) => fault)
  if (!(error instanceof LedgerError)) throw new Error(`no refusal: ${String(error)}`)
  return error
}

/** Lengths at which a file is torn: every one near the borders, every seventh between. */
const lengths = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at).filter(
    (length) => length < from + 24 || length > to - 24 || (length - from) % 7 === 0,
  )

test('blocks are read back byte for byte, before and after a restart', async () => {
  const folder = await temporary()
  const random = seeded(1)
  const store = await BlockStore.open(folder, options)
  expect([store.height, await store.read(0), await store.read(1), store.heightOf(Buffer.alloc(32))]).toEqual([
    0,
    undefined,
    undefined,
    undefined,
  ])
  const blocks = await fill(store, random, 40, 3)
  await expectBlocks(store, blocks)
  expect(await store.readCertificate(1)).toBeUndefined()
  expect(await store.readCertificate(7)).toEqual({ header: blocks[6]?.header, certificate: blocks[6]?.certificate })
  const certificates = blocks.slice(1).map(({ header, certificate }) => ({ header, certificate }))
  expect(await store.readCertificates(2, 10)).toEqual(certificates.slice(0, 10))
  expect(await store.readCertificates(39, 10)).toEqual(certificates.slice(-2))
  expect([await store.readCertificates(41, 10), await store.readCertificates(5, 0)]).toEqual([[], []])
  expect(await store.readHeader(40)).toEqual(blocks[39]?.header)
  await store.close()
  await reopened(folder, blocks)
  expect(await readdir(join(folder, 'blocks'))).toEqual(
    expect.arrayContaining(['headers.log', 'lane_000_default', 'lane_001_fast_lane', 'lane_002_third']),
  )
})

test('lane files contain only signed records, and merge logs their order', async () => {
  const folder = await temporary()
  const store = await BlockStore.open(folder, options)
  const blocks = await fill(store, seeded(2), 6, 3)
  await store.close()
  for (const [lane, name] of ['lane_000_default', 'lane_001_fast_lane', 'lane_002_third'].entries()) {
    const expected = blocks.flatMap((block) =>
      block.entries.filter((entry) => entry.lane === lane).map((entry) => block.body.subarray(entry.start, entry.end)),
    )
    const payload = await readFile(join(folder, 'blocks', name, 'segment_000000.dat'))
    expect(payload.equals(Buffer.concat(expected))).toBe(true)
    let log = await readFile(join(folder, 'merge_ledger', `${name}_merge.log`))
    let at = 0
    for (const block of blocks) {
      const pieces = block.entries.flatMap((entry, position) =>
        entry.lane === lane ? [{ position, bytes: entry.end - entry.start }] : [],
      )
      if (pieces.length === 0) continue
      const read = decodeMergeEntry(log)
      expect(read?.entry).toEqual({ height: block.header.height, start: { segment: 0, offset: at }, pieces })
      at += pieces.reduce((sum, piece) => sum + piece.bytes, 0)
      log = log.subarray(read?.length)
    }
    expect(log.length).toBe(0)
  }
})

test('a store with every file torn inside the last block opens at that block or the previous one', async () => {
  const folder = await temporary()
  const random = seeded(3)
  const store = await BlockStore.open(folder, options)
  const blocks = await fill(store, random, 5, 3)
  await store.close()
  const before = new Map<string, number>()
  for (const name of await filesBelow(folder)) before.set(name, (await stat(join(folder, name))).size)
  const next = await BlockStore.open(folder, options)
  const block = { ...sampleBlock(random, { height: 5, hash: blocks[4]?.hash as Buffer }, 3, 30) }
  expect(new Set(block.entries.map((entry) => entry.lane)).size).toBe(3)
  await next.append(block)
  await next.close()

  const headers = join('blocks', 'headers.log')
  const index = join('blocks', 'headers.idx')
  const full = new Map<string, Buffer>()
  for (const name of await filesBelow(folder)) full.set(name, await readFile(join(folder, name)))
  /** The files as after the last block, but for some of them. */
  const restore = async (changed: Record<string, Buffer>) => {
    await Promise.all([...full].map(([name, bytes]) => writeFile(join(folder, name), changed[name] ?? bytes)))
  }
  const was = (name: string) => full.get(name)?.subarray(0, before.get(name) ?? 0) as Buffer
  const expectHeight = async (height: number) => {
    const again = await BlockStore.open(folder, options)
    expect(again.height).toBe(height)
    for (const at of [5, 6]) {
      const body = (await again.read(at))?.body
      expect(body).toEqual(at > height ? undefined : [...blocks, block][at - 1]?.body)
    }
    await again.close()
  }
  // The header record is the commit point: with it torn, and the index not yet written, the block is not there.
  const record = full.get(headers) as Buffer
  for (const length of lengths(was(headers).length, record.length)) {
    await restore({ [index]: was(index), [headers]: record.subarray(0, length) })
    await expectHeight(length < record.length ? 5 : 6)
    if (length === record.length) continue
    for (const [name, size] of before) expect((await stat(join(folder, name))).size).toBe(size)
  }
  // Before the commit point any other file may have any length, and the block can be written again.
  for (const [name, bytes] of full) {
    if (name === headers || name === index) continue
    for (const length of lengths(was(name).length, bytes.length)) {
      await restore({ [index]: was(index), [headers]: was(headers), [name]: bytes.subarray(0, length) })
      await expectHeight(5)
    }
    const again = await BlockStore.open(folder, options)
    await again.append(block)
    await again.close()
    await reopened(folder, [...blocks, block])
  }
  // The index is derived: any part of it may be lost.
  const entries = full.get(index) as Buffer
  for (let length = 0; length <= entries.length; length += 7) {
    await restore({ [index]: entries.subarray(0, length) })
    await expectHeight(6)
  }
  for (let offset = 0; offset < entries.length; offset += 7) {
    await restore({})
    await flip(join(folder, index), offset)
    await expectHeight(6)
  }
  await reopened(folder, [...blocks, block])
})

test('a crash after each step leaves the block complete or absent', async () => {
  const folder = await temporary()
  const copies: { step: string; height: number; copy: string }[] = []
  const store = await BlockStore.open(folder, {
    ...options,
    onStep: async (step, height) => {
      copies.push({ step, height, copy: await copyOf(folder) })
    },
  })
  const random = seeded(4)
  const blocks = await fill(store, random, 6, 3)
  await store.close()
  expect(copies.length).toBe(12)
  for (const { step, height, copy } of copies) {
    const kept = blocks.slice(0, step === 'payload' ? height - 1 : height)
    const again = await BlockStore.open(copy, options)
    await expectBlocks(again, kept)
    const more = await fill(again, random, 2, 3, kept)
    await again.close()
    await reopened(copy, more)
  }
})

test('corruption in the middle is reported by height and file', async () => {
  const folder = await temporary()
  const store = await BlockStore.open(folder, options)
  const blocks = await fill(store, seeded(5), 8, 3)
  await store.close()
  const victim = blocks.findIndex((block) => block.entries.some((one) => one.lane === 0 && one.end > one.start)) + 1
  const cases = [
    [join('blocks', 'lane_000_default', 'segment_000000.dat'), 0, victim],
    [join('merge_ledger', 'lane_000_default_merge.log'), 3, victim],
    [join('blocks', 'headers.log'), 40, 1],
  ] as const
  for (const [name, offset, height] of cases) {
    const copy = await copyOf(folder)
    await flip(join(copy, name), offset)
    const damaged = await BlockStore.open(copy, options)
    const error = await refusal(damaged.read(height))
    expect([error.code, error.details?.height]).toEqual(['storage_corrupt', height])
    expect(error.message).toContain(name)
    const sound = blocks.length
    expect(Buffer.from((await damaged.read(sound))?.body ?? [])).toEqual(Buffer.from(blocks.at(-1)?.body ?? []))
    await damaged.close()
  }
})

test('a single corrupt header is reported if several headers are read together', async () => {
  const folder = await temporary()
  const store = await BlockStore.open(folder, options)
  const blocks = await fill(store, seeded(6), 12, 3)
  const headers = join(folder, 'blocks', 'headers.log')
  await flip(headers, (await stat(headers)).size >> 1)
  const error = await refusal(store.readCertificates(2, 11))
  const height = error.details?.height as number
  expect([error.code, height > 2 && height < 12]).toEqual(['storage_corrupt', true])
  const before = blocks.slice(1, height - 1).map(({ header, certificate }) => ({ header, certificate }))
  expect(await store.readCertificates(2, height - 2)).toEqual(before)
  expect(await store.readCertificates(height + 1, 1)).toHaveLength(1)
  await store.close()
})

test('headers of blocks with large bodies are read in several steps', async () => {
  const folder = await temporary()
  const store = await BlockStore.open(folder, options)
  const blocks = await fill(store, seeded(7), 2, 3)
  let last = blocks.at(-1)!
  for (let height = 3; height <= 6; height += 1) {
    const body = Buffer.alloc(HEADERS_READ_MAX_BYTES / 2 - 1_000, height)
    const header = sampleHeader(height, last.hash, body)
    const hash = hashOfHeader(header)
    last = { header, certificate: sampleCertificate(height, hash), body, entries: [], outcome: Buffer.alloc(0), hash }
    await store.append(last)
  }
  const read = async (from: number): Promise<number[]> =>
    (await store.readCertificates(from, 10)).map(({ header }) => header.height)
  expect([await read(2), await read(4), await read(6)]).toEqual([[2, 3, 4], [4, 5], [6]])
  await store.close()
})

test('a block store with missing committed bytes does not open, and truncates nothing', async () => {
  const folder = await temporary()
  const store = await BlockStore.open(folder, options)
  await fill(store, seeded(6), 8, 3)
  await store.close()
  const index = join('blocks', 'headers.idx')
  const headers = join('blocks', 'headers.log')
  const size = async (name: string) => (await stat(join(folder, name))).size
  const damages: ((copy: string) => Promise<unknown>)[] = [
    async (copy) => cut(join(copy, headers), (await size(headers)) - 1),
    async (copy) => flip(join(copy, headers), (await size(headers)) - 1),
    async (copy) => {
      await rm(join(copy, index))
      await flip(join(copy, headers), 100)
    },
    async (copy) => {
      await rm(join(copy, index))
      await cut(join(copy, headers), 200)
    },
    (copy) => rm(join(copy, headers)),
    async (copy) => {
      await rm(join(copy, index))
      await rm(join(copy, headers))
    },
    (copy) => rm(join(copy, 'merge_ledger', 'lane_000_default_merge.log')),
    (copy) => rm(join(copy, 'blocks', 'lane_001_fast_lane'), { recursive: true }),
    (copy) => cut(join(copy, 'blocks', 'outcomes', 'segment_000000.dat'), 1),
  ]
  for (const damage of damages) {
    const copy = await copyOf(folder)
    await damage(copy)
    const left = await Promise.all(
      (await filesBelow(copy)).map(async (name) => [name, (await stat(join(copy, name))).size]),
    )
    expect((await refusal(BlockStore.open(copy, options))).code).toBe('storage_corrupt')
    const after = await Promise.all(left.map(async ([name]) => [name, (await stat(join(copy, String(name)))).size]))
    // A torn record is cut off, committed payload never.
    const kept = (list: unknown[][]) => list.filter(([name]) => name !== index && name !== headers)
    expect(kept(after)).toEqual(kept(left))
  }
})

test('lanes can be renamed, retired and restored without a change of the block order', async () => {
  const folder = await temporary()
  const random = seeded(7)
  const store = await BlockStore.open(folder, options)
  let blocks = await fill(store, random, 6, 3)
  await store.setLanes([
    { id: 0, alias: 'main' },
    { id: 1, alias: 'fast lane' },
  ])
  expect(await readdir(join(folder, 'retired', 'blocks'))).toEqual(['lane_002_third'])
  expect(await readdir(join(folder, 'retired', 'merge_ledger'))).toEqual(['lane_002_third_merge.log'])
  blocks = await fill(store, random, 4, 2, blocks)
  await expectBlocks(store, blocks)
  const stray = sampleBlock(random, { height: 10, hash: blocks[9]?.hash as Buffer }, 1, 0)
  await expect(store.append({ ...stray, entries: [{ lane: 2, start: 0, end: 0 }] })).rejects.toThrow('lane 2')
  await store.close()
  // A crash between the two renames of a lane is repaired on open.
  await rename(
    join(folder, 'retired', 'merge_ledger', 'lane_002_third_merge.log'),
    join(folder, 'merge_ledger', 'lane_002_other_merge.log'),
  )
  const back = await BlockStore.open(folder, { lanes: [...THREE.slice(0, 2), { id: 2, alias: 'again' }] })
  await expectBlocks(back, blocks)
  blocks = await fill(back, random, 4, 3, blocks)
  await back.close()
  expect((await readdir(join(folder, 'merge_ledger'))).sort()).toEqual([
    'lane_000_default_merge.log',
    'lane_001_fast_lane_merge.log',
    'lane_002_again_merge.log',
  ])
  await reopened(folder, blocks)
  await writeFile(join(folder, 'merge_ledger', 'lane_001_copy_merge.log'), '')
  const error = await refusal(BlockStore.open(folder, options))
  expect([error.code, error.details?.reason]).toEqual(['storage_corrupt', 'lane_dir_conflict'])
})

test('blocks can be read while the files of their lanes are moved', async () => {
  const folder = await temporary()
  const store = await BlockStore.open(folder, { ...options, segmentMaxBytes: 200 })
  // More than are kept in memory.
  const blocks = await fill(store, seeded(9), 3 * BLOCK_CACHE_COUNT, 3)
  for (let round = 0; round < 10; round += 1) {
    let isMoving = true
    const moving = store.setLanes(THREE.map(({ id }) => ({ id, alias: `round ${round} ${id}` }))).finally(() => {
      isMoving = false
    })
    do {
      for (const { header, body } of blocks) {
        const read = await store.read(header.height)
        expect(Buffer.from(body).equals(Buffer.from(read?.body ?? []))).toBe(true)
        if (!isMoving) break
      }
    } while (isMoving)
    await moving
  }
  await store.close()
})

test('segments are closed at their maximum size, and can still be read', async () => {
  const folder = await temporary()
  const small = { ...options, segmentMaxBytes: 200 }
  const store = await BlockStore.open(folder, small)
  const blocks = await fill(store, seeded(8), 30, 2)
  await expectBlocks(store, blocks)
  await store.close()
  const segments = await readdir(join(folder, 'blocks', 'lane_000_default'))
  expect(segments.length).toBeGreaterThan(3)
  await writeFile(join(folder, 'blocks', 'lane_000_default', 'segment_000099.dat'), 'left by a crash')
  const again = await BlockStore.open(folder, small)
  await expectBlocks(again, blocks)
  await again.close()
  expect(await readdir(join(folder, 'blocks', 'lane_000_default'))).toEqual(segments)
})

test('the block store rejects blocks that are out of order, have another parent, or are appended concurrently', async () => {
  const store = await BlockStore.open(await temporary(), options)
  const random = seeded(9)
  const blocks = await fill(store, random, 2, 3)
  const tip = blocks[1]?.hash as Buffer
  expect(() => store.append(sampleBlock(random, { height: 5, hash: tip }, 3))).toThrow('follows')
  expect(() => store.append(sampleBlock(random, { height: 2, hash: Buffer.alloc(32) }, 3))).toThrow('parent')
  const third = store.append(sampleBlock(random, { height: 2, hash: tip }, 3))
  expect(() => store.append(sampleBlock(random, { height: 2, hash: tip }, 3))).toThrow('one at a time')
  await third
  await store.close()
})

test('a lane folder is named after the alias of the lane in plain characters, or after its number', () => {
  const slugs = ['Fast Lane!', '__a--b__', '***', 'Ünïcode', 'x'.repeat(300)].map((alias) => laneSlug({ id: 7, alias }))
  expect(slugs.slice(0, 4)).toEqual(['fast_lane', 'a_b', 'lane7', 'n_code'])
  expect(slugs[4]?.length).toBe(128)
})
