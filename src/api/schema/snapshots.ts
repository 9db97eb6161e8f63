/** Owns the records of the snapshots that a node keeps for peers. */
import { hash32, type Infer, list, option, string, struct, varint } from '../../codec/index.js'

/** Snapshots that a node keeps at most. */
export const SNAPSHOTS_KEPT_MAX = 16
const TEXT_MAX_BYTES = 1024

const snapshotRecord = struct('SnapshotRecord', {
  /** The last block that it is of. */
  height: varint,
  blockHash: hash32,
  /** State root after that block, as its commit certificate has it. */
  stateRoot: hash32,
  /** Length of its file. */
  bytes: varint,
})

export interface SnapshotStatus extends Infer<typeof snapshotStatus> {}
export const snapshotStatus = struct('SnapshotStatus', {
  /** Height at which the one under way was begun; null: none is. */
  making: option(varint),
  /** Failure of the last attempt; null: it succeeded. */
  failure: option(string(TEXT_MAX_BYTES)),
  /** Newest first. */
  items: list(snapshotRecord, SNAPSHOTS_KEPT_MAX),
})
