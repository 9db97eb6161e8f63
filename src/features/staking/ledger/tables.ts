/** Owns the tables of staking. */
import {
  bool,
  hash32,
  type Infer,
  list,
  type Numeric,
  numeric,
  option,
  type Schema,
  string,
  struct,
  u8,
  u32,
  varint,
} from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  domainId,
  ROSTER_MAX,
  type ValidatorKey,
  validatorKey,
} from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import { phaseTimeouts } from '../schema/parameters.js'
import {
  consensusModeName,
  type Election,
  type Epoch,
  type ExposureTotals,
  election,
  entityName,
  epoch,
  exposure,
  exposureEntry,
  nominationTargets,
  PAGE_ENTRIES,
  refusalReason,
  type Slash,
  type Stake,
  slash,
  stake,
  type Validator,
  VOTERS_MAX,
  validator,
  windows,
} from '../schema/records.js'

const table = <K, V>(
  id: number,
  name: string,
  key: Schema<K>,
  value: Schema<V>,
  bound: TableDef<K, V>['bound'],
): TableDef<K, V> => ({ id, name: `staking_${name}`, bound, key, value })
/** Longest name of a list, and pages of the longest list. */
const LIST_NAME_MAX_BYTES = 16
const LIST_PAGES_MAX = Math.ceil(VOTERS_MAX / PAGE_ENTRIES)
/** A key that says "the one row of this table". */
export const ONLY = ''
const only: Schema<string> = string(1)

/** What all stakes have in common. */
export interface Pool extends Infer<typeof pool_> {}
const pool_ = struct('StakingPool', {
  /** Asset that is staked, and its fraction digits: fixed while anything is staked. */
  definition: assetDefinitionId,
  scale: u8,
  /** Bonded and unbonding stake of all accounts. */
  total: numeric,
  /** Listed candidates and voters. */
  candidates: u32,
  voters: u32,
  nextSlash: varint,
})
export const pools: TableDef<string, Pool> = table(600, 'pool', only, pool_, {
  holds: 'an amount and counts',
  filledBy: 'BondStake',
  atBound: 'one row',
})

export const stakes: TableDef<AccountId, Stake> = table(601, 'stakes', accountId, stake, {
  holds: 'an amount, 16 chunks, 32 validators',
  filledBy: 'BondStake',
  atBound: '`stake_chunk_limit`, `stake_exposure_limit`; leaves when all is withdrawn',
})
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
const voterEntry_ = struct('StakingVoterEntry', {
  account: accountId,
  bonded: numeric,
  targets: nominationTargets,
  /** When it named them: who registers later under the same account is another validator. */
  nominatedHeight: varint,
})
export type VoterEntry = Infer<typeof voterEntry_>
export const voterPages: TableDef<number, readonly VoterEntry[]> = table(
  604,
  'voter_pages',
  u32,
  list(voterEntry_, PAGE_ENTRIES),
  { holds: '64 voters', filledBy: 'NominateValidators', atBound: '`max_voters`: a larger bond displaces the smallest' },
)

/** Smallest bond of a page, and its place in it. */
export interface ListFloor extends Infer<typeof listFloor_> {}
const listFloor_ = struct('StakingListFloor', { bonded: numeric, place: u32 })
/** By list: of each page the smallest. */
export const listFloors: TableDef<string, readonly ListFloor[]> = table(
  623,
  'list_floors',
  string(LIST_NAME_MAX_BYTES),
  list(listFloor_, LIST_PAGES_MAX),
  { holds: '32 bonds', filledBy: 'RegisterValidator, NominateValidators', atBound: 'one for each page of a list' },
)

const snapshotCandidate_ = struct('StakingSnapshotCandidate', {
  account: accountId,
  bonded: numeric,
  registeredHeight: varint,
  /** Domain of the account, inside of which the name of an entity counts. */
  domain: domainId,
  entity: option(entityName),
  key: validatorKey,
  peer: validatorKey,
  commissionBps: u32,
  /** Why it does not stand; absent: it does. */
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
/** Pages of voters as they were at the snapshot, of those that changed since. */
export const snapshotVoters: TableDef<number, readonly VoterEntry[]> = table(
  606,
  'snapshot_voters',
  u32,
  list(voterEntry_, PAGE_ENTRIES),
  { holds: '64 voters', filledBy: 'changes after a snapshot', atBound: 'leaves when the exposures are written' },
)

/** What the election of a snapshot follows. */
export const electionRules = struct('StakingElectionRules', {
  maxValidators: u32,
  minValidators: u32,
  minSecurityBps: u32,
  maxNominatorBps: u32,
  maxEntityBps: u32,
})
/** A snapshot and what became of it. */
export interface Snapshot extends Infer<typeof snapshot_> {}
const snapshot_ = struct('StakingSnapshot', {
  height: varint,
  candidatePages: u32,
  voterPages: u32,
  rules: electionRules,
  /** Lengths of the next epoch. */
  windows,
  /** The election was made: what it gave stands in its record, or it was kept. */
  isDecided: bool,
  isKept: bool,
  /** Seats and pages of exposures that are written; both at their ends: all. */
  seatsWritten: u32,
  pagesWritten: u32,
  isWritten: bool,
})
/** Where the chain stands in its epoch. */
export interface Calendar extends Infer<typeof calendar_> {}
const calendar_ = struct('StakingCalendar', {
  epoch: varint,
  term: varint,
  start: varint,
  windows,
  /** Times of the phases of a view by the parameters at the beginning of the epoch. */
  phases: phaseTimeouts,
  /** False in permissioned time: one open epoch. */
  isElected: bool,
  snapshot: option(snapshot_),
  nextSeed: option(struct('StakingNextSeed', { seed: hash32, strongSeed: hash32, weak: bool, reveals: u32 })),
  /** First height of the next epoch, whose record is written. */
  nextStart: option(varint),
  /** First slash that no event told of yet. */
  nextTold: varint,
  /** Oldest epoch that is kept, and the seat of it that leaves next. */
  oldestEpoch: varint,
  oldestSeat: u32,
})
export const calendars: TableDef<string, Calendar> = table(607, 'calendar', only, calendar_, {
  holds: 'one epoch',
  filledBy: 'each block',
  atBound: 'one row',
})
export const epochs: TableDef<number, Epoch> = table(608, 'epochs', varint, epoch, {
  holds: '128 seats',
  filledBy: 'each epoch',
  atBound: 'leaves after 96 epochs, once no evidence and no slash is about it',
})
export const elections: TableDef<number, Election> = table(609, 'elections', varint, election, {
  holds: '128 seats, 512 refusals',
  filledBy: 'each election',
  atBound: 'leaves with its epoch',
})

const exposureKey_ = struct('StakingExposureKey', { term: varint, validator: accountId })
export const exposures: TableDef<Infer<typeof exposureKey_>, ExposureTotals> = table(
  610,
  'exposures',
  exposureKey_,
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

const randomness_ = struct('StakingRandomness', {
  commits: list(struct('RandomnessCommit', { validator: accountId, commitment: hash32 }), ROSTER_MAX),
  reveals: list(struct('RandomnessReveal', { validator: accountId, reveal: hash32 }), ROSTER_MAX),
})
export type Randomness = Infer<typeof randomness_>
export const randomness: TableDef<number, Randomness> = table(612, 'randomness', varint, randomness_, {
  holds: '128 commitments and reveals',
  filledBy: 'CommitRandomness, RevealRandomness',
  atBound: 'leaves with its epoch',
})

export const slashes: TableDef<number, Slash> = table(613, 'slashes', varint, slash, {
  holds: 'one slash',
  filledBy: 'blocks with evidence',
  atBound: '16 of a peer in an evidence window; stays',
})
/** A term: where it began, and who proved faulty in it. */
const term_ = struct('StakingTerm', {
  start: varint,
  epoch: varint,
  members: u32,
  offenders: list(struct('StakingOffender', { validator: accountId, faults: u32 }), ROSTER_MAX),
  openSlashes: u32,
})
export type Term = Infer<typeof term_>
export const terms: TableDef<number, Term> = table(614, 'terms', varint, term_, {
  holds: '128 offenders',
  filledBy: 'each election, blocks with evidence',
  atBound: 'stays: one row for each term',
})
/** Share that faults of a term took from a validator, in bps: the highest counts, not the sum. */
export const takenShares: TableDef<Infer<typeof exposureKey_>, number> = table(615, 'taken', exposureKey_, u32, {
  holds: 'a share',
  filledBy: 'executed slashes',
  atBound: 'stays: one row for each validator and term that was slashed',
})
export const openSlashes: TableDef<AccountId, number> = table(616, 'open_slashes', accountId, u32, {
  holds: 'a count',
  filledBy: 'blocks with evidence',
  atBound: 'leaves at zero',
})

const uptime_ = struct('StakingUptime', {
  epoch: varint,
  slotStart: varint,
  /** Slots that are over. */
  slots: u32,
  /** By seat. */
  seats: list(
    struct('StakingUptimeSeat', {
      isSeen: bool,
      /** In the slot before. */
      wasSeen: bool,
      seenSlots: u32,
    }),
    ROSTER_MAX,
  ),
})
export type Uptime = Infer<typeof uptime_>
export const uptimes: TableDef<string, Uptime> = table(617, 'uptime', only, uptime_, {
  holds: '128 seats',
  filledBy: 'each block',
  atBound: 'one row; begins anew with each epoch',
})

/** Headers that a validator may show that it knows. */
export const HEADERS_KEPT = 64
const header_ = struct('StakingHeader', { height: varint, stateRoot: hash32 })
export const headers: TableDef<number, Infer<typeof header_>> = table(618, 'headers', u8, header_, {
  holds: 'a root',
  filledBy: 'each block',
  atBound: '64 rows, each used again',
})

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

const rewardKey_ = struct('StakingRewardKey', { epoch: varint, validator: accountId })
const reward_ = struct('StakingReward', {
  /** Term whose exposures it is divided by. */
  term: varint,
  amount: numeric,
  /** Pages that are paid. */
  paid: list(u32, PAGE_ENTRIES),
})
export type Reward = Infer<typeof reward_>
export const rewards: TableDef<Infer<typeof rewardKey_>, Reward> = table(621, 'rewards', rewardKey_, reward_, {
  holds: 'an amount and 64 pages',
  filledBy: 'each epoch',
  atBound: 'leaves with its epoch',
})

/** A change of mode that waits. */
export interface StagedMode extends Infer<typeof stagedMode_> {}
const stagedMode_ = struct('StakingStagedMode', {
  mode: consensusModeName,
  height: varint,
  /** Nobody has to have signed lately: asked again when the switch is made. */
  force: bool,
})
export const stagedModes: TableDef<string, StagedMode> = table(622, 'mode', only, stagedMode_, {
  holds: 'a mode and a height',
  filledBy: 'StageMode',
  atBound: 'one waits at most',
})

export const STAKING_TABLE_LIST = [
  pools,
  stakes,
  validators,
  candidatePages,
  voterPages,
  listFloors,
  snapshotCandidates,
  snapshotVoters,
  calendars,
  epochs,
  elections,
  exposures,
  exposurePages,
  randomness,
  slashes,
  terms,
  takenShares,
  openSlashes,
  uptimes,
  headers,
  operators,
  peerValidators,
  rewards,
  stagedModes,
]

export const NO_AMOUNT: Numeric = { mantissa: 0n, scale: 0 }
