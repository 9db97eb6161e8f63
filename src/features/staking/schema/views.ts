/** Owns the queries of staking and their views. */

import { accountCursor, numberCursor, rewardCursor, stakeCursor } from '../../../api/cursors.js'
import { pageOf } from '../../../api/paging.js'
import { accountText, none, pageQueryFields } from '../../../api/query-inputs.js'
import {
  bool,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  refine,
  string,
  struct,
  u32,
  varint,
} from '../../../codec/index.js'
import {
  ADDRESS_PATTERN,
  ALIAS_PATTERN,
  accountId,
  assetDefinitionId,
  defineQueries,
  ROSTER_MAX,
  validatorKey,
} from '../../../model/index.js'
import {
  election,
  epoch,
  exposure,
  modeCancelReason,
  nominationTargets,
  slash,
  stake,
  TARGETS_MAX,
  validator,
  windows,
} from './records.js'

/** Position in a list of accounts: its address. */

/** Validator with its stake. */
export interface StakingValidatorView extends Infer<typeof validatorView> {}
export const validatorView = struct('StakingValidatorView', {
  account: accountId,
  validator,
  bonded: numeric,
  /** Absent: the validator is chilled, or candidates with larger bonds fill the list. */
  isListed: bool,
  hasSeat: bool,
  /** Stake behind its seat in this term. */
  exposure: option(exposure),
  openSlashes: u32,
})
export const validatorPage = pageOf('StakingValidatorPage', validatorView)
export interface ValidatorsQuery extends Infer<typeof validatorsQuery> {}
const validatorsQuery = struct('StakingValidatorsQuery', pageQueryFields(accountCursor))
export interface AccountQuery extends Infer<typeof accountQuery> {}
const accountQuery = struct('StakingAccountQuery', { account: accountId })

/** Stake of an account. */
export interface StakeView extends Infer<typeof stakeView> {}
export const stakeView = struct('StakeView', {
  account: accountId,
  definition: assetDefinitionId,
  stake,
  targets: nominationTargets,
  /** Part of the unbonding amount that can currently be withdrawn. */
  free: numeric,
  isFrozen: bool,
  height: varint,
})

/** Total stake, and the position of the chain in its epoch. */
export interface StakingStatusView extends Infer<typeof statusView> {}
export const statusView = struct('StakingStatusView', {
  mode: string(16),
  definition: option(assetDefinitionId),
  total: numeric,
  candidates: u32,
  voters: u32,
  epoch: varint,
  term: varint,
  height: varint,
})

/** Calendar of the current epoch. */
export interface StakingEpochView extends Infer<typeof epochView> {}
export const epochView = struct('StakingEpochView', {
  mode: string(16),
  stagedMode: option(string(16)),
  stagedHeight: option(varint),
  /** Last change of mode, if it was cancelled at its height. */
  cancelledMode: option(
    struct('StakingCancelledModeView', { mode: string(16), height: varint, reason: modeCancelReason }),
  ),
  epoch: varint,
  term: varint,
  start: varint,
  windows,
  /** Number of blocks until the next epoch; absent in permissioned mode. */
  blocksLeft: option(u32),
  /** Step of the calendar: `open`, `commit`, `election`, `reveal`, `closing`. */
  step: string(16),
  record: option(epoch),
  election: option(election),
  /** Election of the next epoch, once it is decided. */
  nextElection: option(election),
  commits: u32,
  reveals: u32,
  keptElections: u32,
  height: varint,
})
export interface EpochQuery extends Infer<typeof epochQuery> {}
const epochQuery = struct('StakingEpochQuery', { epoch: option(varint) })

const electionQuery = struct('StakingElectionQuery', { epoch: varint })
const randomnessView = struct('StakingRandomnessView', {
  epoch: varint,
  commits: list(struct('StakingCommitView', { validator: accountId, commitment: hash32 }), ROSTER_MAX),
  reveals: list(struct('StakingRevealView', { validator: accountId, reveal: hash32 }), ROSTER_MAX),
})

/** Duties of a validator node at the next height. */
export interface DutyView extends Infer<typeof dutyView> {}
const dutyView = struct('StakingDutyView', {
  validator: accountId,
  epoch: varint,
  /** `commitRandomness`, `revealRandomness`, `attestReady`; empty if none is due. */
  duties: list(string(32), 3),
  /** Key of its seat in this epoch. */
  key: option(validatorKey),
  /** Newest header that may be attested. */
  header: option(struct('StakingDutyHeader', { height: varint, stateRoot: hash32 })),
})

/** Reward with unpaid pages. */
export interface PendingReward extends Infer<typeof pendingReward> {}
const pendingReward = struct('StakingPendingReward', {
  epoch: varint,
  validator: accountId,
  amount: numeric,
  commissionBps: u32,
  /** Number of pages to pay, numbered from 0; `paid` lists the pages that are paid. */
  pages: u32,
  paid: list(u32, 64),
})
export const rewardPage = pageOf('StakingRewardPage', pendingReward)
export interface RewardsQuery extends Infer<typeof rewardsQuery> {}
const rewardsQuery = struct('StakingRewardsQuery', {
  account: option(accountId),
  ...pageQueryFields(rewardCursor),
})

export const slashPage = pageOf('StakingSlashPage', slash)
export interface SlashesQuery extends Infer<typeof slashesQuery> {}
const slashesQuery = struct('StakingSlashesQuery', {
  account: option(accountId),
  ...pageQueryFields(numberCursor),
})

/** Event in the stake history of an account. */
export interface StakeHistoryItem extends Infer<typeof historyItem> {}
export const historyItem = struct('StakeHistoryItem', {
  height: varint,
  atMs: varint,
  /** `bonded`, `rebonded`, `unbonded`, `withdrawn`, `paid`, `funded`, `slashed`. */
  action: string(16),
  amount: numeric,
  /** Validator and epoch of a payout, or validator and slash of a slash. */
  validator: option(accountId),
  epoch: option(varint),
  slash: option(varint),
})
export const historyPage = pageOf('StakeHistoryPage', historyItem)
export interface HistoryQuery extends Infer<typeof historyQuery> {}
const historyQuery = struct('StakeHistoryQuery', { account: accountId, ...pageQueryFields(stakeCursor) })

/** Seats of a simulated election. */
const simulatedSeat = struct('StakingSimulatedSeat', {
  validator: accountId,
  support: numeric,
  /** Support of the seat without the change; absent if the validator would have no seat. */
  before: option(numeric),
})
/** Result of an election on the current state, and the effect of a nomination on it. */
export interface SimulationView extends Infer<typeof simulationView> {}
export const simulationView = struct('StakingSimulationView', {
  eligible: u32,
  seats: list(simulatedSeat, ROSTER_MAX),
  securityBps: u32,
  securityBpsBefore: u32,
  /** Validators that would lose their seat by the change. */
  lost: list(accountId, ROSTER_MAX),
  height: varint,
})
export interface SimulationQuery extends Infer<typeof simulationQuery> {}
const simulationQuery = struct('StakingSimulationQuery', {
  account: option(accountId),
  amount: option(numeric),
  targets: nominationTargets,
})

/** Maximum length of a list of targets in a route parameter: addresses and commas, in bytes. */
const TARGETS_TEXT_MAX_BYTES = TARGETS_MAX * 512
const oneTarget = `(${ADDRESS_PATTERN}|${ALIAS_PATTERN})`
/** Targets as text; each is checked against the chain when it is resolved. */
const targetsText = refine(string(TARGETS_TEXT_MAX_BYTES), 'StakingTargetsText', () => undefined, {
  pattern: `^${oneTarget}(,${oneTarget})*$`,
})
export const simulationParameters = struct('StakingSimulationParameters', {
  account: option(accountText),
  amount: option(numeric),
  /** Addresses or aliases, separated by commas. */
  targets: option(targetsText),
})

export const queries = defineQueries({
  stakingStatus: { id: 609, input: none, output: statusView },
  stakingValidators: { id: 600, input: validatorsQuery, output: validatorPage },
  stakingValidator: { id: 601, input: accountQuery, output: validatorView },
  stakingStake: { id: 602, input: accountQuery, output: stakeView },
  stakingEpoch: { id: 603, input: epochQuery, output: epochView },
  stakingElection: { id: 604, input: electionQuery, output: election },
  stakingRandomness: { id: 607, input: electionQuery, output: randomnessView },
  stakingRewards: { id: 605, input: rewardsQuery, output: rewardPage },
  stakingSlashes: { id: 606, input: slashesQuery, output: slashPage },
  stakingHistory: { id: 608, input: historyQuery, output: historyPage },
  stakingDuty: { id: 611, input: accountQuery, output: dutyView },
  stakingSimulation: { id: 610, input: simulationQuery, output: simulationView, isTrial: true },
})
