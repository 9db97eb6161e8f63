/** Owns the file of a snapshot on its way: chunks come in any order, each is compared with its hash, and a restart goes on with those that are there. */
import { type FileHandle, mkdir, open, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { failPoint, replaceFile } from '../../storage/index.js'
import {
  CHUNK_BYTES,
  chunkCount,
  chunkLength,
  isChunk,
  isSameSnapshot,
  MANIFEST_MAX_BYTES,
  type SnapshotManifest,
  snapshotManifest,
} from './manifest.js'

const FILE = 'state.snapshot'
const MANIFEST = 'state.manifest'
/** Chunks asked for at the same time: enough for the way to a peer and back, and no more memory than 4 MiB. */
const WINDOW = 4
/** Room that a snapshot needs on the disk, by its own size: itself, and the state that is built from it. */
const ROOM_FACTOR = 3

/** Gives a chunk whose bytes are right; throws what ends the download. */
export type FetchChunk = (index: number) => Promise<Uint8Array>

/** The folder of a download. */
export class SnapshotDownload {
  constructor(private readonly folder: string) {}

  /** The file; it is the snapshot once `fetch` resolved. */
  get path(): string {
    return join(this.folder, FILE)
  }

  /** What an earlier try was on; undefined when there was none. */
  async begun(): Promise<SnapshotManifest | undefined> {
    const bytes = await readFile(join(this.folder, MANIFEST)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    const decoded = bytes && snapshotManifest.decode(bytes, undefined, { maxBytes: MANIFEST_MAX_BYTES })
    return decoded?.ok === true ? decoded.value : undefined
  }

  /** Why the disk has no room for it; undefined where it has: a peer may offer what it likes. */
  async roomFault({ bytes }: SnapshotManifest): Promise<string | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.folder)
    if (bavail * bsize >= ROOM_FACTOR * bytes) return undefined
    const [needed, free] = [ROOM_FACTOR * bytes, bavail * bsize].map((one) => Math.ceil(one / (1024 * 1024)))
    return `its snapshot needs ${needed} MiB of disk, ${free} MiB are free at ${this.folder}`
  }

  /** Brings what is missing; of an earlier try on the same manifest every chunk that is whole stays. */
  async fetch(
    manifest: SnapshotManifest,
    fetchChunk: FetchChunk,
    onChunk: (done: number, total: number) => void,
  ): Promise<void> {
    const earlier = await this.begun()
    if (earlier === undefined || !isSameSnapshot(earlier, manifest)) await this.discard()
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    await replaceFile(join(this.folder, MANIFEST), snapshotManifest.encode(manifest))
    const handle = await open(this.path, 'a', 0o600).then(async (created) => {
      await created.close()
      return open(this.path, 'r+')
    })
    try {
      const missing = await missingChunks(handle, manifest)
      const total = chunkCount(manifest)
      let done = total - missing.length
      onChunk(done, total)
      const next = missing.values()
      const work = async (): Promise<void> => {
        for (const index of next) {
          await writeAt(handle, await fetchChunk(index), index * CHUNK_BYTES)
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

  /** Removes the file and what it was of. */
  async discard(): Promise<void> {
    await rm(join(this.folder, MANIFEST), { force: true })
    await rm(this.path, { force: true })
  }
}

/** Chunks that the file does not have, or has other bytes of. */
async function missingChunks(handle: FileHandle, manifest: SnapshotManifest): Promise<number[]> {
  const { size } = await handle.stat()
  const missing: number[] = []
  for (let index = 0; index < chunkCount(manifest); index += 1) {
    const chunk = Buffer.alloc(chunkLength(manifest, index))
    const isThere = size >= index * CHUNK_BYTES + chunk.length
    if (isThere) await handle.read(chunk, 0, chunk.length, index * CHUNK_BYTES)
    if (!isThere || !isChunk(manifest, index, chunk)) missing.push(index)
  }
  return missing
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten
  }
}
