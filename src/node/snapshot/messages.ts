/** Owns the messages of peers about snapshots. */
import { bytes, hash32, type Infer, option, struct, u32, varint } from '../../codec/index.js'
import { CHUNK_BYTES, snapshotManifest } from './manifest.js'

/** Request for the manifest of the snapshot of a height, 0 for the newest; the response may be empty. */
export const snapshotWanted = varint
export interface SnapshotOffer extends Infer<typeof snapshotOffer> {}
export const snapshotOffer = struct('SnapshotOffer', { manifest: option(snapshotManifest) })

/** Request for a chunk of the snapshot of a block. */
export interface ChunkWanted extends Infer<typeof chunkWanted> {}
export const chunkWanted = struct('ChunkWanted', { height: varint, blockHash: hash32, index: u32 })
/** Bytes of a chunk; absent if the peer no longer offers that snapshot. */
export interface SnapshotChunk extends Infer<typeof snapshotChunk> {}
export const snapshotChunk = struct('SnapshotChunk', {
  wanted: chunkWanted,
  chunk: option(bytes(CHUNK_BYTES)),
})
