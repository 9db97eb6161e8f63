/** Owns the tables of validators, and of the lists of candidates and voters. */

import { type Infer, list, numeric, string, struct, u32, varint } from '../../../../codec/index.js'
import { type AccountId, accountId, type ValidatorKey, validatorKey } from '../../../../model/index.js'
import type { TableDef } from '../../../../state/index.js'
import { nominationTargets, PAGE_ENTRIES, type Validator, VOTERS_MAX, validator } from '../../schema/records.js'
import { table } from '../table.js'

/** Maximum length of a list name, and maximum pages of a list. */
const LIST_NAME_MAX_BYTES = 16
const LIST_PAGES_MAX = Math.ceil(VOTERS_MAX / PAGE_ENTRIES)

export const validators: TableDef<AccountId, Validator> = table(602, 'validators', accountId, validator, {
  holds: 'one validator with up to 4 addresses',
  filledBy: 'RegisterValidator',
  atBound: 'a bond of `min_self_bond` each; leaves when it unbonds',
})

const candidateEntry_ = struct('StakingCandidateEntry', { account: accountId, bonded: numeric })
export type CandidateEntry = Infer<typeof candidateEntry_>
export const candidatePages: TableDef<number, readonly CandidateEntry[]> = table(
  603,
  'candidate_pages',
  u32,
  list(candidateEntry_, PAGE_ENTRIES),
  {
    holds: '64 candidates',
    filledBy: 'RegisterValidator',
    atBound: '`max_candidates`: a larger bond displaces the smallest',
  },
)
export const voterEntry = struct('StakingVoterEntry', {
  account: accountId,
  bonded: numeric,
  targets: nominationTargets,
  /** Height of the nomination; a validator registered later under the same account is a different one. */
  nominatedHeight: varint,
})
export type VoterEntry = Infer<typeof voterEntry>
export const voterPages: TableDef<number, readonly VoterEntry[]> = table(
  604,
  'voter_pages',
  u32,
  list(voterEntry, PAGE_ENTRIES),
  { holds: '64 voters', filledBy: 'NominateValidators', atBound: '`max_voters`: a larger bond displaces the smallest' },
)

/** Smallest bond of a page, and its slot. */
export interface ListFloor extends Infer<typeof listFloor_> {}
const listFloor_ = struct('StakingListFloor', { bonded: numeric, place: u32 })
/** Smallest bonds of the pages, by list. */
export const listFloors: TableDef<string, readonly ListFloor[]> = table(
  623,
  'list_floors',
  string(LIST_NAME_MAX_BYTES),
  list(listFloor_, LIST_PAGES_MAX),
  { holds: '32 bonds', filledBy: 'RegisterValidator, NominateValidators', atBound: 'one for each page of a list' },
)

export const operators: TableDef<AccountId, AccountId> = table(619, 'operators', accountId, accountId, {
  holds: 'an account',
  filledBy: 'RegisterValidator',
  atBound: 'leaves with its validator',
})
export const peerValidators: TableDef<ValidatorKey, AccountId> = table(620, 'peers', validatorKey, accountId, {
  holds: 'an account',
  filledBy: 'RegisterValidator',
  atBound: 'leaves with its validator',
})
