/** Chunks of a snapshot: cut, compared, asked for once, in turns; none of it needs a ledger. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ZERO_HASH } from '../../../src/model/index.js'
import { SnapshotArchive } from '../../../src/node/snapshot/archive.js'
import { SnapshotDownload } from '../../../src/node/snapshot/download.js'
import {
  CHUNK_BYTES,
  ChunkHasher,
  chunkCount,
  chunkHash,
  isChunk,
  type SnapshotManifest,
} from '../../../src/node/snapshot/manifest.js'
import { SnapshotServer } from '../../../src/node/snapshot/serve.js'
import { CHAIN, temporaryFolder } from '../../support/chain.js'
import { BLANK_HEADER, uncheckedCertificate } from '../../support/headers.js'

const TOTAL = 4 * CHUNK_BYTES + 12_345
const bytes = Buffer.alloc(TOTAL)
for (let at = 0; at < TOTAL; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, Math.min(at, TOTAL - 4))
const chunkOf = (index: number): Buffer => bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)

function hashed(pieces: number): Pick<SnapshotManifest, 'bytes' | 'chunks'> {
  const hasher = new ChunkHasher()
  for (let at = 0; at < TOTAL; at += pieces) hasher.add(bytes.subarray(at, at + pieces))
  return hasher.finish()
}

let folder: { readonly path: string; remove(): Promise<void> }
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
  manifest = { head: { ...head, ...rest }, certified, ...hashed(CHUNK_BYTES) }
})
afterAll(() => folder.remove())

describe('chunks', () => {
  it('are as many as a manifest names: a longer file is given up at the byte that is too many', () => {
    const hasher = new ChunkHasher(2)
    hasher.add(bytes.subarray(0, 2 * CHUNK_BYTES))
    expect(() => hasher.add(bytes.subarray(0, 1))).toThrow('longer than the 2 MiB')
  })

  it('are the same however the file was written', () => {
    expect(hashed(1_000_003)).toEqual(hashed(CHUNK_BYTES))
    expect(hashed(3 * CHUNK_BYTES)).toEqual(hashed(CHUNK_BYTES))
    expect(chunkCount(manifest)).toBe(5)
    expect(
      Buffer.from(manifest.chunks)
        .subarray(128)
        .equals(chunkHash(chunkOf(4))),
    ).toBe(true)
  })

  it('are told from anything else', () => {
    expect(isChunk(manifest, 0, chunkOf(0))).toBe(true)
    expect(isChunk(manifest, 1, chunkOf(0))).toBe(false)
    expect(isChunk(manifest, 4, chunkOf(4))).toBe(true)
    expect(isChunk(manifest, 4, chunkOf(3))).toBe(false)
    expect(isChunk(manifest, 5, Buffer.alloc(0))).toBe(false)
  })
})

describe('a download', () => {
  const asked: number[] = []
  const fetch =
    (failAt = Number.POSITIVE_INFINITY) =>
    async (index: number): Promise<Uint8Array> => {
      if (index >= failAt) throw new Error('the link broke')
      asked.push(index)
      return chunkOf(index)
    }

  it('goes on after a break with the chunks that are there, and asks for no other twice', async () => {
    const download = new SnapshotDownload(join(folder.path, 'resumed'))
    await expect(download.fetch(manifest, fetch(3), () => {})).rejects.toThrow('the link broke')
    const before = [...asked]
    expect(before.length).toBeGreaterThan(0)
    // Another process: nothing but the folder is left.
    const again = new SnapshotDownload(join(folder.path, 'resumed'))
    expect((await again.begun())?.head.height).toBe(7)
    asked.length = 0
    const progress: number[] = []
    await again.fetch(manifest, fetch(), (done) => progress.push(done))
    expect(new Set([...before, ...asked]).size).toBe(5)
    expect(asked.filter((index) => before.includes(index))).toEqual([])
    expect(progress[0]).toBe(before.length)
    expect((await readFile(again.path)).equals(bytes)).toBe(true)
  })

  it('asks again for a chunk that the disk changed', async () => {
    const download = new SnapshotDownload(join(folder.path, 'resumed'))
    const damaged = await readFile(download.path)
    damaged[CHUNK_BYTES + 5]! ^= 1
    await writeFile(download.path, damaged)
    asked.length = 0
    await download.fetch(manifest, fetch(), () => {})
    expect(asked).toEqual([1])
    expect((await readFile(download.path)).equals(bytes)).toBe(true)
  })

  it('begins anew for another snapshot', async () => {
    const download = new SnapshotDownload(join(folder.path, 'resumed'))
    const other = { ...manifest, head: { ...manifest.head, height: 8 } }
    asked.length = 0
    await download.fetch(other, fetch(), () => {})
    expect(asked.sort()).toEqual([0, 1, 2, 3, 4])
  })

  it('is not begun where the disk has no room for it', async () => {
    const download = new SnapshotDownload(folder.path)
    expect(await download.roomFault({ ...manifest, bytes: 2 ** 50 })).toMatch(/its snapshot needs \d+ MiB of disk/)
    expect(await download.roomFault(manifest)).toBeUndefined()
  })
})

describe('a server', () => {
  const wanted = (index: number) => ({ height: 7, blockHash: Buffer.alloc(32, 2), index })

  it('takes turns among peers, and reads no more for one of them than a correct one asks for', async () => {
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
      offer: () => {},
      send: (to, chunk) => void given.push([to, chunk.wanted.index]),
      onFailure: (error) => {
        throw error
      },
    })
    for (let index = 0; index < 1_000; index += 1) server.chunkWanted('greedy', wanted(index))
    server.chunkWanted('modest', wanted(0))
    while (given.length < 9) await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(given.filter(([to]) => to === 'greedy').length).toBeLessThanOrEqual(9)
    expect(given.findIndex(([to]) => to === 'modest')).toBeLessThanOrEqual(2)
    expect(reads).toBe(given.length)
    server.close()
    server.chunkWanted('late', wanted(0))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(given.some(([to]) => to === 'late')).toBe(false)
  })

  it('says that it has a snapshot of that height no longer, where it has one of another block', async () => {
    const answers: unknown[] = []
    const server = new SnapshotServer({
      archive: { at: () => manifest, chunk: async () => Buffer.of(1) },
      offer: () => {},
      send: (_, { chunk }) => void answers.push(chunk),
      onFailure: () => {},
    })
    server.chunkWanted('peer', { ...wanted(0), blockHash: Buffer.alloc(32, 9) })
    while (answers.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(answers).toEqual([undefined])
  })
})

describe('an archive', () => {
  it('keeps what it adds while it gives up what the disk changed', async () => {
    for (let round = 0; round < 8; round += 1) {
      const archive = await SnapshotArchive.open(join(folder.path, `archive-${round}`), 2)
      const next = { ...manifest, head: { ...manifest.head, height: 8 } }
      await writeFile(await archive.draft(), Buffer.alloc(TOTAL))
      await archive.add(manifest)
      await writeFile(await archive.draft(), bytes)
      await Promise.all([archive.chunk(manifest, 0), archive.add(next)])
      expect(archive.list).toEqual([next])
      expect(await archive.chunk(next, 0)).toBeDefined()
    }
  })
})
