/**
 * Owns the records of due runs: work that features schedule for a time, found without a scan (docs/design/structure.md
 * 4).
 */
import { bytes, bytesN, type Infer, list, option, struct, u8, u16, u32, varint } from '../../codec/index.js'
import { accountId, name, RUN_KEY_MAX_BYTES } from '../../model/index.js'
import type { TableDef } from '../../state/index.js'

/** Maximum runs on one page of a minute. */
export const PAGE_RUNS_MAX = 64
/** Maximum runs of one owner in one minute, so that an owner cannot fill it for others. */
export const OWNER_RUNS_PER_MINUTE_MAX = 2_048
/** Bytes of a bitmap row; one bit per minute, or per row of minutes. */
export const ROW_BYTES = 512
export const ROW_BITS = 8 * ROW_BYTES

/** Kind and key of a run; the key is the encoded record of a feature. */
export interface RunId extends Infer<typeof runId> {}
const runId = struct('DueRunId', { kind: name, key: bytes(RUN_KEY_MAX_BYTES) })

/** Payer: runs of the chain are executed before those of owners. */
export type Payer = 'chain' | 'owner'
export const PAYERS: readonly Payer[] = ['chain', 'owner']

/** Scheduled run. */
export interface DueRun extends Infer<typeof dueRun_> {}
const dueRun_ = struct('DueRun', {
  /** Payer and authority; absent: the chain pays, and the run acts as the system account of its feature. */
  owner: option(accountId),
  /** Due minute since the Unix epoch. */
  minute: varint,
  page: u32,
  /** Consecutive failures. */
  failures: u8,
})
export const dueRuns: TableDef<RunId, DueRun> = {
  id: 55,
  name: 'due_runs',
  bound: {
    holds: 'one run that waits',
    filledBy: 'instructions of features',
    atBound:
      '2,048 of one owner a minute, then the next minutes: `due_runs_full`; leaves when it runs or fails for the third time',
  },
  key: runId,
  value: dueRun_,
}

const payer = u8
export interface PageKey extends Infer<typeof pageKey_> {}
const pageKey_ = struct('DuePageKey', { payer, minute: varint, page: u32 })
export const duePages: TableDef<PageKey, readonly RunId[]> = {
  id: 56,
  name: 'due_pages',
  bound: {
    holds: '64 runs of one minute',
    filledBy: 'instructions of features',
    atBound: 'another page; leaves with its last run',
  },
  key: pageKey_,
  value: list(runId, PAGE_RUNS_MAX),
}

export interface MinuteKey extends Infer<typeof minuteKey_> {}
const minuteKey_ = struct('DueMinuteKey', { payer, minute: varint })
/** Pages of a minute. */
export const dueMinutes: TableDef<MinuteKey, number> = {
  id: 57,
  name: 'due_minutes',
  bound: { holds: 'a count', filledBy: 'instructions of features', atBound: 'leaves with the last page' },
  key: minuteKey_,
  value: u32,
}

export interface OwnerMinute extends Infer<typeof ownerMinute_> {}
const ownerMinute_ = struct('DueOwnerMinute', { owner: accountId, minute: varint })
/** Number of runs of an owner in a minute. */
export const dueOwners: TableDef<OwnerMinute, number> = {
  id: 58,
  name: 'due_owners',
  bound: { holds: 'a count', filledBy: 'instructions of features', atBound: '2,048; leaves at zero' },
  key: ownerMinute_,
  value: u16,
}

export interface BitsKey extends Infer<typeof bitsKey_> {}
const bitsKey_ = struct('DueBitsKey', {
  payer,
  /** 0: a bit is a minute; 1: a bit is a row of level 0; 2: a row of level 1. */
  level: u8,
  row: varint,
})
/** Bitmap of minutes with runs, on three levels: the first is found with three reads, however far in the future. */
export const dueBits: TableDef<BitsKey, Uint8Array> = {
  id: 59,
  name: 'due_bits',
  bound: { holds: '4,096 bits', filledBy: 'instructions of features', atBound: 'leaves with its last bit' },
  key: bitsKey_,
  value: bytesN(ROW_BYTES),
}

export const DUE_RUN_TABLES = [dueRuns, duePages, dueMinutes, dueOwners, dueBits]
