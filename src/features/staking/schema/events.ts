/** Owns the events of staking. */
import { hash32, numeric, option, string, struct, u32, unitEnum, varint } from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  accountParty,
  defineEvent,
  type EventSubject,
  validatorKey,
} from '../../../model/index.js'
import { STAKING_EVENTS as ID } from './ids.js'
import {
  CANCEL_REASON_MAX_BYTES,
  consensusModeName,
  nominationTargets,
  slashStatus,
  validatorStatus,
} from './records.js'

const aboutAccount: EventSubject<{ readonly account: AccountId }> = {
  subject: 'staking',
  about: ({ account }) => ({ objects: [], parties: [accountParty(account)] }),
}
const aboutValidator: EventSubject<{ readonly validator: AccountId }> = {
  subject: 'staking',
  about: ({ validator }) => ({ objects: [], parties: [accountParty(validator)] }),
}
const aboutChain: EventSubject<unknown> = { subject: 'staking' }

export const stakeChanged = defineEvent(
  ID.stakeChanged,
  'stakeChanged',
  struct('StakeChanged', {
    account: accountId,
    action: unitEnum('StakeAction', { bonded: 0, rebonded: 1, unbonded: 2, withdrawn: 3 }),
    amount: numeric,
    bonded: numeric,
  }),
  aboutAccount,
)
export const stakeNominated = defineEvent(
  ID.stakeNominated,
  'stakeNominated',
  struct('StakeNominated', { account: accountId, targets: nominationTargets }),
  aboutAccount,
)
export const stakingValidatorChanged = defineEvent(
  ID.stakingValidatorChanged,
  'stakingValidatorChanged',
  struct('StakingValidatorChanged', {
    validator: accountId,
    change: unitEnum('StakingValidatorChange', {
      registered: 0,
      updated: 1,
      keyStaged: 2,
      chilled: 3,
      unjailed: 4,
      jailed: 5,
      removed: 6,
    }),
    status: validatorStatus,
    key: validatorKey,
  }),
  aboutValidator,
)
export const stakingElected = defineEvent(
  ID.stakingElected,
  'stakingElected',
  struct('StakingElected', { epoch: varint, term: varint, seats: u32, eligible: u32, securityBps: u32 }),
  aboutChain,
)
export const stakingElectionKept = defineEvent(
  ID.stakingElectionKept,
  'stakingElectionKept',
  struct('StakingElectionKept', {
    epoch: varint,
    reason: unitEnum('StakingKeptReason', { tooFewCandidates: 0, tooFewSeats: 1 }),
  }),
  aboutChain,
)
export const stakingEpochStarted = defineEvent(
  ID.stakingEpochStarted,
  'stakingEpochStarted',
  struct('StakingEpochStarted', { epoch: varint, term: varint, start: varint, seats: u32, seed: hash32, reveals: u32 }),
  aboutChain,
)
export const stakingRewardsEarned = defineEvent(
  ID.stakingRewardsEarned,
  'stakingRewardsEarned',
  struct('StakingRewardsEarned', { epoch: varint, amount: numeric, seats: u32 }),
  aboutChain,
)
export const stakingRewardPaid = defineEvent(
  ID.stakingRewardPaid,
  'stakingRewardPaid',
  struct('StakingRewardPaid', { account: accountId, validator: accountId, epoch: varint, amount: numeric }),
  aboutAccount,
)
export const stakingRewardsFunded = defineEvent(
  ID.stakingRewardsFunded,
  'stakingRewardsFunded',
  struct('StakingRewardsFunded', { account: accountId, amount: numeric }),
  aboutAccount,
)
export const stakingSlashChanged = defineEvent(
  ID.stakingSlashChanged,
  'stakingSlashChanged',
  struct('StakingSlashChanged', {
    id: varint,
    validator: accountId,
    term: varint,
    kind: string(32),
    status: slashStatus,
    bps: u32,
    taken: numeric,
    reason: option(string(CANCEL_REASON_MAX_BYTES)),
  }),
  aboutValidator,
)
export const stakeSlashed = defineEvent(
  ID.stakeSlashed,
  'stakeSlashed',
  struct('StakeSlashed', { account: accountId, validator: accountId, slash: varint, amount: numeric }),
  aboutAccount,
)
export const stakingModeStaged = defineEvent(
  ID.stakingModeStaged,
  'stakingModeStaged',
  struct('StakingModeStaged', { mode: consensusModeName, height: varint }),
  aboutChain,
)
export const stakingModeSwitched = defineEvent(
  ID.stakingModeSwitched,
  'stakingModeSwitched',
  struct('StakingModeSwitched', { mode: consensusModeName, epoch: varint }),
  aboutChain,
)
export const stakingModeSwitchCancelled = defineEvent(
  ID.stakingModeSwitchCancelled,
  'stakingModeSwitchCancelled',
  struct('StakingModeSwitchCancelled', {
    mode: consensusModeName,
    reason: unitEnum('StakingModeCancelReason', {
      asked: 0,
      tooFewCandidates: 1,
      tooFewSeats: 2,
      late: 3,
      /** No validator is registered any more. */
      noValidator: 4,
      /** Fewer than the quorum of the registered ones signed lately. */
      quorumNotSeen: 5,
    }),
  }),
  aboutChain,
)

export const STAKING_EVENT_LIST = [
  stakeChanged,
  stakeNominated,
  stakingValidatorChanged,
  stakingElected,
  stakingElectionKept,
  stakingEpochStarted,
  stakingRewardsEarned,
  stakingRewardPaid,
  stakingRewardsFunded,
  stakingSlashChanged,
  stakeSlashed,
  stakingModeStaged,
  stakingModeSwitched,
  stakingModeSwitchCancelled,
]
