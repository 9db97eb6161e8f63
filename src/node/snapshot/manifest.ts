/** Owns the manifest of a snapshot: what it is of, the certificate of that block, and the hash of each chunk of its file. */
import { bytes, type Infer, struct, varint } from '../../codec/index.js'
import { equalBytes, hash } from '../../crypto/index.js'
import { certifiedHeader, hashOfHeader, LedgerError } from '../../model/index.js'
import { snapshotHead } from './format.js'

/** Bytes of a chunk, the last one of a file may be shorter: one message of gossip, hashed within two milliseconds. */
export const CHUNK_BYTES = 1024 * 1024
/** Chunks of a snapshot: their hashes are a message too; 32 GiB of snapshot. */
export const CHUNKS_MAX = 32_768
const HASH_BYTES = 32
/** Largest manifest, in bytes: the hashes, and a header with its certificate. */
export const MANIFEST_MAX_BYTES = CHUNKS_MAX * HASH_BYTES + 64 * 1024

/** Nothing here is believed but the chunk hashes, and those only to tell what one peer serves from what another does. */
export interface SnapshotManifest extends Infer<typeof snapshotManifest> {}
export const snapshotManifest = struct('SnapshotManifest', {
  head: snapshotHead,
  /** The last block of the snapshot with its commit certificate. */
  certified: certifiedHeader,
  /** Length of the file. */
  bytes: varint,
  /** Hashes of its chunks, one after another. */
  chunks: bytes(CHUNKS_MAX * HASH_BYTES),
})

/** Hash of a chunk. */
export const chunkHash = (chunk: Uint8Array): Buffer => hash('snapshot-chunk', chunk)

/** Number of chunks. */
export const chunkCount = ({ chunks }: SnapshotManifest): number => chunks.length / HASH_BYTES

/** Length of a chunk, in bytes. */
export const chunkLength = ({ bytes: total }: SnapshotManifest, index: number): number =>
  Math.min(CHUNK_BYTES, total - index * CHUNK_BYTES)

/** True when these bytes are the chunk. */
export const isChunk = (manifest: SnapshotManifest, index: number, chunk: Uint8Array): boolean =>
  chunk.length === chunkLength(manifest, index) &&
  chunkHash(chunk).equals(manifest.chunks.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES))

/** What is wrong with a manifest in itself; undefined when nothing is. Its certificate is another matter. */
export function manifestFault({ head, certified, bytes: total, chunks }: SnapshotManifest): string | undefined {
  const { header } = certified
  if (header.height !== head.height || !equalBytes(hashOfHeader(header), head.blockHash))
    return 'its header is of another block'
  if (!equalBytes(header.stateRoot, head.stateRoot)) return 'its state root is not that of its header'
  if (total < 1 || chunks.length !== Math.ceil(total / CHUNK_BYTES) * HASH_BYTES) return 'its chunks do not add up'
  return undefined
}

/** True when both are one: of the same file, and with the same word on what it is. */
export const isSameSnapshot = (a: SnapshotManifest, b: SnapshotManifest): boolean =>
  a.bytes === b.bytes && snapshotManifest.encode(a).equals(snapshotManifest.encode(b))

/** Cuts the bytes of a file into chunks as they are written; a file that no manifest can name is given up before it is longer. */
export class ChunkHasher {
  private readonly hashes: Buffer[] = []
  private waiting: Uint8Array[] = []
  private waitingBytes = 0
  private total = 0

  constructor(private readonly chunksMax = CHUNKS_MAX) {}

  /** Throws `snapshot_invalid` beyond what peers can be given. */
  add(written: Uint8Array): void {
    this.total += written.length
    if (this.total > this.chunksMax * CHUNK_BYTES) {
      throw new LedgerError(
        'snapshot_invalid',
        `the snapshot is longer than the ${this.chunksMax} MiB that peers can be given`,
        {
          hint: 'Make one of a stopped node, as a file: `causeway snapshot create`.',
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

  /** What a manifest says of the file. */
  finish(): Pick<SnapshotManifest, 'bytes' | 'chunks'> {
    if (this.waitingBytes > 0) this.close()
    return { bytes: this.total, chunks: Buffer.concat(this.hashes) }
  }

  private close(): void {
    this.hashes.push(chunkHash(Buffer.concat(this.waiting)))
    this.waiting = []
    this.waitingBytes = 0
  }
}
