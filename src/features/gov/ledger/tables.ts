/** Owns the tables of governance. */
import {
  bool,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  string,
  struct,
  u8,
  u16,
  u32,
  varint,
} from '../../../codec/index.js'
import { SINGLETON_KEY } from '../../../executor/tables.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  domainId,
  incarnation,
  name,
  type ValidatorKey,
  validatorKey,
} from '../../../model/index.js'
import { type PageTable, pageSchemas, type TableDef } from '../../../state/index.js'
import {
  APPROVALS_MAX,
  approvedName,
  type Ballot,
  ballot,
  CLOSED_MAX,
  COUNCIL_MAX,
  choice,
  deploymentKind,
  ELECTORS_MAX,
  electorate,
  enactmentError,
  GOV_TABLES,
  govDeposit,
  govStatus,
  govTrack,
  HELD_MAX,
  held,
  OPEN_MAX,
  proposalLink,
  proposalNumber,
  proposalSummary,
  proposalTitle,
  TRACKS_MAX,
  type Track,
} from '../schema/records.js'

export const tracks: TableDef<number, Track> = {
  id: GOV_TABLES.tracks,
  name: 'gov_track',
  bound: { holds: 'one track with 64 elements of scope', filledBy: 'SetTrack', atBound: '8 tracks: `bad_track`' },
  key: u8,
  value: govTrack,
}

/** Proposal that is not closed. */
export interface OpenEntry extends Infer<typeof openEntry_> {}
const openEntry_ = struct('GovOpenEntry', {
  proposal: proposalNumber,
  /** Due time of its next step. */
  dueMs: varint,
  track: u8,
  proposer: accountId,
})
export interface GovState extends Infer<typeof govState_> {}
const govState_ = struct('GovState', {
  domain: domainId,
  /** Number of the next proposal. */
  next: proposalNumber,
  /** Ordered by due time, then by number. */
  open: list(openEntry_, OPEN_MAX),
  /** Closed proposals with records, oldest first. */
  closed: list(proposalNumber, CLOSED_MAX),
  /** Tracks by their ids. */
  tracks: list(struct('GovTrackEntry', { id: u8, electorate }), TRACKS_MAX),
  /** Lowest proposal whose outcome may still hold amounts. */
  outcomesFrom: proposalNumber,
  vetoBps: option(u16),
  /** Number of councils so far. */
  terms: u32,
  /** Values when governance was founded. */
  epochLengthBlocks: u32,
  minValidators: u32,
})
/** Row that exists once governance is founded. */
export const govState: TableDef<string, GovState> = {
  id: GOV_TABLES.state,
  name: 'gov_state',
  bound: { holds: '128 open and 128 closed proposals', filledBy: 'SubmitProposal', atBound: '`too_many_proposals`' },
  key: string(1),
  value: govState_,
}
export const STATE_KEY = SINGLETON_KEY

/** Members of sealed roles. */
export const seals: TableDef<string, readonly AccountId[]> = {
  id: GOV_TABLES.seals,
  name: 'gov_seal',
  bound: { holds: '256 members', filledBy: 'SealRole, Grant', atBound: '`bad_electorate`; leaves with its role' },
  key: name,
  value: list(accountId, ELECTORS_MAX),
}

/** Account that votes for a validator instead of the account of its network key. */
export interface ElectorRow extends Infer<typeof electorRow_> {}
const electorRow_ = struct('GovElectorRow', { account: accountId, incarnation })
export const electors: TableDef<ValidatorKey, ElectorRow> = {
  id: GOV_TABLES.electors,
  name: 'gov_elector',
  bound: { holds: 'an account', filledBy: 'SetElector', atBound: 'one for each peer that was registered' },
  key: validatorKey,
  value: electorRow_,
}

export interface ReadyRow extends Infer<typeof readyRow_> {}
const readyRow_ = struct('GovReadyRow', { abi: varint, hash: hash32 })
export const ready: TableDef<ValidatorKey, ReadyRow> = {
  id: GOV_TABLES.ready,
  name: 'gov_ready',
  bound: { holds: 'an ABI', filledBy: 'AttestAbi', atBound: 'one for each peer that was registered' },
  key: validatorKey,
  value: readyRow_,
}

export interface ContentRow extends Infer<typeof contentRow_> {}
const contentRow_ = struct('GovContentRow', {
  proposer: accountId,
  trackId: u8,
  track: govTrack,
  title: proposalTitle,
  summary: proposalSummary,
  link: proposalLink,
  digest: hash32,
  /** Hash of the list alone. */
  listHash: hash32,
  instructionBytes: varint,
  instructionWeight: varint,
})
/** Content of a proposal; immutable. */
export const contents: TableDef<number, ContentRow> = {
  id: GOV_TABLES.content,
  name: 'gov_content',
  bound: {
    holds: 'texts of 1.5 KiB and the copy of a track',
    filledBy: 'SubmitProposal',
    atBound: 'leaves when 128 later proposals are closed',
  },
  key: proposalNumber,
  value: contentRow_,
}
export const contentPages: PageTable<number> = {
  id: GOV_TABLES.pages,
  name: 'gov_content_page',
  bound: { holds: 'instructions of 32 KiB', filledBy: 'SubmitProposal', atBound: 'leaves with the content' },
  ...pageSchemas('GovContentPageKey', proposalNumber),
}

/**
 * Counts of an asset electorate during its vote, and of every electorate once the vote is closed. Weights in tenths.
 */
export interface Tally extends Infer<typeof tally_> {}
const tally_ = struct('GovTallyRow', { aye: numeric, nay: numeric, ayes: numeric, nays: numeric, abstains: numeric })
/** Rules copied from the track to a proposal; its ballots and steps follow this copy. */
export interface Rules extends Infer<typeof rules_> {}
const rules_ = struct('GovRules', {
  electorate,
  quorumBps: u16,
  approvalBps: u16,
  early: bool,
  lateMs: varint,
  timelockMs: varint,
  graceMs: varint,
  stepMs: varint,
})
export interface Referendum extends Infer<typeof referendum_> {}
const referendum_ = struct('GovReferendum', {
  track: u8,
  proposer: accountId,
  digest: hash32,
  status: govStatus,
  rules: rules_,
  submittedMs: varint,
  votingFromMs: varint,
  /** End without extensions, end with extensions, and the upper bound of the end. */
  plannedEndMs: varint,
  endMs: varint,
  lastEndMs: varint,
  enactFromMs: option(varint),
  enactUntilMs: option(varint),
  closedMs: option(varint),
  dueMs: option(varint),
  /** Supply or electors at the submission. */
  base: numeric,
  tally: tally_,
  /** Number of failed attempts to enact the list. */
  attempts: u8,
  error: option(enactmentError),
  /** Consecutive failed steps. */
  faults: u8,
  /** Absent: no deposit was made, or it was paid out. */
  deposit: option(govDeposit),
  isVetoable: bool,
})
export const referenda: TableDef<number, Referendum> = {
  id: GOV_TABLES.referenda,
  name: 'gov_referendum',
  bound: { holds: 'status, times and counts', filledBy: 'SubmitProposal', atBound: 'leaves with the content' },
  key: proposalNumber,
  value: referendum_,
}

export const ballots: TableDef<number, readonly Ballot[]> = {
  id: GOV_TABLES.ballots,
  name: 'gov_ballots',
  bound: { holds: '256 ballots', filledBy: 'CastBallot', atBound: 'one for each elector; leaves with the content' },
  key: proposalNumber,
  value: list(ballot, ELECTORS_MAX),
}

/** Lock of an account. */
export interface LockKey extends Infer<typeof lockKey_> {}
const lockKey_ = struct('GovLockKey', { definition: assetDefinitionId, account: accountId })
export interface Lock extends Infer<typeof lock_> {}
const lock_ = struct('GovLock', { amount: numeric, held: list(held, HELD_MAX) })
export const locks: TableDef<LockKey, Lock> = {
  id: GOV_TABLES.locks,
  name: 'gov_lock',
  bound: {
    holds: '32 ballots',
    filledBy: 'LockVotes, CastBallot',
    atBound: '`ballot_limit`; leaves when it is withdrawn',
  },
  key: lockKey_,
  value: lock_,
}

/** Outcome of a vote. No other record holds amounts of closed votes. */
export interface Outcome extends Infer<typeof outcome_> {}
const outcome_ = struct('GovOutcome', { winner: choice, endMs: varint, stepMs: varint })
/** Outcomes by proposal number. A later proposal never replaces an outcome, which would free its locks early. */
export const outcomes: TableDef<number, Outcome> = {
  id: GOV_TABLES.outcomes,
  name: 'gov_outcome',
  bound: {
    holds: 'one outcome',
    filledBy: 'steps of proposals',
    atBound: 'leaves once its longest conviction has ended',
  },
  key: proposalNumber,
  value: outcome_,
}

export interface CouncilSeat extends Infer<typeof councilSeat_> {}
const councilSeat_ = struct('GovCouncilSeat', { account: accountId, weight: u16, incarnation })
export interface Council extends Infer<typeof council_> {}
const council_ = struct('GovCouncil', { untilMs: varint, members: list(councilSeat_, COUNCIL_MAX) })
/** Councils by term, from 1. */
export const councils: TableDef<number, Council> = {
  id: GOV_TABLES.councils,
  name: 'gov_council',
  bound: { holds: '21 members', filledBy: 'AppointCouncil', atBound: 'one for each term' },
  key: u32,
  value: council_,
}

/** Votes of a council on a subject. */
export interface CouncilVotes extends Infer<typeof councilVotes_> {}
const councilVotes_ = struct('GovCouncilVotes', {
  term: u32,
  voters: list(accountId, COUNCIL_MAX),
  /** True while all votes for the veto also forfeit the deposit. */
  forfeit: bool,
})
export const councilVotes: TableDef<string, CouncilVotes> = {
  id: GOV_TABLES.councilVotes,
  name: 'gov_council_votes',
  bound: { holds: '21 votes', filledBy: 'CouncilVote', atBound: 'leaves with the decision or the proposal' },
  key: string(32),
  value: councilVotes_,
}

/** End of the time in which a vetoed list cannot be vetoed again, by list hash. */
export const vetoes: TableDef<Uint8Array, number> = {
  id: GOV_TABLES.vetoes,
  name: 'gov_veto',
  bound: {
    holds: 'a time',
    filledBy: 'vetoes of a council',
    atBound: 'leaves when the list is proposed after its time',
  },
  key: hash32,
  value: varint,
}

export interface NamespaceRow extends Infer<typeof namespaceRow_> {}
const namespaceRow_ = struct('GovNamespaceRow', {
  approvals: list(struct('GovApprovalEntry', { id: hash32, expiresMs: varint }), APPROVALS_MAX),
})
export const namespaces: TableDef<string, NamespaceRow> = {
  id: GOV_TABLES.namespaces,
  name: 'gov_namespace',
  bound: {
    holds: '256 approvals',
    filledBy: 'ApproveDeployment',
    atBound: '`bad_parameter`; expired ones leave first',
  },
  key: domainId,
  value: namespaceRow_,
}

export interface Approval extends Infer<typeof approval_> {}
const approval_ = struct('GovApproval', {
  domain: domainId,
  kind: deploymentKind,
  name: approvedName,
  digest: hash32,
  abiHash: option(hash32),
  expiresMs: varint,
})
export const approvals: TableDef<Uint8Array, Approval> = {
  id: GOV_TABLES.approvals,
  name: 'gov_approval',
  bound: { holds: 'one approval', filledBy: 'ApproveDeployment', atBound: '256 of a domain; leaves when it is used' },
  key: hash32,
  value: approval_,
}

export const GOV_TABLE_LIST = [
  tracks,
  govState,
  seals,
  electors,
  ready,
  contents,
  contentPages,
  referenda,
  ballots,
  locks,
  outcomes,
  councils,
  councilVotes,
  vetoes,
  namespaces,
  approvals,
]
