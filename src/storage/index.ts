/** The storage layer: data directory, vote log, queue log, block store. */
export { AppendLog, type LogRecord } from './append-log.js'
export { type AuditReport, checkAuditLog } from './audit-check.js'
export { AUDIT_LOG_FILE, AuditLog } from './audit-log.js'
export { BlockStore, type BlockStoreOptions, type NewBlock } from './block-store.js'
export {
  type DataDir,
  type DataDirHolder,
  dataDirHolder,
  FORMAT_FILE,
  inspectDataDir,
  joiningFolder,
  openDataDir,
  readDataDirFormat,
  requireNotJoining,
} from './data-dir.js'
export { FAIL_POINTS, type FailPoint, failPoint } from './fail-point.js'
export { APPENDED, exists, readAt, replaceFile, syncFolder, writeDurably } from './files.js'
export { laneSlug } from './lane-folders.js'
export type { EntrySlice } from './lane-store.js'
export { LOCK_FILE } from './lock.js'
export { decodeMergeEntry } from './merge-entry.js'
export { makeFilesPrivate, makePrivate } from './private.js'
export { QUEUE_LOG_FILE, QueueLog } from './queue-log.js'
export { STAGING_LOG_FILE, StagingLog } from './staging-log.js'
export { storeSizes } from './store-sizes.js'
export { readVoteKeys, VOTE_KEYS_FILE, writeVoteKeys } from './vote-keys.js'
export { VOTE_LOG_FILE, VoteLog } from './vote-log.js'
export { markPathOf, SecondHolder, type VotedMarks, votedMarks } from './voted-mark.js'
