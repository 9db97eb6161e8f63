/** Owns the records of the instructions of staking, as they travel. */
import { bool, bytesN, hash32, type Infer, numeric, option, string, struct, u32, varint } from '../../../codec/index.js'
import { accountId, defineInstruction, networkKey, validatorKey } from '../../../model/index.js'
import { STAKING_INSTRUCTIONS as ID } from './ids.js'
import {
  blsSignature,
  CANCEL_REASON_MAX_BYTES,
  consensusModeName,
  entityName,
  nominationTargets,
  peerAddresses,
} from './records.js'

/** Bytes of an Ed25519 signature. */
const NETWORK_SIGNATURE_BYTES = 64

/** Whose stake it is: the authority; genesis, which runs as the genesis key, names another. */
const ofAccount = { account: option(accountId) }

const amount_ = struct('StakeAmount', { ...ofAccount, amount: numeric })
export interface StakeAmount extends Infer<typeof amount_> {}
export const bondStake = defineInstruction<StakeAmount>(ID.bondStake, 'bondStake', 'staking::bond', amount_)

const ownAmount_ = struct('OwnStakeAmount', { amount: numeric })
export interface OwnStakeAmount extends Infer<typeof ownAmount_> {}
export const rebondStake = defineInstruction<OwnStakeAmount>(
  ID.rebondStake,
  'rebondStake',
  'staking::rebond',
  ownAmount_,
)
export const unbondStake = defineInstruction<OwnStakeAmount>(
  ID.unbondStake,
  'unbondStake',
  'staking::unbond',
  ownAmount_,
)
const nothing_ = struct('StakingNothing', {})
export const withdrawStake = defineInstruction<Record<string, never>>(
  ID.withdrawStake,
  'withdrawStake',
  'staking::withdraw',
  nothing_,
)

const nominate_ = struct('NominateValidators', {
  ...ofAccount,
  /** None: nobody any more. */
  targets: nominationTargets,
})
export interface NominateValidators extends Infer<typeof nominate_> {}
export const nominateValidators = defineInstruction<NominateValidators>(
  ID.nominateValidators,
  'nominateValidators',
  'staking::nominate',
  nominate_,
)

const register_ = struct('RegisterValidator', {
  ...ofAccount,
  key: validatorKey,
  pop: blsSignature,
  /** BLS signature of the key over chain, account and network key: a proof of possession alone can be copied. */
  binding: blsSignature,
  networkKey,
  /** Signature of the network key over chain, account and key: nobody registers the node of another. */
  networkBinding: bytesN(NETWORK_SIGNATURE_BYTES),
  addresses: peerAddresses,
  commissionBps: u32,
  entity: option(entityName),
})
export interface RegisterValidator extends Infer<typeof register_> {}
export const registerValidator = defineInstruction<RegisterValidator>(
  ID.registerValidator,
  'registerValidator',
  'staking::register_validator',
  register_,
)

const update_ = struct('UpdateValidator', {
  /** Each absent: as it is. */
  addresses: option(peerAddresses),
  commissionBps: option(u32),
  entity: option(entityName),
})
export interface UpdateValidator extends Infer<typeof update_> {}
export const updateValidator = defineInstruction<UpdateValidator>(
  ID.updateValidator,
  'updateValidator',
  'staking::update_validator',
  update_,
)

const rotate_ = struct('RotateValidatorKey', { key: validatorKey, pop: blsSignature, binding: blsSignature })
export interface RotateValidatorKey extends Infer<typeof rotate_> {}
export const rotateValidatorKey = defineInstruction<RotateValidatorKey>(
  ID.rotateValidatorKey,
  'rotateValidatorKey',
  'staking::rotate_key',
  rotate_,
)
export const chillValidator = defineInstruction<Record<string, never>>(
  ID.chillValidator,
  'chillValidator',
  'staking::chill',
  nothing_,
)
export const unjailValidator = defineInstruction<Record<string, never>>(
  ID.unjailValidator,
  'unjailValidator',
  'staking::unjail',
  nothing_,
)

const attest_ = struct('AttestReady', { height: varint, stateRoot: hash32 })
export interface AttestReady extends Infer<typeof attest_> {}
export const attestReady = defineInstruction<AttestReady>(ID.attestReady, 'attestReady', 'staking::attest', attest_)

const commit_ = struct('CommitRandomness', { epoch: varint, commitment: hash32 })
export interface CommitRandomness extends Infer<typeof commit_> {}
export const commitRandomness = defineInstruction<CommitRandomness>(
  ID.commitRandomness,
  'commitRandomness',
  'staking::commit',
  commit_,
)
const reveal_ = struct('RevealRandomness', { epoch: varint, reveal: hash32 })
export interface RevealRandomness extends Infer<typeof reveal_> {}
export const revealRandomness = defineInstruction<RevealRandomness>(
  ID.revealRandomness,
  'revealRandomness',
  'staking::reveal',
  reveal_,
)

const payout_ = struct('PayoutStakingReward', {
  epoch: varint,
  validator: accountId,
  /** Page of the exposure; the first pays the validator too. */
  page: u32,
})
export interface PayoutStakingReward extends Infer<typeof payout_> {}
export const payoutStakingReward = defineInstruction<PayoutStakingReward>(
  ID.payoutStakingReward,
  'payoutStakingReward',
  'staking::payout',
  payout_,
)
export const fundStakingRewards = defineInstruction<OwnStakeAmount>(
  ID.fundStakingRewards,
  'fundStakingRewards',
  'staking::fund',
  ownAmount_,
)

const cancelSlash_ = struct('CancelSlash', { id: varint, reason: string(CANCEL_REASON_MAX_BYTES) })
export interface CancelSlash extends Infer<typeof cancelSlash_> {}
export const cancelSlash = defineInstruction<CancelSlash>(
  ID.cancelSlash,
  'cancelSlash',
  'staking::cancel_slash',
  cancelSlash_,
)

const stageMode_ = struct('StageMode', {
  nextMode: consensusModeName,
  /** First height of the new mode. */
  modeActivationHeight: varint,
  /** To permissioned although fewer than a quorum of the registered validators signed lately. */
  force: bool,
})
export interface StageMode extends Infer<typeof stageMode_> {}
export const stageMode = defineInstruction<StageMode>(ID.stageMode, 'stageMode', 'consensus::stage_mode', stageMode_)
export const cancelMode = defineInstruction<Record<string, never>>(
  ID.cancelMode,
  'cancelMode',
  'consensus::cancel_mode',
  nothing_,
)
