/** Chunks of a snapshot: cut, compared, asked for once, in turns; none of it needs a ledger. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ZERO_HASH } from '../../../src/model/index.js'
import { SnapshotDownload } from '../../../src/node/joining/download.js'
import { hashesOf, SnapshotArchive } from '../../../src/node/snapshot/archive.js'
import {
  CHUNK_BYTES,
  ChunkHasher,
  chunkCount,
  chunkHash,
  type HashedFile,
  hashAt,
  isChunk,
  isPage,
  pageCount,
  pagesOf,
  type SnapshotManifest,
} from '../../../src/node/snapshot/manifest.js'
import { SnapshotServer } from '../../../src/node/upkeep/serve.js'
import { CHAIN, temporaryFolder } from '../../support/chain.js'
import { BLANK_HEADER, uncheckedCertificate } from '../../support/headers.js'
import { pause } from '../../support/ports.js'

const TOTAL = 4 * CHUNK_BYTES + 12_345
const bytes = Buffer.alloc(TOTAL)
for (let at = 0; at < TOTAL; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, Math.min(at, TOTAL - 4))
const chunkOf = (index: number): Buffer => bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)

function hashed(pieces: number): HashedFile {
  const hasher = new ChunkHasher()
  for (let at = 0; at < TOTAL; at += pieces) hasher.add(bytes.subarray(at, at + pieces))
  return hasher.finish()
}

/** Manifest and list of a made-up file of 40 GiB. */
function longFile() {
  const hashes = Buffer.alloc(40_960 * 32)
  for (let index = 0; index < 40_960; index += 1) hashes.writeUInt32LE(index, index * 32)
  const page = (number: number): Buffer => hashes.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES)
  return { manifest: { ...manifest, bytes: 40_960 * CHUNK_BYTES, pages: pagesOf(hashes) }, page }
}

let folder: { readonly path: string; remove(): Promise<void> }
/** List of the chunk hashes of the file: one page. */
const list = hashed(CHUNK_BYTES).hashes
let manifest: SnapshotManifest
beforeAll(async () => {
  folder = await temporaryFolder()
  const place = {
    chain: CHAIN,
    height: 7,
    parentHash: ZERO_HASH,
    originView: 0,
    originProposer: 'p'.repeat(48),
    timeMs: 1,
  }
  const header = { ...BLANK_HEADER, ...place }
  const certified = { header, certificate: uncheckedCertificate(header) }
  const head = { chain: 'chain', genesisHash: Buffer.alloc(32), height: 7, blockHash: Buffer.alloc(32, 2) }
  const rest = { stateRoot: certified.header.stateRoot, approved: 0, rejected: 0 }
  manifest = { head: { ...head, ...rest }, certified, ...hashed(CHUNK_BYTES).named }
})
afterAll(() => folder.remove())

describe('snapshot chunks', () => {
  it('are limited in number by the manifest, and a longer file is abandoned at the first excess byte', () => {
    const hasher = new ChunkHasher(2)
    hasher.add(bytes.subarray(0, 2 * CHUNK_BYTES))
    expect(() => hasher.add(bytes.subarray(0, 1))).toThrow('exceeds the 2 MiB')
  })

  it('do not depend on the sizes of the writes', () => {
    expect(hashed(1_000_003)).toEqual(hashed(CHUNK_BYTES))
    expect(hashed(3 * CHUNK_BYTES)).toEqual(hashed(CHUNK_BYTES))
    expect(chunkCount(manifest)).toBe(5)
    expect(chunkHash(chunkOf(4)).equals(list.subarray(128))).toBe(true)
  })

  it('match only their own index and hash', () => {
    const is = (index: number, chunk: Buffer) => isChunk(manifest, index, chunk, hashAt(list, index))
    expect(is(0, chunkOf(0))).toBe(true)
    expect(is(1, chunkOf(0))).toBe(false)
    expect(is(4, chunkOf(4))).toBe(true)
    expect(is(4, chunkOf(3))).toBe(false)
    expect(is(5, Buffer.alloc(0))).toBe(false)
  })

  it('are listed on several pages if the file is long', () => {
    const long = longFile()
    expect([chunkCount(long.manifest), pageCount(long.manifest)]).toEqual([40_960, 2])
    const [first, second] = [long.page(0), long.page(1)]
    expect([first.length, second.length]).toEqual([CHUNK_BYTES, CHUNK_BYTES / 4])
    expect(isPage(long.manifest, 0, first) && isPage(long.manifest, 1, second)).toBe(true)
    expect(isPage(long.manifest, 1, first)).toBe(false)
    expect(isPage(long.manifest, 2, Buffer.alloc(0))).toBe(false)
    const changed = Buffer.from(second)
    changed[9]! ^= 1
    expect(isPage(long.manifest, 1, changed)).toBe(false)
    expect(isPage(manifest, 0, list)).toBe(true)
  })
})

describe('a snapshot download', () => {
  /** Behind the chunks of the file. */
  const LIST = 5
  const asked: number[] = []
  const fetch =
    (failAt = Number.POSITIVE_INFINITY) =>
    async (index: number): Promise<Uint8Array> => {
      if (index >= failAt && index !== LIST) throw new Error('the link broke')
      asked.push(index)
      return index === LIST ? list : chunkOf(index)
    }

  it('resumes after a lost link with the chunks it has, and requests none of them twice', async () => {
    const download = new SnapshotDownload(join(folder.path, 'resumed'))
    await expect(download.fetch(manifest, fetch(3), () => {})).rejects.toThrow('the link broke')
    const before = [...asked]
    expect(before[0]).toBe(LIST)
    expect(before.length).toBeGreaterThan(1)
    // Another process: nothing but the folder is left.
    const again = new SnapshotDownload(join(folder.path, 'resumed'))
    expect((await again.begun())?.head.height).toBe(7)
    asked.length = 0
    const progress: number[] = []
    await again.fetch(manifest, fetch(), (done) => progress.push(done))
    expect(new Set([...before, ...asked]).size).toBe(6)
    expect(asked.filter((index) => before.includes(index))).toEqual([])
    expect(progress[0]).toBe(before.length - 1)
    expect((await readFile(again.path)).equals(bytes)).toBe(true)
  })

  it('requests a chunk again if it was changed on disk', async () => {
    const download = new SnapshotDownload(join(folder.path, 'resumed'))
    const damaged = await readFile(download.path)
    damaged[CHUNK_BYTES + 5]! ^= 1
    await writeFile(download.path, damaged)
    asked.length = 0
    await download.fetch(manifest, fetch(), () => {})
    expect(asked).toEqual([1])
    expect((await readFile(download.path)).equals(bytes)).toBe(true)
  })

  it('starts over for another snapshot', async () => {
    const download = new SnapshotDownload(join(folder.path, 'resumed'))
    const other = { ...manifest, head: { ...manifest.head, height: 8 } }
    asked.length = 0
    await download.fetch(other, fetch(), () => {})
    expect(asked.sort()).toEqual([0, 1, 2, 3, 4, LIST])
  })

  it('requests all pages of the chunk list first, and none twice unless it was changed on disk', async () => {
    const long = longFile()
    const path = join(folder.path, 'long')
    const download = new SnapshotDownload(path)
    const pages = async (index: number, isRight: (bytes: Uint8Array) => boolean): Promise<Uint8Array> => {
      asked.push(index)
      if (index < 40_960) throw new Error('the link broke')
      const page = long.page(index - 40_960)
      expect(isRight(page)).toBe(true)
      expect(isRight(page.subarray(1))).toBe(false)
      return page
    }
    const tried = async (): Promise<readonly number[]> => {
      asked.length = 0
      await expect(download.fetch(long.manifest, pages, () => {})).rejects.toThrow('the link broke')
      return asked.filter((index) => index >= 40_960)
    }
    expect(await tried()).toEqual([40_960, 40_961])
    expect(asked.slice(0, 2)).toEqual([40_960, 40_961])
    expect(await tried()).toEqual([])
    const kept = await readFile(join(path, 'state.hashes'))
    kept[CHUNK_BYTES + 7]! ^= 1
    await writeFile(join(path, 'state.hashes'), kept)
    expect(await tried()).toEqual([40_961])
  })

  it('does not start if the disk space is insufficient', async () => {
    const download = new SnapshotDownload(folder.path)
    expect(await download.roomFault({ ...manifest, bytes: 2 ** 50 })).toMatch(/its snapshot needs \d+ MiB of disk/)
    expect(await download.roomFault(manifest)).toBeUndefined()
  })
})

describe('a snapshot server', () => {
  const wanted = (index: number) => ({ height: 7, blockHash: Buffer.alloc(32, 2), index })

  it('serves peers in turn, and reads at most as much for a peer as a correct one requests', async () => {
    const given: [string, number][] = []
    let reads = 0
    const server = new SnapshotServer({
      archive: {
        at: () => manifest,
        chunk: async (_, index) => {
          reads += 1
          return Buffer.of(index)
        },
      },
      isMember: () => true,
      offer: () => {},
      send: (to, chunk) => void given.push([to, chunk.wanted.index]),
      onFailure: (error) => {
        throw error
      },
    })
    for (let index = 0; index < 1_000; index += 1) server.chunkWanted('greedy', wanted(index))
    server.chunkWanted('modest', wanted(0))
    while (given.length < 9) await pause(10)
    await pause(300)
    expect(given.filter(([to]) => to === 'greedy').length).toBeLessThanOrEqual(9)
    expect(given.findIndex(([to]) => to === 'modest')).toBeLessThanOrEqual(2)
    expect(reads).toBe(given.length)
    server.close()
    server.chunkWanted('late', wanted(0))
    await pause(100)
    expect(given.some(([to]) => to === 'late')).toBe(false)
  })

  it('serves validators before waiting observers, and bounds the number of waiting requests', async () => {
    const given: string[] = []
    const server = new SnapshotServer({
      archive: { at: () => manifest, chunk: async (_, index) => Buffer.of(index) },
      isMember: (peer) => peer === 'member',
      offer: () => {},
      send: (to) => void given.push(to),
      onFailure: () => {},
    })
    for (let at = 0; at < 500; at += 1) server.chunkWanted(`observer ${at}`, wanted(0))
    server.chunkWanted('member', wanted(0))
    while (given.length < 3) await pause(5)
    expect(given.indexOf('member')).toBe(1)
    while (given.length < 66) await pause(20)
    await pause(300)
    expect(given.length).toBe(66)
    server.close()
  })

  it('reports a snapshot as missing if it has a snapshot of another block at that height', async () => {
    const answers: unknown[] = []
    const server = new SnapshotServer({
      archive: { at: () => manifest, chunk: async () => Buffer.of(1) },
      isMember: () => true,
      offer: () => {},
      send: (_, { chunk }) => void answers.push(chunk),
      onFailure: () => {},
    })
    server.chunkWanted('peer', { ...wanted(0), blockHash: Buffer.alloc(32, 9) })
    while (answers.length < 1) await pause(5)
    expect(answers).toEqual([undefined])
  })
})

/** Writes a draft with its list. */
async function written(archive: SnapshotArchive, content: Uint8Array): Promise<void> {
  const path = await archive.draft()
  await writeFile(hashesOf(path), list)
  await writeFile(path, content)
}

/** True if the archive returns these bytes; the comparison of the test runner takes seconds for a mebibyte. */
const given = async (archive: SnapshotArchive, index: number, bytes: Buffer): Promise<boolean> =>
  bytes.equals((await archive.chunk(manifest, index)) ?? Buffer.alloc(0))

describe('a snapshot archive', () => {
  it('keeps a new snapshot while it drops one that was changed on disk', async () => {
    for (let round = 0; round < 8; round += 1) {
      const archive = await SnapshotArchive.open(join(folder.path, `archive-${round}`), 2)
      const next = { ...manifest, head: { ...manifest.head, height: 8 } }
      await written(archive, Buffer.alloc(TOTAL))
      await archive.add(manifest)
      await written(archive, bytes)
      await Promise.all([archive.chunk(manifest, 0), archive.add(next)])
      expect(archive.list).toEqual([next])
      expect(await archive.chunk(next, 0)).toBeDefined()
    }
  })

  it('serves the hash list after the chunks, and drops a snapshot whose list was changed', async () => {
    const place = join(folder.path, 'lists')
    const archive = await SnapshotArchive.open(place, 2)
    await written(archive, bytes)
    await archive.add(manifest)
    expect(await given(archive, 5, list)).toBe(true)
    expect(await given(archive, 4, chunkOf(4))).toBe(true)
    expect(await archive.chunk(manifest, 6)).toBeUndefined()
    expect(archive.list).toHaveLength(1)
    const kept = hashesOf(join(place, 'snapshots', '7.snapshot'))
    const changed = await readFile(kept)
    changed[3 * 32]! ^= 1
    await writeFile(kept, changed)
    expect(await given(archive, 2, chunkOf(2))).toBe(true)
    expect(await archive.chunk(manifest, 3)).toBeUndefined()
    expect(archive.list).toEqual([])
    expect(await readdir(join(place, 'snapshots'))).toEqual([])
  })

  it('does not affect a draft in progress when it drops a snapshot', async () => {
    const place = join(folder.path, 'drafts')
    const archive = await SnapshotArchive.open(place, 2)
    await written(archive, Buffer.alloc(TOTAL))
    await archive.add(manifest)
    await written(archive, bytes)
    expect(await archive.chunk(manifest, 0)).toBeUndefined()
    await archive.add(manifest)
    expect(await given(archive, 0, chunkOf(0))).toBe(true)
  })
})
