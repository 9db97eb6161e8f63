/** Owns the records of the snapshots that a node keeps for peers. */
import { hash32, type Infer, list, option, string, struct, varint } from '../../codec/index.js'

/** Maximum snapshots that a node keeps. */
export const SNAPSHOTS_KEPT_MAX = 16
const TEXT_MAX_BYTES = 1024

const snapshotRecord = struct('SnapshotRecord', {
  /** Height of its last block. */
  height: varint,
  blockHash: hash32,
  /** State root after that block, from its commit certificate. */
  stateRoot: hash32,
  /** Length of its file, in bytes. */
  bytes: varint,
})

export interface SnapshotStatus extends Infer<typeof snapshotStatus> {}
export const snapshotStatus = struct('SnapshotStatus', {
  /** Height of the snapshot in progress; null if there is none. */
  making: option(varint),
  /** Failure of the last attempt; null if it succeeded. */
  failure: option(string(TEXT_MAX_BYTES)),
  /** Newest first. */
  items: list(snapshotRecord, SNAPSHOTS_KEPT_MAX),
})
