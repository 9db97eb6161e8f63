/** Owns what peers ask and tell each other of their snapshots. */
import { bytes, hash32, type Infer, option, struct, u32, varint } from '../../codec/index.js'
import { CHUNK_BYTES, snapshotManifest } from './manifest.js'

/** The manifest of the snapshot of a height, 0 for the newest, or nothing where there is none. */
export const snapshotWanted = varint
export interface SnapshotOffer extends Infer<typeof snapshotOffer> {}
export const snapshotOffer = struct('SnapshotOffer', { manifest: option(snapshotManifest) })

/** A chunk of the snapshot of a block. */
export interface ChunkWanted extends Infer<typeof chunkWanted> {}
export const chunkWanted = struct('ChunkWanted', { height: varint, blockHash: hash32, index: u32 })
/** Its bytes; none where the peer keeps that snapshot no longer. */
export interface SnapshotChunk extends Infer<typeof snapshotChunk> {}
export const snapshotChunk = struct('SnapshotChunk', {
  wanted: chunkWanted,
  chunk: option(bytes(CHUNK_BYTES)),
})
