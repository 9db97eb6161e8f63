/** Owns the records of the instructions of staking. */
import { bool, bytesN, hash32, numeric, option, string, struct, u32, varint } from '../../../codec/index.js'
import { accountId, defineInstructions, type InstructionOf, networkKey, validatorKey } from '../../../model/index.js'
import {
  blsSignature,
  CANCEL_REASON_MAX_BYTES,
  consensusModeName,
  entityName,
  nominationTargets,
  peerAddresses,
} from './records.js'

/** Size of an Ed25519 signature, in bytes. */
const NETWORK_SIGNATURE_BYTES = 64

/** Staking account; absent: the authority. It is required in genesis, which runs as the genesis key. */
const ofAccount = { account: option(accountId) }

const amount_ = struct('StakeAmount', { ...ofAccount, amount: numeric })

const ownAmount_ = struct('OwnStakeAmount', { amount: numeric })

const nothing_ = struct('StakingNothing', {})

export const instructions = defineInstructions({
  bondStake: { id: 600, label: 'staking::bond', record: amount_ },
  rebondStake: { id: 601, label: 'staking::rebond', record: ownAmount_ },
  unbondStake: { id: 602, label: 'staking::unbond', record: ownAmount_ },
  withdrawStake: { id: 603, label: 'staking::withdraw', record: nothing_ },
  nominateValidators: {
    id: 604,
    label: 'staking::nominate',
    record: {
      ...ofAccount,
      /** Empty: ends the nomination. */
      targets: nominationTargets,
    },
  },
  registerValidator: {
    id: 605,
    label: 'staking::register_validator',
    record: {
      ...ofAccount,
      key: validatorKey,
      pop: blsSignature,
      /** BLS signature of the key over chain, account and network key: a proof of possession alone can be copied. */
      binding: blsSignature,
      networkKey,
      /**
       * Signature of the network key over chain, account and key, so that the node of another validator cannot be
       * registered.
       */
      networkBinding: bytesN(NETWORK_SIGNATURE_BYTES),
      addresses: peerAddresses,
      commissionBps: u32,
      entity: option(entityName),
    },
  },
  updateValidator: {
    id: 606,
    label: 'staking::update_validator',
    record: {
      /** An absent field is not changed; this applies to all fields. */
      addresses: option(peerAddresses),
      commissionBps: option(u32),
      entity: option(entityName),
    },
  },
  rotateValidatorKey: {
    id: 607,
    label: 'staking::rotate_key',
    record: { key: validatorKey, pop: blsSignature, binding: blsSignature },
  },
  chillValidator: { id: 608, label: 'staking::chill', record: nothing_ },
  unjailValidator: { id: 609, label: 'staking::unjail', record: nothing_ },
  attestReady: { id: 610, label: 'staking::attest', record: { height: varint, stateRoot: hash32 } },
  commitRandomness: { id: 611, label: 'staking::commit', record: { epoch: varint, commitment: hash32 } },
  revealRandomness: { id: 612, label: 'staking::reveal', record: { epoch: varint, reveal: hash32 } },
  payoutStakingReward: {
    id: 613,
    label: 'staking::payout',
    record: {
      epoch: varint,
      validator: accountId,
      /** Page of the exposure; the first one also pays the validator. */
      page: u32,
    },
  },
  fundStakingRewards: { id: 614, label: 'staking::fund', record: ownAmount_ },
  cancelSlash: {
    id: 615,
    label: 'staking::cancel_slash',
    record: { id: varint, reason: string(CANCEL_REASON_MAX_BYTES) },
  },
  stageMode: {
    id: 30,
    label: 'consensus::stage_mode',
    record: {
      nextMode: consensusModeName,
      /** First height of the new mode. */
      modeActivationHeight: varint,
      /**
       * True to switch to permissioned mode even if fewer than a quorum of the registered validators signed recently.
       */
      force: bool,
    },
  },
  cancelMode: { id: 616, label: 'consensus::cancel_mode', record: nothing_ },
})

export interface RegisterValidator extends InstructionOf<typeof instructions.registerValidator> {}
