/** Owns the tables of elections: the snapshot, its outcome, the stake of each seat. */

import { bool, type Infer, list, numeric, option, struct, u32, varint } from '../../../../codec/index.js'
import { accountId, domainId, validatorKey } from '../../../../model/index.js'
import type { TableDef } from '../../../../state/index.js'
import {
  type Election,
  type ExposureTotals,
  election,
  entityName,
  exposure,
  exposureEntry,
  PAGE_ENTRIES,
  refusalReason,
  windows,
} from '../../schema/records.js'
import { table } from '../table.js'
import { type VoterEntry, voterEntry } from '../validators/tables.js'

const snapshotCandidate_ = struct('StakingSnapshotCandidate', {
  account: accountId,
  bonded: numeric,
  registeredHeight: varint,
  /** Domain of the account, in which the entity name is unique. */
  domain: domainId,
  entity: option(entityName),
  key: validatorKey,
  peer: validatorKey,
  commissionBps: u32,
  /** Reason why it is not a candidate; absent if it is one. */
  refused: option(refusalReason),
})
export type SnapshotCandidate = Infer<typeof snapshotCandidate_>
export const snapshotCandidates: TableDef<number, readonly SnapshotCandidate[]> = table(
  605,
  'snapshot_candidates',
  u32,
  list(snapshotCandidate_, PAGE_ENTRIES),
  { holds: '64 candidates', filledBy: 'the snapshot of each epoch', atBound: 'leaves with the next epoch' },
)
/** Earlier content of pages of voters that changed since the snapshot. */
export const snapshotVoters: TableDef<number, readonly VoterEntry[]> = table(
  606,
  'snapshot_voters',
  u32,
  list(voterEntry, PAGE_ENTRIES),
  { holds: '64 voters', filledBy: 'changes after a snapshot', atBound: 'leaves when the exposures are written' },
)

/** Parameters of the election of a snapshot. */
export const electionRules = struct('StakingElectionRules', {
  maxValidators: u32,
  minValidators: u32,
  minSecurityBps: u32,
  maxNominatorBps: u32,
  maxEntityBps: u32,
})
/** Snapshot and its progress. */
export interface Snapshot extends Infer<typeof snapshot> {}
export const snapshot = struct('StakingSnapshot', {
  height: varint,
  candidatePages: u32,
  voterPages: u32,
  rules: electionRules,
  /** Lengths of the parts of the next epoch. */
  windows,
  /** True once the election was decided; its outcome is in the record, unless the roster was kept. */
  isDecided: bool,
  isKept: bool,
  /** Numbers of written seats and of written pages of exposures. */
  seatsWritten: u32,
  pagesWritten: u32,
  isWritten: bool,
})
export const elections: TableDef<number, Election> = table(609, 'elections', varint, election, {
  holds: '128 seats, 512 refusals',
  filledBy: 'each election',
  atBound: 'leaves with its epoch',
})

export const exposureKey = struct('StakingExposureKey', { term: varint, validator: accountId })
export const exposures: TableDef<Infer<typeof exposureKey>, ExposureTotals> = table(
  610,
  'exposures',
  exposureKey,
  exposure,
  { holds: 'sums', filledBy: 'each election', atBound: 'leaves with its epoch' },
)
const exposurePageKey_ = struct('StakingExposurePageKey', { term: varint, validator: accountId, page: u32 })
export const exposurePages: TableDef<Infer<typeof exposurePageKey_>, readonly Infer<typeof exposureEntry>[]> = table(
  611,
  'exposure_pages',
  exposurePageKey_,
  list(exposureEntry, PAGE_ENTRIES),
  { holds: '64 nominators', filledBy: 'each election', atBound: 'leaves with its epoch' },
)
