/**
 * Owns the file of a snapshot download: first the list of hashes, page by page, then chunks in any order, each checked
 * against its hash; a restart resumes.
 */
import { type FileHandle, mkdir, open, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { failPoint, readAt, replaceFile } from '../../storage/index.js'
import {
  CHUNK_BYTES,
  chunkCount,
  chunkLength,
  hashAt,
  isChunk,
  isPage,
  isSameSnapshot,
  MANIFEST_MAX_BYTES,
  pageCount,
  pageLength,
  type SnapshotManifest,
  snapshotManifest,
} from '../snapshot/manifest.js'

const FILE = 'state.snapshot'
const HASHES = 'state.hashes'
const MANIFEST = 'state.manifest'
/** Number of concurrent chunk requests: enough to cover the round trip, at no more than 4 MiB of memory. */
const WINDOW = 4
/** Free disk space required, as a multiple of the snapshot size: the file, and the state built from it. */
const ROOM_FACTOR = 3

/**
 * Fetch the chunk of an index (pages of the list follow those of the file) until its bytes are valid; throws the error
 * that ends the download.
 */
export type FetchChunk = (index: number, isRight: (bytes: Uint8Array) => boolean) => Promise<Uint8Array>

/** Folder of a download. */
export class SnapshotDownload {
  constructor(private readonly folder: string) {}

  /** Path of the file; it is complete once `fetch` resolves. */
  get path(): string {
    return join(this.folder, FILE)
  }

  /** Manifest of an earlier attempt; undefined without one. */
  async begun(): Promise<SnapshotManifest | undefined> {
    const bytes = await readFile(join(this.folder, MANIFEST)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    const decoded = bytes && snapshotManifest.decode(bytes, undefined, { maxBytes: MANIFEST_MAX_BYTES })
    return decoded?.ok === true ? decoded.value : undefined
  }

  /** Reason why the disk has no space for the snapshot, or undefined. A peer may offer any size. */
  async roomFault({ bytes }: SnapshotManifest): Promise<string | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.folder)
    if (bavail * bsize >= ROOM_FACTOR * bytes) return undefined
    const [needed, free] = [ROOM_FACTOR * bytes, bavail * bsize].map((one) => Math.ceil(one / (1024 * 1024)))
    return `its snapshot needs ${needed} MiB of disk, but ${this.folder} has ${free} MiB free`
  }

  /** Download the missing chunks; valid chunks of an earlier attempt on the same manifest are kept. */
  async fetch(
    manifest: SnapshotManifest,
    fetchChunk: FetchChunk,
    onChunk: (done: number, total: number) => void,
  ): Promise<void> {
    const earlier = await this.begun()
    if (earlier === undefined || !isSameSnapshot(earlier, manifest)) await this.discard()
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    await replaceFile(join(this.folder, MANIFEST), snapshotManifest.encode(manifest))
    const hashes = await this.fetchHashes(manifest, fetchChunk)
    const handle = await openBoth(this.path)
    try {
      const missing = await missingChunks(handle, manifest, hashes)
      const total = chunkCount(manifest)
      let done = total - missing.length
      onChunk(done, total)
      const next = missing.values()
      const work = async (): Promise<void> => {
        for (const index of next) {
          const isRight = (bytes: Uint8Array): boolean => isChunk(manifest, index, bytes, hashAt(hashes, index))
          await writeAt(handle, await fetchChunk(index, isRight), index * CHUNK_BYTES)
          failPoint(410)
          done += 1
          onChunk(done, total)
        }
      }
      const workers = await Promise.allSettled(Array.from({ length: WINDOW }, work))
      for (const one of workers) if (one.status === 'rejected') throw one.reason
      await handle.truncate(manifest.bytes)
    } finally {
      await handle.close()
    }
  }

  /** Fetch the list of hashes; pages of an earlier attempt are kept. */
  private async fetchHashes(manifest: SnapshotManifest, fetchChunk: FetchChunk): Promise<Buffer> {
    const handle = await openBoth(join(this.folder, HASHES))
    try {
      const pages: Uint8Array[] = []
      for (let page = 0; page < pageCount(manifest); page += 1) {
        const isRight = (bytes: Uint8Array): boolean => isPage(manifest, page, bytes)
        const written = await readAt(handle, page * CHUNK_BYTES, pageLength(manifest, page))
        if (isRight(written)) {
          pages.push(written)
          continue
        }
        const fetched = await fetchChunk(chunkCount(manifest) + page, isRight)
        await writeAt(handle, fetched, page * CHUNK_BYTES)
        pages.push(fetched)
      }
      return Buffer.concat(pages)
    } finally {
      await handle.close()
    }
  }

  /** Remove the file and its manifest. */
  async discard(): Promise<void> {
    await rm(join(this.folder, MANIFEST), { force: true })
    await rm(join(this.folder, HASHES), { force: true })
    await rm(this.path, { force: true })
  }
}

/** Open a file for reading and writing at any offset; create it if it does not exist. */
async function openBoth(path: string): Promise<FileHandle> {
  await (await open(path, 'a', 0o600)).close()
  return open(path, 'r+')
}

/** Indexes of chunks that are missing in the file, or differ. */
async function missingChunks(handle: FileHandle, manifest: SnapshotManifest, hashes: Uint8Array): Promise<number[]> {
  const { size } = await handle.stat()
  const missing: number[] = []
  for (let index = 0; index < chunkCount(manifest); index += 1) {
    const [place, length] = [index * CHUNK_BYTES, chunkLength(manifest, index)]
    // Unwritten chunks are not read, which saves memory: there may be a million.
    const isThere =
      size >= place + length && isChunk(manifest, index, await readAt(handle, place, length), hashAt(hashes, index))
    if (!isThere) missing.push(index)
  }
  return missing
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten
  }
}
