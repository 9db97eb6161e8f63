/** Owns the lane totals of a block: one leaf per used lane, with their root in the header (docs/design/lanes.md 7). */
import { hash32, type Infer, struct, u32, varint, varintBig } from '../codec/index.js'
import { hash, merkleRoot } from '../crypto/index.js'
import { type LaneSettlementCommitment, NO_SETTLEMENT, settlementHashOf } from './settlement.js'

/** Chunk size of the data-availability commitment, in bytes; a protocol constant. */
export const LANE_CHUNK_BYTES = 64 * 1024

/** Totals of one lane in one block. */
export interface LaneCommitment extends Infer<typeof laneCommitment> {}
export const laneCommitment = struct('LaneCommitment', {
  height: varint,
  lane: u32,
  dataspace: varintBig,
  txCount: u32,
  /** Bytes of the lane's signed records, in block order. */
  bytes: varint,
  chunks: u32,
  /** Metered transaction execution units. */
  teu: varint,
  /** Merkle root of the signed hashes of the lane. */
  txRoot: hash32,
  /** Merkle root of the 64 KiB pieces of the lane's signed records. */
  chunkRoot: hash32,
  /** Hash of the lane's settlement commitment; zero for none. */
  settlementHash: hash32,
})

/** Fields of a transaction that count toward the totals of its lane. */
export interface LaneEntry {
  readonly lane: number
  readonly dataspace: bigint
  readonly signedBytes: Uint8Array
  readonly signedHash: Uint8Array
  readonly teu: number
}

/** Commitments of a block, one per used lane, ascending by lane. */
export function laneCommitments(
  height: number,
  entries: readonly LaneEntry[],
  settlements: readonly LaneSettlementCommitment[] = [],
): LaneCommitment[] {
  const settled = new Map(settlements.map((one) => [one.lane, settlementHashOf(one)]))
  return [...byLane(entries).values()]
    .sort((a, b) => a.lane - b.lane)
    .map(({ lane, dataspace, records, signedHashes, teu, bytes }) => {
      const pieces = chunkHashes(records, bytes)
      return {
        height,
        lane,
        dataspace,
        txCount: records.length,
        bytes,
        chunks: pieces.length,
        teu,
        txRoot: merkleRoot(signedHashes),
        chunkRoot: merkleRoot(pieces),
        settlementHash: settled.get(lane) ?? NO_SETTLEMENT,
      }
    })
}

/** Transactions of one lane, in block order. */
interface LaneContent {
  readonly lane: number
  readonly dataspace: bigint
  readonly records: Uint8Array[]
  readonly signedHashes: Uint8Array[]
  teu: number
  bytes: number
}

/** Transactions by their lanes. */
function byLane(entries: readonly LaneEntry[]): Map<number, LaneContent> {
  const lanes = new Map<number, LaneContent>()
  for (let at = 0; at < entries.length; at += 1) {
    const { lane, dataspace, signedBytes, signedHash, teu } = entries[at]!
    let content = lanes.get(lane)
    if (content === undefined) {
      content = { lane, dataspace, records: [], signedHashes: [], teu: 0, bytes: 0 }
      lanes.set(lane, content)
    }
    content.records.push(signedBytes)
    content.signedHashes.push(signedHash)
    content.teu += teu
    content.bytes += signedBytes.length
  }
  return lanes
}

/** Hashes of the 64 KiB pieces of the concatenated records. */
function chunkHashes(records: readonly Uint8Array[], bytes: number): Buffer[] {
  const all = Buffer.concat(records, bytes)
  const hashes: Buffer[] = []
  for (let at = 0; at < all.length; at += LANE_CHUNK_BYTES) {
    hashes.push(hash('lane-chunk', all.subarray(at, at + LANE_CHUNK_BYTES)))
  }
  return hashes
}

/** `laneCommitmentRoot` of a header; it binds the leaf count, so that a proof is valid for one index only. */
export function laneCommitmentRoot(commitments: readonly LaneCommitment[]): Buffer {
  return boundLaneRoot(commitments.length, merkleRoot(commitments.map(laneLeaf)))
}

/** Leaf of one lane. */
export const laneLeaf = (commitment: LaneCommitment): Buffer => hash('lane-leaf', laneCommitment.encode(commitment))

/** The Merkle root of the leaves, bound to their count. */
export function boundLaneRoot(leafCount: number, root: Uint8Array): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(leafCount)
  return hash('lane-root', count, root)
}

/** Sums of the lanes of a dataspace in one block. */
export interface DataspaceTotals {
  readonly dataspace: bigint
  readonly txCount: number
  readonly bytes: number
  readonly chunks: number
  readonly teu: number
}

/** Totals by dataspace, ascending. */
export function dataspaceTotals(commitments: readonly LaneCommitment[]): DataspaceTotals[] {
  const sums = new Map<bigint, DataspaceTotals>()
  for (const { dataspace, txCount, bytes, chunks, teu } of commitments) {
    const before = sums.get(dataspace) ?? { dataspace, txCount: 0, bytes: 0, chunks: 0, teu: 0 }
    sums.set(dataspace, {
      dataspace,
      txCount: before.txCount + txCount,
      bytes: before.bytes + bytes,
      chunks: before.chunks + chunks,
      teu: before.teu + teu,
    })
  }
  return [...sums.values()].sort((a, b) => (a.dataspace < b.dataspace ? -1 : 1))
}
