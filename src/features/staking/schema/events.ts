/** Owns the events of staking. */
import { hash32, numeric, option, string, u32, unitEnum, varint } from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  accountParty,
  defineEvents,
  type EventSubject,
  validatorKey,
} from '../../../model/index.js'
import {
  CANCEL_REASON_MAX_BYTES,
  consensusModeName,
  modeCancelReason,
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

export const events = defineEvents({
  stakeChanged: {
    id: 600,
    record: {
      account: accountId,
      action: unitEnum('StakeAction', { bonded: 0, rebonded: 1, unbonded: 2, withdrawn: 3 }),
      amount: numeric,
      bonded: numeric,
    },
    ...aboutAccount,
  },
  stakeNominated: { id: 601, record: { account: accountId, targets: nominationTargets }, ...aboutAccount },
  stakingValidatorChanged: {
    id: 602,
    record: {
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
    },
    ...aboutValidator,
  },
  stakingElected: {
    id: 603,
    record: { epoch: varint, term: varint, seats: u32, eligible: u32, securityBps: u32 },
    ...aboutChain,
  },
  stakingElectionKept: {
    id: 604,
    record: {
      epoch: varint,
      reason: unitEnum('StakingKeptReason', { tooFewCandidates: 0, tooFewSeats: 1 }),
    },
    ...aboutChain,
  },
  stakingEpochStarted: {
    id: 605,
    record: { epoch: varint, term: varint, start: varint, seats: u32, seed: hash32, reveals: u32 },
    ...aboutChain,
  },
  stakingRewardsEarned: { id: 606, record: { epoch: varint, amount: numeric, seats: u32 }, ...aboutChain },
  stakingRewardPaid: {
    id: 607,
    record: { account: accountId, validator: accountId, epoch: varint, amount: numeric },
    ...aboutAccount,
  },
  stakingRewardsFunded: { id: 608, record: { account: accountId, amount: numeric }, ...aboutAccount },
  stakingSlashChanged: {
    id: 609,
    record: {
      id: varint,
      validator: accountId,
      term: varint,
      kind: string(32),
      status: slashStatus,
      bps: u32,
      taken: numeric,
      reason: option(string(CANCEL_REASON_MAX_BYTES)),
    },
    ...aboutValidator,
  },
  stakeSlashed: {
    id: 610,
    record: { account: accountId, validator: accountId, slash: varint, amount: numeric },
    ...aboutAccount,
  },
  stakingModeStaged: { id: 611, record: { mode: consensusModeName, height: varint }, ...aboutChain },
  stakingModeSwitched: { id: 612, record: { mode: consensusModeName, epoch: varint }, ...aboutChain },
  stakingModeSwitchCancelled: {
    id: 613,
    record: {
      mode: consensusModeName,
      reason: modeCancelReason,
    },
    ...aboutChain,
  },
})
