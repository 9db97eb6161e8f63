/** Owns the queries of governance and their views. */
import { pageOf } from '../../../api/paging.js'
import { none, pageQueryFields } from '../../../api/query-inputs.js'
import {
  bool,
  hash32,
  type Infer,
  list,
  numeric,
  omissible,
  option,
  string,
  struct,
  text,
  u8,
  u16,
  u32,
  varint,
} from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  dataEvent,
  defineQueries,
  domainId,
  ROLES_MAX,
  ROSTER_MAX,
  TOKENS_MAX,
  token,
  validatorKey,
} from '../../../model/index.js'
import {
  APPROVALS_MAX,
  approvedName,
  ballot,
  COUNCIL_MAX,
  choice,
  deploymentKind,
  ELECTORS_MAX,
  enactmentError,
  GOV_IDS,
  govDeposit,
  govStatus,
  govTrack,
  HELD_MAX,
  OPEN_PER_ACCOUNT_MAX,
  proposalLink,
  proposalNumber,
  proposalSummary,
  proposalTitle,
  proposedInstructions,
  TRACKS_MAX,
} from './records.js'

const BASE = GOV_IDS.first
const name = string(128)
const height = varint

/** Seat of the council with its registration checked. */
const seat_ = struct('GovSeatView', {
  account: accountId,
  weight: u16,
  /** False if the account was removed since the appointment. */
  isSeated: bool,
})
const councilFields = {
  term: u32,
  untilMs: varint,
  /** True if the term has not ended. */
  inOffice: bool,
  members: list(seat_, COUNCIL_MAX),
  weight: u32,
  vetoBps: omissible(u16),
}
export interface CouncilView extends Infer<typeof councilView> {}
export const councilView = struct('GovCouncilView', { ...councilFields, height })

const nextStep_ = struct('GovNextStep', { proposal: proposalNumber, dueMs: varint })
export interface StatusView extends Infer<typeof statusView> {}
export const statusView = struct('GovStatusView', {
  /** Governance account; registered once governance is founded. */
  account: accountId,
  isFounded: bool,
  domain: omissible(domainId),
  tracks: u8,
  /** Number of proposals so far, and of open ones. */
  proposals: u32,
  open: u8,
  next: omissible(nextStep_),
  /** Permissions of the governance account, including those of its roles. Other holders can use them independently. */
  permissions: list(token, TOKENS_MAX * (1 + ROLES_MAX)),
  /** Definitions of the electorates. Holders of permissions on them can mint and burn votes. */
  definitions: list(assetDefinitionId, TRACKS_MAX),
  vetoBps: omissible(u16),
  council: omissible(struct('GovCouncilTermView', { term: u32, untilMs: varint })),
  atMs: varint,
  height,
})

const trackView_ = struct('GovTrackView', {
  id: u8,
  track: govTrack,
  open: u8,
  /** Members of the sealed role or of the roster; absent: the electorate is an asset. */
  electors: omissible(u16),
  /** Supply of the asset. */
  supply: omissible(numeric),
})
export interface TrackView extends Infer<typeof trackView_> {}
export interface TracksView extends Infer<typeof tracksView> {}
export const tracksView = struct('GovTracksView', { items: list(trackView_, TRACKS_MAX), height })

/** Counts of a vote: weights of aye and nay, and the limits that the rules of the proposal set for them. */
const tallyFields = {
  aye: numeric,
  nay: numeric,
  /** Aye, nay and abstain without weights. */
  ayes: numeric,
  nays: numeric,
  abstains: numeric,
  /** Supply or electors at the submission. */
  base: numeric,
  /** Sum of aye and abstain that the quorum requires. */
  quorum: numeric,
  /** Share of aye that must be exceeded, in basis points. */
  approvalBps: u16,
  isQuorate: bool,
  isApproved: bool,
}
export interface TallyRow extends Infer<typeof tallyRow_> {}
const tallyRow_ = struct('GovTally', tallyFields)

const timesFields = {
  submittedMs: varint,
  votingFromMs: varint,
  endMs: varint,
  /** Period in which an approved list is enacted. */
  enactFromMs: omissible(varint),
  enactUntilMs: omissible(varint),
  closedMs: omissible(varint),
  /** Due time of the next step; absent: the proposal is closed. */
  dueMs: omissible(varint),
}
const proposalFields = {
  proposal: proposalNumber,
  track: u8,
  trackName: name,
  title: proposalTitle,
  proposer: accountId,
  status: govStatus,
  digest: hash32,
  ...timesFields,
  tally: tallyRow_,
}
export interface ProposalItem extends Infer<typeof proposalItem_> {}
const proposalItem_ = struct('GovProposalItem', proposalFields)
export const proposalPage = pageOf('GovProposalPage', proposalItem_)

const outcomeFields = {
  /** Number of failed attempts to enact the list, and the error of the last one. */
  attempts: u8,
  error: omissible(enactmentError),
  deposit: omissible(govDeposit),
  /** True if a council can veto the list. A list that was vetoed in the last 90 days cannot be vetoed again. */
  isVetoable: bool,
}
export interface ProposalView extends Infer<typeof proposalView> {}
export const proposalView = struct('GovProposalView', {
  ...proposalFields,
  ...outcomeFields,
  summary: proposalSummary,
  link: proposalLink,
  /** Copy of the track at the submission. */
  rules: govTrack,
  instructions: proposedInstructions,
  instructionBytes: u32,
  height,
})

export interface ReferendumView extends Infer<typeof referendumView> {}
export const referendumView = struct('GovReferendumView', {
  proposal: proposalNumber,
  track: u8,
  status: govStatus,
  digest: hash32,
  ...timesFields,
  /** End of the vote without extensions. */
  plannedEndMs: varint,
  ...outcomeFields,
  height,
})

export interface TallyView extends Infer<typeof tallyView> {}
export const tallyView = struct('GovTallyView', {
  proposal: proposalNumber,
  status: govStatus,
  ...tallyFields,
  /** Ballots of a role or of the validators. */
  ballots: list(ballot, ELECTORS_MAX),
  height,
})

const heldView_ = struct('GovHeldView', {
  proposal: proposalNumber,
  choice,
  amount: numeric,
  conviction: u8,
  /** Time at which the amount is free; absent: the vote is open. */
  freeMs: omissible(varint),
})
export interface LockItem extends Infer<typeof lockItem_> {}
const lockItem_ = struct('GovLockView', {
  definition: assetDefinitionId,
  amount: numeric,
  /** Amount that no ballot currently holds. */
  free: numeric,
  held: list(heldView_, HELD_MAX),
})
export const lockPage = pageOf('GovLockPage', lockItem_)

export interface AccountView extends Infer<typeof accountView> {}
export const accountView = struct('GovAccountView', {
  account: accountId,
  /** Tracks on which the account can currently vote. */
  tracks: list(u8, TRACKS_MAX),
  /** Sealed roles that it is a member of. */
  roles: list(name, ROLES_MAX),
  /** Validators that it votes for. */
  peers: list(validatorKey, ROSTER_MAX),
  seat: omissible(struct('GovSeatOfAccount', { term: u32, weight: u16 })),
  open: list(proposalNumber, OPEN_PER_ACCOUNT_MAX),
  height,
})

export interface CouncilAct extends Infer<typeof councilAct_> {}
const councilAct_ = struct('GovCouncilAct', { height, atMs: varint, event: dataEvent })
export const councilActPage = pageOf('GovCouncilActPage', councilAct_)

export interface NamespaceItem extends Infer<typeof namespaceItem_> {}
const namespaceItem_ = struct('GovNamespaceItem', { domain: domainId, approvals: u16 })
export const namespacePage = pageOf('GovNamespacePage', namespaceItem_)

const approvalView_ = struct('GovApprovalView', {
  kind: deploymentKind,
  name: approvedName,
  digest: hash32,
  abiHash: option(hash32),
  expiresMs: varint,
  isExpired: bool,
})
export interface NamespaceView extends Infer<typeof namespaceView> {}
export const namespaceView = struct('GovNamespaceView', {
  domain: domainId,
  isProtected: bool,
  approvals: list(approvalView_, APPROVALS_MAX),
  height,
})

const unlock_ = struct('GovUnlockView', {
  definition: assetDefinitionId,
  locks: u32,
  locked: numeric,
  /** Amount that no ballot currently holds. */
  free: numeric,
  /** Time at which the next amount becomes free; open votes are not counted. */
  nextMs: omissible(varint),
})
export interface UnlocksView extends Infer<typeof unlocksView> {}
export const unlocksView = struct('GovUnlocksView', {
  items: list(unlock_, TRACKS_MAX),
  /** False if there are more than 2,000 locks, of which the first are counted. */
  isComplete: bool,
  atMs: varint,
  height,
})

const readyPeer_ = struct('GovPeerView', {
  peer: validatorKey,
  /** Account that votes for it. */
  elector: accountId,
  abi: omissible(varint),
  hash: omissible(hash32),
})
export interface PeersView extends Infer<typeof peersView> {}
export const peersView = struct('GovPeersView', {
  /** Members of the roster. */
  items: list(readyPeer_, ROSTER_MAX),
  /** Attestations of one hash that an upgrade requires. */
  quorum: u16,
  height,
})

export interface SimulationView extends Infer<typeof simulationView> {}
export const simulationView = struct('GovSimulationView', {
  /** Error code; absent: the list would succeed now. */
  error: omissible(string(64)),
  message: omissible(string(1_024)),
  /** Index of the failed instruction; absent: the list as a whole failed. */
  position: omissible(u16),
  events: list(dataEvent, 1_024),
  height,
})

const NUMBER_DIGITS = 10
const numberPlace = text('GovProposalPlace', NUMBER_DIGITS, (place) =>
  /^(0|[1-9][0-9]{0,9})$/.test(place) ? undefined : 'a cursor of this list is the number of a proposal',
)
const ACT_PLACE = /^([1-9][0-9]{0,13})\.([0-9]{1,9})$/
/** Height and number of an act of the council. */
export function actOfPlace(place: string): readonly [height: number, index: number] | undefined {
  const match = ACT_PLACE.exec(place)
  return match === null ? undefined : [Number(match[1]), Number(match[2])]
}
const actPlace = text('GovCouncilPlace', 25, (place) =>
  actOfPlace(place) === undefined ? 'a cursor of this list is written height.number' : undefined,
)

export interface ProposalQuery extends Infer<typeof proposalQuery_> {}
const proposalQuery_ = struct('GovProposalQuery', { proposal: proposalNumber })
export interface ProposalsQuery extends Infer<typeof proposalsQuery_> {}
const proposalsQuery_ = struct('GovProposalsQuery', {
  status: option(govStatus),
  track: option(u8),
  proposer: option(accountId),
  /** Open proposals only. */
  isOpen: option(bool),
  ...pageQueryFields(numberPlace),
})
export interface OfAccountQuery extends Infer<typeof ofAccountQuery_> {}
const ofAccountQuery_ = struct('GovAccountQuery', { account: accountId })
export interface LocksQuery extends Infer<typeof locksQuery_> {}
const locksQuery_ = struct('GovLocksQuery', { account: accountId, ...pageQueryFields(assetDefinitionId) })
export interface ActsQuery extends Infer<typeof actsQuery_> {}
const actsQuery_ = struct('GovCouncilActsQuery', {
  /** Absent: the last term. */
  term: option(u32),
  ...pageQueryFields(actPlace),
})
export interface NamespacesQuery extends Infer<typeof namespacesQuery_> {}
const namespacesQuery_ = struct('GovNamespacesQuery', pageQueryFields(domainId))
export interface NamespaceQuery extends Infer<typeof namespaceQuery_> {}
const namespaceQuery_ = struct('GovNamespaceQuery', { domain: domainId })
export interface SimulationQuery extends Infer<typeof simulationQuery_> {}
const simulationQuery_ = struct('GovSimulationQuery', {
  /** Track whose scope must admit the list; absent: any. */
  track: option(u8),
  instructions: proposedInstructions,
})

export const queries = defineQueries({
  govStatus: { id: BASE, input: none, output: statusView },
  govTracks: { id: BASE + 1, input: none, output: tracksView },
  /** Newest first: all open proposals and the last 128 closed ones. */
  govProposals: { id: BASE + 2, input: proposalsQuery_, output: proposalPage },
  govProposal: { id: BASE + 3, input: proposalQuery_, output: proposalView },
  govReferendum: { id: BASE + 4, input: proposalQuery_, output: referendumView },
  govTally: { id: BASE + 5, input: proposalQuery_, output: tallyView },
  govLocks: { id: BASE + 6, input: locksQuery_, output: lockPage },
  govAccount: { id: BASE + 7, input: ofAccountQuery_, output: accountView },
  /** Council in office, or the last one. */
  govCouncil: { id: BASE + 8, input: none, output: councilView },
  govCouncilActs: { id: BASE + 9, input: actsQuery_, output: councilActPage },
  govNamespaces: { id: BASE + 10, input: namespacesQuery_, output: namespacePage },
  govNamespace: { id: BASE + 11, input: namespaceQuery_, output: namespaceView },
  govUnlocks: { id: BASE + 12, input: none, output: unlocksView },
  govPeers: { id: BASE + 13, input: none, output: peersView },
  /** Run a list as the governance account would enact it now. */
  govSimulation: { id: BASE + 14, input: simulationQuery_, output: simulationView, isTrial: true },
})
