/** Owns the ids of staking, and its records. Amounts are decimals of the staked asset. */

import {
  bytesN,
  enumOf,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  string,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import {
  accountId,
  BLS_SIGNATURE_BYTES,
  type IdRange,
  networkKey,
  PEER_ADDRESS_MAX_BYTES,
  PEER_ADDRESSES_MAX,
  ROSTER_MAX,
  range,
  validatorKey,
} from '../../../model/index.js'

export const STAKING_IDS = range(4)
/** Ids of the core reserved for elections. */
export const STAGE_MODE_IDS: IdRange = { first: 30, last: 30 }

/** Maximum nominations of one nominator. */
export const TARGETS_MAX = 8
/** Maximum terms for which one account has unbonded stake that it did not withdraw. */
export const CHUNKS_MAX = 16
/** Maximum validators whose slashes may still affect the stake of one account. */
export const EXPOSED_MAX = 32
/** Entries per page of a list. */
export const PAGE_ENTRIES = 64
/** Maximum length of the entity name of a validator, in bytes. */
export const ENTITY_MAX_BYTES = 64

/** Maximum length of the reason of a cancellation, in bytes. */
export const CANCEL_REASON_MAX_BYTES = 256

export const entityName = string(ENTITY_MAX_BYTES)
export const peerAddresses = list(string(PEER_ADDRESS_MAX_BYTES), PEER_ADDRESSES_MAX)
export const blsSignature = bytesN(BLS_SIGNATURE_BYTES)
export const nominationTargets = list(accountId, TARGETS_MAX)

export const stakeRole = unitEnum('StakeRole', { idle: 0, validator: 1, nominator: 2 })

/** Unbonding stake. */
export const chunk = struct('StakeChunk', {
  amount: numeric,
  /** Term in which it was unbonded. */
  term: varint,
})

/** Stake of one account. */
export interface Stake extends Infer<typeof stake> {}
export const stake = struct('Stake', {
  bonded: numeric,
  role: stakeRole,
  unbonding: list(chunk, CHUNKS_MAX),
  /** Validators that the account backed, with the last term in which the backing may have counted. */
  exposed: list(struct('StakeExposed', { validator: accountId, lastTerm: varint }), EXPOSED_MAX),
  /** Slot in the list of candidates or of voters; absent: not listed. */
  slot: option(u32),
})

/** Reason why a validator is suspended, from a height until an epoch begins. */
export type JailReason = Infer<typeof jailReason>
export const jailReason = unitEnum('StakeJailReason', { fault: 0, downtime: 1, absent: 2, withheld: 3 })

export type ValidatorStatus = Infer<typeof validatorStatus>
export const validatorStatus = enumOf('StakingValidatorStatus', {
  active: [0, undefined],
  chilled: [1, undefined],
  jailed: [2, struct('StakeJail', { reason: jailReason, since: varint, untilEpoch: varint })],
})

/** Key that becomes active with the next roster that contains it. */
export const nextKey = struct('StakeNextKey', { key: validatorKey, pop: blsSignature })

/** A registered validator. */
export interface Validator extends Infer<typeof validator> {}
export const validator = struct('StakingValidator', {
  status: validatorStatus,
  key: validatorKey,
  nextKey: option(nextKey),
  pop: blsSignature,
  /** Key with which its peer was registered. */
  peer: validatorKey,
  networkKey,
  /** Account of the network key, as which the node itself acts. */
  operator: accountId,
  addresses: peerAddresses,
  commissionBps: u32,
  /** Commission at the beginning of an epoch, from which the limit of changes in the epoch is counted. */
  commissionBase: struct('StakeCommissionBase', { epoch: varint, bps: u32 }),
  entity: option(entityName),
  registeredHeight: varint,
  /** Number of consecutive missed slots. */
  missedSlots: u32,
  /** Number of consecutive epochs without a commitment. */
  absentEpochs: u32,
  /** Height at which the validator last attested to be in sync. */
  readyHeight: option(varint),
})

/** A seat of an epoch. */
export interface EpochSeat extends Infer<typeof epochSeat> {}
export const epochSeat = struct('EpochSeat', {
  validator: accountId,
  key: validatorKey,
  /** Key with which the peer was registered. */
  peer: validatorKey,
})

/** Lengths of the parts of an epoch, in blocks. */
export const windows = struct('EpochWindows', { length: u32, commit: u32, election: u32, reveal: u32 })

/** Epoch as seen by consensus; immutable, written two heights before its first height. */
export interface Epoch extends Infer<typeof epoch> {}
export const epoch = struct('Epoch', {
  number: varint,
  /** Number of successful elections up to this epoch. */
  term: varint,
  start: varint,
  windows,
  seed: hash32,
  /** Seed of the last epoch with enough reveals. */
  strongSeed: hash32,
  weak: unitEnum('EpochSeedQuality', { strong: 0, weak: 1 }),
  /** Elected seats; empty: the registered validators vote until the next switch. */
  seats: list(epochSeat, ROSTER_MAX),
  rosterHash: hash32,
})

/** Maximum candidates of an election: the upper bound of `max_candidates`. */
export const CANDIDATES_MAX = 1_024
/** Maximum listed voters of a chain. */
export const VOTERS_MAX = 2_048
/** Reason why a candidate was excluded. */
export type RefusalReason = Infer<typeof refusalReason>
export const refusalReason = unitEnum('StakingRefusal', {
  jailed: 0,
  tooSmall: 1,
  notInSync: 2,
  keyDisabled: 3,
  notElected: 4,
})

/** Maximum refusals stored by an election: one row of 32 KiB. */
export const REFUSED_MAX = 512
export interface Election extends Infer<typeof election> {}
export const election = struct('StakingElection', {
  /** Epoch of the election. */
  epoch: varint,
  term: varint,
  snapshotHeight: varint,
  eligible: u32,
  /** Counted stake. */
  counted: numeric,
  seats: u32,
  /** Share of the total stake below which no coalition can fill f + 1 seats by its own backing, in bps. */
  securityBps: u32,
  weak: unitEnum('StakingElectionQuality', { strong: 0, weak: 1 }),
  elected: list(struct('StakingElectedSeat', { validator: accountId, support: numeric }), ROSTER_MAX),
  refused: list(struct('StakingRefused', { validator: accountId, reason: refusalReason }), REFUSED_MAX),
})

/** Total stake of a seat in a term. */
export interface ExposureTotals extends Infer<typeof exposure> {}
export const exposure = struct('StakingExposure', {
  own: numeric,
  total: numeric,
  commissionBps: u32,
  pages: u32,
})
export const exposureEntry = struct('StakingExposureEntry', { nominator: accountId, amount: numeric })

export const slashStatus = enumOf('StakingSlashStatus', {
  open: [0, undefined],
  /** Nominators processed so far. */
  executing: [1, u32],
  executed: [2, undefined],
  cancelled: [3, undefined],
})

/** Slash of a proven fault. */
export interface Slash extends Infer<typeof slash> {}
export const slash = struct('StakingSlash', {
  id: varint,
  validator: accountId,
  term: varint,
  kind: string(32),
  height: varint,
  view: u32,
  evidenceHash: hash32,
  /** Both must have passed: a height, and a time in ms since the Unix epoch. */
  dueHeight: varint,
  dueMs: varint,
  status: slashStatus,
  /** Share in addition to earlier slashes of this term, in bps; fixed when the slash begins. */
  bps: u32,
  taken: numeric,
})

/** Mode in which validators are selected. */
export const consensusModeName = unitEnum('StakingMode', { permissioned: 0, npos: 1 })

/** Reason why a change of mode was cancelled. */
export const modeCancelReason = unitEnum('StakingModeCancelReason', {
  asked: 0,
  tooFewCandidates: 1,
  tooFewSeats: 2,
  late: 3,
  /** No validator is registered. */
  noValidator: 4,
  /** Fewer than a quorum of the registered validators signed recently. */
  quorumNotSeen: 5,
})
