/** Owns the entries of a merge log: the positions of a lane's records in the order of the block. */
import { crc32 } from 'node:zlib'
import { BLOCK_ENTRIES_MAX } from '../model/index.js'
import type { SegmentEnd } from './segments.js'

/** Signed record of a lane's part. */
export interface MergePiece {
  /** Position among the entries of the block, from 0. */
  readonly position: number
  readonly bytes: number
}

/** Part of one block in one lane. */
export interface MergeEntry {
  readonly height: number
  /** Start of the part in the segments of the lane; its records are consecutive. */
  readonly start: SegmentEnd
  readonly pieces: readonly MergePiece[]
}

const HEAD_BYTES = 24
const PIECE_BYTES = 8
/** Maximum entry size, in bytes. */
export const MERGE_ENTRY_MAX_BYTES = HEAD_BYTES + BLOCK_ENTRIES_MAX * PIECE_BYTES + 4

/** u64 height, u32 segment, u64 offset, u32 count, count times {u32 position, u32 bytes}, u32 checksum. */
export function encodeMergeEntry(entry: MergeEntry): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + entry.pieces.length * PIECE_BYTES + 4)
  bytes.writeBigUInt64BE(BigInt(entry.height), 0)
  bytes.writeUInt32BE(entry.start.segment, 8)
  bytes.writeBigUInt64BE(BigInt(entry.start.offset), 12)
  bytes.writeUInt32BE(entry.pieces.length, 20)
  let at = HEAD_BYTES
  for (const piece of entry.pieces) {
    bytes.writeUInt32BE(piece.position, at)
    bytes.writeUInt32BE(piece.bytes, at + 4)
    at += PIECE_BYTES
  }
  bytes.writeUInt32BE(crc32(bytes.subarray(0, at)), at)
  return bytes
}

/** Entry at the start of the bytes, with its length; undefined if incomplete. */
export function decodeMergeEntry(bytes: Buffer): { entry: MergeEntry; length: number } | undefined {
  if (bytes.length < HEAD_BYTES + 4) return undefined
  const count = bytes.readUInt32BE(20)
  const end = HEAD_BYTES + count * PIECE_BYTES
  if (bytes.length < end + 4 || bytes.readUInt32BE(end) !== crc32(bytes.subarray(0, end))) return undefined
  const pieces: MergePiece[] = []
  for (let at = HEAD_BYTES; at < end; at += PIECE_BYTES) {
    pieces.push({ position: bytes.readUInt32BE(at), bytes: bytes.readUInt32BE(at + 4) })
  }
  const start = { segment: bytes.readUInt32BE(8), offset: Number(bytes.readBigUInt64BE(12)) }
  return { entry: { height: Number(bytes.readBigUInt64BE(0)), start, pieces }, length: end + 4 }
}
