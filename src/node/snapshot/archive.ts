/**
 * Owns the stored snapshots of a node: files `<height>.snapshot` with their hash lists and manifests, in a folder of
 * the data directory.
 */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from '../../base/mutex.js'
import { errorCode } from '../../base/thrown.js'
import { readAt, replaceFile, syncFolder } from '../../storage/index.js'
import {
  CHUNK_BYTES,
  chunkCount,
  chunkLength,
  HASH_BYTES,
  hashPlace,
  isChunk,
  isPage,
  MANIFEST_MAX_BYTES,
  manifestFault,
  pageCount,
  pageLength,
  type SnapshotManifest,
  snapshotManifest,
} from './manifest.js'

/** Folder in the data directory. It is not part of a backup: its files are derived from other files of the backup. */
export const SNAPSHOTS_FOLDER = 'snapshots'
const FILE = '.snapshot'
/** Suffix of the list of chunk hashes. */
const HASHES = '.hashes'
const MANIFEST = '.manifest'
const DRAFT = 'making.part'

/** Path of the hash list of a snapshot. */
export const hashesOf = (path: string): string => path + HASHES

/** Folder of snapshots; only the process that has the data directory accesses it. */
export class SnapshotArchive {
  private kept: readonly SnapshotManifest[] = []
  /** Serialises changes of the folder, since one change might remove what another is about to add. */
  private readonly changes = new Mutex()

  private constructor(
    private readonly folder: string,
    private readonly keep: number,
  ) {}

  /** Open the folder, and remove incomplete snapshots and those beyond `keep`. */
  static async open(dataDir: string, keep: number): Promise<SnapshotArchive> {
    const folder = join(dataDir, SNAPSHOTS_FOLDER)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const archive = new SnapshotArchive(folder, keep)
    await archive.draft()
    const found: SnapshotManifest[] = []
    for (const name of await readdir(folder)) {
      const one = name.endsWith(MANIFEST) ? await archive.read(name.slice(0, -MANIFEST.length)) : undefined
      if (one !== undefined) found.push(one)
    }
    await archive.changes.run(() => archive.retain(found))
    return archive
  }

  /** Stored snapshots, newest first. */
  get list(): readonly SnapshotManifest[] {
    return this.kept
  }

  /** Snapshot of a height, or the newest for 0. */
  at(height: number): SnapshotManifest | undefined {
    return height === 0 ? this.kept[0] : this.kept.find(({ head }) => head.height === height)
  }

  /** Path for the next snapshot; the remains of an earlier attempt are removed. */
  async draft(): Promise<string> {
    for (const name of await readdir(this.folder))
      if (name.startsWith(DRAFT)) await rm(join(this.folder, name), { force: true })
    return join(this.folder, DRAFT)
  }

  /** Move a complete draft with its list to the stored snapshots, and remove the oldest ones. */
  add(manifest: SnapshotManifest): Promise<void> {
    const name = String(manifest.head.height)
    const [draft, path] = [join(this.folder, DRAFT), join(this.folder, name + FILE)]
    return this.changes.run(async () => {
      await rename(hashesOf(draft), hashesOf(path))
      await rename(draft, path)
      await syncFolder(this.folder)
      // The manifest is written last, which completes the snapshot.
      await replaceFile(join(this.folder, name + MANIFEST), snapshotManifest.encode(manifest))
      await this.retain([manifest, ...this.kept.filter(({ head }) => head.height !== manifest.head.height)])
    })
  }

  /** Chunk, or page of the hash list; undefined if the bytes on disk have changed: the snapshot is then removed. */
  async chunk(manifest: SnapshotManifest, index: number): Promise<Uint8Array | undefined> {
    const page = index - chunkCount(manifest)
    if (page >= pageCount(manifest)) return undefined
    try {
      const bytes = page < 0 ? await this.chunkOf(manifest, index) : await this.pageOf(manifest, page)
      if (bytes !== undefined) return bytes
    } catch (error) {
      // It was removed since the request.
      if (errorCode(error) !== 'ENOENT') throw error
    }
    await this.changes.run(() => this.retain(this.kept.filter((other) => other !== manifest)))
    return undefined
  }

  private async chunkOf(manifest: SnapshotManifest, index: number): Promise<Uint8Array | undefined> {
    const path = this.pathOf(manifest)
    const chunk = await bytesOf(path, index * CHUNK_BYTES, chunkLength(manifest, index))
    const named = await bytesOf(hashesOf(path), hashPlace(index), HASH_BYTES)
    return isChunk(manifest, index, chunk, named) ? chunk : undefined
  }

  private async pageOf(manifest: SnapshotManifest, page: number): Promise<Uint8Array | undefined> {
    const bytes = await bytesOf(hashesOf(this.pathOf(manifest)), page * CHUNK_BYTES, pageLength(manifest, page))
    return isPage(manifest, page, bytes) ? bytes : undefined
  }

  private pathOf({ head }: SnapshotManifest): string {
    return join(this.folder, head.height + FILE)
  }

  private async read(name: string): Promise<SnapshotManifest | undefined> {
    const bytes = await readFile(join(this.folder, name + MANIFEST))
    const decoded = snapshotManifest.decode(bytes, undefined, { maxBytes: MANIFEST_MAX_BYTES })
    if (!decoded.ok || manifestFault(decoded.value) !== undefined) return undefined
    if (name !== String(decoded.value.head.height)) return undefined
    return decoded.value
  }

  /** Keep the newest of these snapshots; remove every other file of the folder, manifests first. */
  private async retain(found: readonly SnapshotManifest[]): Promise<void> {
    const newestFirst = [...found].sort((a, b) => b.head.height - a.head.height)
    this.kept = newestFirst.slice(0, this.keep)
    const names = new Set(
      this.kept.flatMap(({ head }) => [head.height + FILE, hashesOf(head.height + FILE), head.height + MANIFEST]),
    )
    const gone = (await readdir(this.folder)).filter((name) => !names.has(name) && !name.startsWith(DRAFT)).sort()
    // `.manifest` sorts before `.snapshot`: a file without its manifest is not a snapshot.
    for (const name of gone) await rm(join(this.folder, name), { force: true })
  }
}

/** Read a number of bytes of a file from an offset; fewer at its end. */
async function bytesOf(path: string, place: number, length: number): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    return await readAt(handle, place, length)
  } finally {
    await handle.close()
  }
}
