/**
 * Owns the manifest of a snapshot: its identity, the certificate of its block, and the hashes of its file. The hashes
 * of all chunks are a separate list, which is split into pages as the file is split into chunks; the manifest contains
 * the hashes of the pages.
 */
import { sameBytes } from '../../base/bytes.js'
import { bytes, type Infer, struct, varint } from '../../codec/index.js'
import { hash } from '../../crypto/index.js'
import { certifiedHeader, hashOfHeader, LedgerError } from '../../model/index.js'
import { snapshotHead } from './format.js'

/**
 * Size of a chunk, in bytes; the last chunk may be shorter. A chunk fits one gossip message and is hashed within two
 * milliseconds.
 */
export const CHUNK_BYTES = 1024 * 1024
export const HASH_BYTES = 32
/** Number of chunk hashes per page: a page is as long as a chunk. */
const HASHES_PER_PAGE = CHUNK_BYTES / HASH_BYTES
/**
 * Maximum pages of a snapshot, each for 32 GiB of its file: 2 TiB, about three billion headers. The hash list takes 64
 * MiB of memory.
 */
const PAGES_MAX = 64
const CHUNKS_MAX = PAGES_MAX * HASHES_PER_PAGE
/** Maximum size of a manifest, in bytes: the hashes, and a header with its certificate. */
export const MANIFEST_MAX_BYTES = PAGES_MAX * HASH_BYTES + 64 * 1024

/** Manifest of a snapshot. Untrusted, but its hashes distinguish the snapshots of different peers. */
export interface SnapshotManifest extends Infer<typeof snapshotManifest> {}
export const snapshotManifest = struct('SnapshotManifest', {
  head: snapshotHead,
  /** Last block of the snapshot with its commit certificate. */
  certified: certifiedHeader,
  /** Length of the file, in bytes. */
  bytes: varint,
  /** Hashes of the pages of the chunk hash list, concatenated. */
  pages: bytes(PAGES_MAX * HASH_BYTES),
})

/** Hash of a chunk. */
export const chunkHash = (chunk: Uint8Array): Buffer => hash('snapshot-chunk', chunk)
/** Hash of a page. */
const pageHash = (page: Uint8Array): Buffer => hash('snapshot-page', page)

/** Number of chunks of the file. */
export const chunkCount = ({ bytes: total }: SnapshotManifest): number => Math.ceil(total / CHUNK_BYTES)

/** Number of pages of the list; peers request page `p` as chunk `chunkCount + p`. */
export const pageCount = (manifest: SnapshotManifest): number => Math.ceil(chunkCount(manifest) / HASHES_PER_PAGE)

/** Length of a chunk, in bytes. */
export const chunkLength = ({ bytes: total }: SnapshotManifest, index: number): number =>
  Math.min(CHUNK_BYTES, total - index * CHUNK_BYTES)

/** Length of a page, in bytes. */
export const pageLength = (manifest: SnapshotManifest, page: number): number =>
  Math.min(CHUNK_BYTES, chunkCount(manifest) * HASH_BYTES - page * CHUNK_BYTES)

/** Offset of the hash of a chunk in the list, in bytes. */
export const hashPlace = (index: number): number => index * HASH_BYTES

/** Hash of a chunk in the list, or of a page in the manifest. */
export const hashAt = (hashes: Uint8Array, index: number): Uint8Array =>
  hashes.subarray(hashPlace(index), hashPlace(index + 1))

/** True if these bytes are the chunk with this index. */
export const isChunk = (manifest: SnapshotManifest, index: number, chunk: Uint8Array, named: Uint8Array): boolean =>
  chunk.length === chunkLength(manifest, index) && chunkHash(chunk).equals(named)

/** True if these bytes are the page with this index. */
export const isPage = (manifest: SnapshotManifest, page: number, bytes: Uint8Array): boolean =>
  bytes.length === pageLength(manifest, page) && pageHash(bytes).equals(hashAt(manifest.pages, page))

/** Inconsistency within a manifest; undefined if valid. Its certificate is verified separately. */
export function manifestFault(manifest: SnapshotManifest): string | undefined {
  const { head, certified, bytes: total, pages } = manifest
  const { header } = certified
  if (header.height !== head.height || !sameBytes(hashOfHeader(header), head.blockHash))
    return 'its header belongs to another block'
  if (!sameBytes(header.stateRoot, head.stateRoot)) return 'its state root differs from its header'
  if (total < 1 || pages.length !== pageCount(manifest) * HASH_BYTES) return 'its chunks do not add up'
  return undefined
}

/** True if both manifests describe the same file with the same identity. */
export const isSameSnapshot = (a: SnapshotManifest, b: SnapshotManifest): boolean =>
  a.bytes === b.bytes && snapshotManifest.encode(a).equals(snapshotManifest.encode(b))

/** Length and hashes of a file. */
export interface HashedFile {
  readonly named: Pick<SnapshotManifest, 'bytes' | 'pages'>
  readonly hashes: Buffer
}

/** Hashes of the pages of a list of hashes. */
export function pagesOf(hashes: Buffer): Buffer {
  const pages: Buffer[] = []
  for (let at = 0; at < hashes.length; at += CHUNK_BYTES) pages.push(pageHash(hashes.subarray(at, at + CHUNK_BYTES)))
  return Buffer.concat(pages)
}

/**
 * Split the bytes of a file into chunks as they are written; a file that exceeds the manifest limit is abandoned early.
 */
export class ChunkHasher {
  /** Hashes so far, in a buffer with spare capacity. */
  private hashes = Buffer.alloc(HASH_BYTES)
  private count = 0
  private waiting: Uint8Array[] = []
  private waitingBytes = 0
  private total = 0

  constructor(private readonly chunksMax = CHUNKS_MAX) {}

  /** Add written bytes; throws `snapshot_invalid` beyond the manifest limit. */
  add(written: Uint8Array): void {
    this.total += written.length
    if (this.total > this.chunksMax * CHUNK_BYTES) {
      throw new LedgerError(
        'snapshot_invalid',
        `the snapshot exceeds the ${this.chunksMax} MiB that can be sent to peers`,
        {
          hint: 'Create one as a file while the node is stopped: `causeway snapshot create`.',
        },
      )
    }
    for (let at = 0; at < written.length; ) {
      const part = written.subarray(at, at + CHUNK_BYTES - this.waitingBytes)
      this.waiting.push(part)
      this.waitingBytes += part.length
      at += part.length
      if (this.waitingBytes === CHUNK_BYTES) this.close()
    }
  }

  /** Length and hashes of the file after its last byte was added. */
  finish(): HashedFile {
    if (this.waitingBytes > 0) this.close()
    const hashes = this.hashes.subarray(0, hashPlace(this.count))
    return { named: { bytes: this.total, pages: pagesOf(hashes) }, hashes }
  }

  private close(): void {
    const at = hashPlace(this.count)
    if (at === this.hashes.length) this.hashes = Buffer.concat([this.hashes], 2 * at)
    chunkHash(Buffer.concat(this.waiting)).copy(this.hashes, at)
    this.count += 1
    this.waiting = []
    this.waitingBytes = 0
  }
}
