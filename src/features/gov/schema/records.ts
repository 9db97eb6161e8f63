/** Owns the ids, the bounds and the records of governance: tracks, electorates, choices, statuses, subjects. */
import {
  bool,
  enumOf,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  refine,
  type Schema,
  string,
  struct,
  text,
  u8,
  u16,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { accountId, assetDefinitionId, name, range, storedInstructions, validatorKey } from '../../../model/index.js'
import { agendaId } from '../../ministry/schema/records.js'

/** Ids of governance: feature 9, 1100 to 1199. */
export const GOV_IDS = range(9)
const BASE = GOV_IDS.first
/** Name of the feature; its system account is the governance account. */
export const GOV_FEATURE = 'gov'

const DAY_MS = 86_400_000
/** Maximum tracks, numbered from 0. */
export const TRACKS_MAX = 8
/** Maximum elements of the scope of a track. */
export const SCOPE_MAX = 64
/** Maximum open proposals of a track; all tracks together have 128. */
export const PLACES_MAX = 16
export const OPEN_MAX = TRACKS_MAX * PLACES_MAX
/** Maximum closed proposals whose records stay in the state. */
export const CLOSED_MAX = 128
/** Maximum open proposals of one account. */
export const OPEN_PER_ACCOUNT_MAX = 2
/** Maximum electors of a role or of the validators: one row has their ballots. */
export const ELECTORS_MAX = 256
/** Maximum ballots that a lock secures. */
export const HELD_MAX = 32
export const BPS = 10_000
/** Maximum quorum of an asset, and of a role or of the validators, in basis points. */
export const ASSET_QUORUM_MAX_BPS = 5_000
export const MEMBER_QUORUM_MAX_BPS = 6_700
export const APPROVAL_MIN_BPS = 5_000
export const APPROVAL_MAX_BPS = 9_000
/** Bounds of the times of a track, in ms. */
export const LEAD_MAX_MS = 30 * DAY_MS
export const VOTING_MIN_MS = 10_000
export const VOTING_MAX_MS = 90 * DAY_MS
export const TIMELOCK_MIN_MS = 1_000
export const TIMELOCK_MAX_MS = 30 * DAY_MS
export const GRACE_MIN_MS = 10_000
export const GRACE_MAX_MS = 30 * DAY_MS
export const STEP_MAX_MS = 90 * DAY_MS
/** Divisors that bound a deposit by the supply, and a minimum lock by the votes. */
export const DEPOSIT_DIVISOR = 100_000
export const MIN_LOCK_DIVISOR = 1_000
/** Maximum length of the texts of a proposal, in bytes. */
const TITLE_MAX_BYTES = 128
const SUMMARY_MAX_BYTES = 1_024
const LINK_MAX_BYTES = 256
/** Maximum size of the instructions of a proposal, in canonical bytes. */
export const PROPOSED_MAX_BYTES = 32 * 1024
/** Weight of a ballot by its conviction, in tenths. */
export const CONVICTION_TENTHS = [1, 10, 20, 30, 40, 50, 60] as const
export const CONVICTION_MAX = CONVICTION_TENTHS.length - 1
/** Minimum and maximum members of a council. */
export const COUNCIL_MIN = 3
export const COUNCIL_MAX = 21
/** Maximum term of a council, in ms. */
export const COUNCIL_TERM_MAX_MS = 365 * DAY_MS
/** Minimum share of the weight of a council for a veto, and for admitting and dismissing an agenda, in basis points. */
export const VETO_MIN_BPS = 5_000
export const ADMIT_BPS = 3_334
export const DISMISS_BPS = 5_000
/** Time after a veto in which the same list cannot be vetoed again, and its required approval then, in basis points. */
export const VETO_MS = 90 * DAY_MS
export const VETOED_APPROVAL_BPS = 7_500
const REASON_MAX_BYTES = 256
/** Maximum domains in one change of the protected namespaces, and approvals of a domain. */
export const NAMESPACES_MAX = 64
export const APPROVALS_MAX = 256
export const APPROVAL_TTL_MAX_MS = 90 * DAY_MS
const APPROVED_NAME_MAX_BYTES = 128

/** `*`, `subject`, `subject::verb` or `parameter::set=NAME`. */
const SCOPE = /^(?:\*|[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)?|parameter::set=[!-~]+)$/
export const scopeElement: Schema<string> = text(
  'GovScopeElement',
  160,
  (value) =>
    SCOPE.test(value)
      ? undefined
      : 'expected `*`, `subject`, `subject::verb` or `parameter::set=NAME` of an instruction',
  SCOPE.source,
)

/** Accounts that decide on a track. */
export type Electorate = Infer<typeof electorate>
export const electorate = enumOf('GovElectorate', {
  /** Locked amounts of an asset, weighted by conviction. */
  asset: [0, struct('GovAssetElectorate', { definition: assetDefinitionId })],
  /** Members of a sealed role, one vote each. */
  role: [1, struct('GovRoleElectorate', { role: name })],
  /** Members of the roster, one vote each. */
  validators: [2, undefined],
})

export const govDeposit = struct('GovDeposit', { definition: assetDefinitionId, amount: numeric })

/** Class of proposals: its scope, its electorate, and its periods, in ms. */
export interface Track extends Infer<typeof govTrack> {}
export const govTrack = struct('GovTrack', {
  name,
  scope: list(scopeElement, SCOPE_MAX),
  electorate,
  /** Minimum share of aye and abstain, without weights, in the supply or the number of electors at the submission. */
  quorumBps: u16,
  /** Share of aye in aye and nay that must be exceeded. */
  approvalBps: u16,
  /** True if the vote closes as soon as the outcome cannot change. */
  early: bool,
  deposit: option(govDeposit),
  /** Minimum lock of a proposer. */
  minLock: option(numeric),
  leadMs: varint,
  votingMs: varint,
  lateMs: varint,
  timelockMs: varint,
  graceMs: varint,
  /** Unit of the time for which conviction holds a lock. */
  stepMs: varint,
  places: u8,
})
export const foundingTracks = list(struct('GovFoundingTrack', { id: u8, track: govTrack }), TRACKS_MAX)

export type GovStatus = Infer<typeof govStatus>
export const govStatus = unitEnum('GovStatus', {
  lead: 0,
  voting: 1,
  approved: 2,
  enacted: 3,
  rejected: 4,
  withdrawn: 5,
  cancelled: 6,
  expired: 7,
  failed: 8,
})
export type Choice = Infer<typeof choice>
export const choice = unitEnum('GovChoice', { aye: 0, nay: 1, abstain: 2 })
export const conviction: Schema<number> = refine(u8, 'GovConviction', (value) =>
  value <= CONVICTION_MAX ? undefined : `a conviction must be at most ${CONVICTION_MAX}`,
)

export const proposalNumber = u32
export const proposalTitle = string(TITLE_MAX_BYTES)
export const proposalSummary = string(SUMMARY_MAX_BYTES)
export const proposalLink = option(string(LINK_MAX_BYTES))
export const proposedInstructions = storedInstructions

/** Elector of a ballot: a member of a role, or a validator by its peer. */
export type Elector = Infer<typeof elector>
export const elector = enumOf('GovElector', { account: [0, accountId], peer: [1, validatorKey] })
/** Ballot of a member of a role or of a validator. */
export interface Ballot extends Infer<typeof ballot> {}
export const ballot = struct('GovBallot', { elector, choice })
/** Ballot that a lock secures. */
export interface Held extends Infer<typeof held> {}
export const held = struct('GovHeld', { proposal: proposalNumber, choice, amount: numeric, conviction: u8 })

/** Error number of a failed list, and the index of the failed instruction; absent index: the list as a whole failed. */
export const enactmentError = struct('GovEnactmentError', { code: u16, position: option(u16) })

export const councilMember = struct('GovCouncilMember', { account: accountId, weight: u16 })
export const councilMembers = list(councilMember, COUNCIL_MAX)

/** Subject of a vote of the council. */
export type CouncilSubject = Infer<typeof councilSubject>
export const councilSubject = enumOf('GovCouncilSubject', {
  veto: [0, struct('GovVeto', { proposal: proposalNumber, forfeit: bool })],
  admit: [1, struct('GovAdmission', { agenda: agendaId })],
  dismiss: [2, struct('GovDismissal', { agenda: agendaId, reason: string(REASON_MAX_BYTES) })],
})

/** Kind of a deployment that needs an approval in a protected domain. */
export const deploymentKind = unitEnum('GovDeploymentKind', { contract: 0, package: 1 })
export const approvedName = string(APPROVED_NAME_MAX_BYTES)

/** Hash of a list of instructions, by its canonical bytes. */
export const listHash = (instructions: Uint8Array): Buffer => hash('gov-list', instructions)

const numberBytes = (number: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}
/** Digest that every ballot contains, over the chain, the number, the track with its rules, and the instructions. */
export const contentDigest = (content: {
  readonly chain: string
  readonly number: number
  readonly trackId: number
  readonly track: Track
  /** Canonical bytes of the list. */
  readonly instructions: Uint8Array
}): Buffer =>
  hash(
    'gov-content',
    Buffer.from(content.chain),
    numberBytes(content.number),
    Buffer.of(content.trackId),
    govTrack.encode(content.track),
    content.instructions,
  )

export const contentHash = hash32
export const GOV_TABLES = {
  tracks: BASE,
  state: BASE + 1,
  seals: BASE + 2,
  electors: BASE + 3,
  ready: BASE + 4,
  content: BASE + 5,
  pages: BASE + 6,
  referenda: BASE + 7,
  ballots: BASE + 8,
  locks: BASE + 9,
  outcomes: BASE + 10,
  councils: BASE + 11,
  councilVotes: BASE + 12,
  vetoes: BASE + 13,
  namespaces: BASE + 14,
  approvals: BASE + 15,
} as const
/** Read indexes: locks of an account, acts of the council by term. */
export const GOV_INDEXES = { locks: BASE, council: BASE + 1 } as const
