/**
 * Owns the tables that block execution itself reads and writes: parameters, peers, schedule of committees, failures,
 * replay window.
 */
import {
  bytes,
  bytesN,
  hash32,
  type Infer,
  list,
  map,
  option,
  type Schema,
  string,
  struct,
  u32,
  varint,
} from '../codec/index.js'
import { LANE_TABLES } from '../lanes/index.js'
import {
  BLS_SIGNATURE_BYTES,
  evidence,
  name,
  type Peer,
  peer,
  ROSTER_MAX,
  type ValidatorKey,
  validatorKey,
} from '../model/index.js'
import type { TableDef } from '../state/index.js'
import { DUE_RUN_TABLES } from './due-runs/tables.js'

/** Maximum encoded parameter value, in bytes. */
const PARAMETER_MAX_BYTES = 16 * 1024

/** Maximum registered peers, including observers: four per seat of the largest roster. */
export const PEERS_MAX = 4 * ROSTER_MAX
/**
 * Maximum roster changes kept for evidence; one per block of the longest horizon is possible but rare. Their heights
 * are one row.
 */
export const ROSTER_STARTS_MAX = 4_000
/** Maximum keys of one peer that are not disabled: the active one, its successor and overlapping ones. */
export const PEER_KEYS_MAX = 8

/**
 * Maximum staged changes of a parameter. A change takes effect one or two heights after its block, so two can wait; the
 * third is slack.
 */
const STAGED_MAX = 3

/** Parameter: its current value, and the heights of its staged changes, ascending. */
export interface ParameterRow extends Infer<typeof parameterRow> {}
const parameterRow = struct('ParameterRow', {
  current: bytes(PARAMETER_MAX_BYTES),
  staged: list(varint, STAGED_MAX),
})
export const parameters: TableDef<string, ParameterRow> = {
  id: 1,
  name: 'parameters',
  bound: {
    holds: 'a value and the heights of up to 3 changes',
    filledBy: 'SetParameter, genesis',
    atBound: 'a change for a height that one waits for replaces it',
  },
  key: name,
  value: parameterRow,
}

/** Key of a staged change of a parameter. */
export interface StagedParameterKey extends Infer<typeof stagedParameterKey_> {}
const stagedParameterKey_ = struct('StagedParameterKey', { parameter: name, fromHeight: varint })
export const stagedParameters: TableDef<StagedParameterKey, Uint8Array> = {
  id: 49,
  name: 'staged_parameters',
  bound: {
    holds: 'one value',
    filledBy: 'SetParameter',
    atBound: 'two heights can wait; becomes current at its height and leaves',
  },
  key: stagedParameterKey_,
  value: bytes(PARAMETER_MAX_BYTES),
}

/** Registered peers by their BLS key. */
export const peers: TableDef<ValidatorKey, Peer> = {
  id: 2,
  name: 'peers',
  bound: {
    holds: 'one peer with up to 4 addresses',
    filledBy: 'RegisterPeer',
    atBound: 'at most 512 peers: `membership_cap`',
  },
  key: validatorKey,
  value: peer,
}

/** Key of the only row of a table. */
const only: Schema<string> = string(1)
export const SINGLETON_KEY = ''

/** Keys of all registered peers: execution cannot iterate a table. */
export const peerList: TableDef<string, readonly ValidatorKey[]> = {
  id: 3,
  name: 'peer_list',
  bound: { holds: '512 keys', filledBy: 'RegisterPeer', atBound: '`membership_cap`' },
  key: only,
  value: list(validatorKey, PEERS_MAX),
}

/**
 * Last height at which a view of each peer failed, for peers that are still demoted (docs/design/consensus.md 2). Keyed
 * by peer, so that a key rotation does not end a demotion.
 */
export const failures: TableDef<string, ReadonlyMap<ValidatorKey, number>> = {
  id: 4,
  name: 'failures',
  bound: {
    holds: '512 registered peers',
    filledBy: 'each block',
    atBound: 'an entry is removed when it demotes no validator any more, or with its peer',
  },
  key: only,
  value: map(validatorKey, varint, PEERS_MAX),
}

/** Members that propose last at a height, determined by the state two heights before. */
export interface ScheduleRow extends Infer<typeof scheduleRow> {}
const scheduleRow = struct('ScheduleRow', { demoted: list(validatorKey, ROSTER_MAX) })
export const schedule: TableDef<number, ScheduleRow> = {
  id: 5,
  name: 'schedule',
  bound: { holds: '128 demoted members', filledBy: 'each block', atBound: 'rows of past heights leave' },
  key: varint,
  value: scheduleRow,
}

/** Digest of the transaction ids of a block, until the last of them expires (docs/design/ledger.md 5). */
export interface ReplayRow extends Infer<typeof replayRow> {}
const replayRow = struct('ReplayRow', { digest: hash32, lastExpiryMs: varint })
export const replay: TableDef<number, ReplayRow> = {
  id: 6,
  name: 'replay',
  bound: { holds: 'a digest', filledBy: 'each block', atBound: 'leaves when the last of its transactions has expired' },
  key: varint,
  value: replayRow,
}

/** Oldest height with a possible replay row. */
export const replayStart: TableDef<string, number> = {
  id: 7,
  name: 'replay_start',
  bound: { holds: 'a height', filledBy: 'each block', atBound: 'one row' },
  key: only,
  value: varint,
}

/** Permanent properties of the chain from genesis. */
export interface ChainRow extends Infer<typeof chainRow> {}
const chainRow = struct('ChainRow', {
  chain: string(64),
  addressPrefix: string(16),
  consensusMode: string(16),
  genesisSeed: hash32,
  /** Number of the active ABI. */
  abi: varint,
  /** Hash of the active ABI; absent until the first upgrade. */
  abiHash: option(hash32),
  nextAbi: option(struct('NextAbi', { abi: varint, hash: hash32, fromHeight: varint })),
})
export const chainInfo: TableDef<string, ChainRow> = {
  id: 8,
  name: 'chain',
  bound: {
    holds: 'the settings of genesis and the next ABI',
    filledBy: 'genesis, ActivateUpgrade',
    atBound: 'one row; one ABI waits at most',
  },
  key: only,
  value: chainRow,
}

/** Roster from a height until the next row. */
export interface RosterRow extends Infer<typeof rosterRow> {}
const rosterRow = struct('RosterRow', {
  epoch: varint,
  seed: hash32,
  /** Consensus keys in roster order, which is byte order. */
  roster: list(validatorKey, ROSTER_MAX),
  /** Peer of each key that differs from its peer's registered key. */
  rotated: map(validatorKey, validatorKey, ROSTER_MAX),
})
/** Rosters by first height; stored as long as evidence of their heights is admitted. */
export const rosters: TableDef<number, RosterRow> = {
  id: 9,
  name: 'rosters',
  bound: {
    holds: '128 members',
    filledBy: 'changes of the roster',
    atBound: 'leaves after the evidence window; the oldest leaves beyond 4,000',
  },
  key: varint,
  value: rosterRow,
}

/** First heights of the stored rosters, ascending; execution cannot iterate a table. */
export const rosterStarts: TableDef<string, readonly number[]> = {
  id: 10,
  name: 'roster_starts',
  bound: { holds: '4,000 heights', filledBy: 'changes of the roster', atBound: 'the oldest leaves' },
  key: only,
  value: list(varint, ROSTER_STARTS_MAX),
}

/** Consensus key and its lifetime, in heights (docs/design/consensus.md 1). */
export interface ConsensusKeyRow extends Infer<typeof consensusKeyRow> {}
const consensusKeyRow = struct('ConsensusKeyRow', {
  /** Key that the peer registered with: its permanent name. */
  peer: validatorKey,
  pop: bytesN(BLS_SIGNATURE_BYTES),
  activeFrom: varint,
  /** Height from which a later key acts. */
  replacedFrom: option(varint),
  disabledFrom: option(varint),
})
/** Every consensus key that was ever registered; no key can be used twice. */
export const consensusKeys: TableDef<ValidatorKey, ConsensusKeyRow> = {
  id: 11,
  name: 'consensus_keys',
  bound: { holds: 'one key', filledBy: 'RegisterPeer, RotateConsensusKey', atBound: 'stays: no key is used twice' },
  key: validatorKey,
  value: consensusKeyRow,
}

/** Keys of a peer that are not disabled, in order of activation. */
export const peerKeys: TableDef<ValidatorKey, readonly ValidatorKey[]> = {
  id: 12,
  name: 'peer_keys',
  bound: { holds: '8 keys', filledBy: 'RotateConsensusKey', atBound: 'those whose time is over leave' },
  key: validatorKey,
  value: list(validatorKey, PEER_KEYS_MAX),
}

/** Last height whose embedded certificate each peer signed, renewed rarely (docs/design/consensus.md 1, "seen"). */
export const lastSigned: TableDef<string, ReadonlyMap<ValidatorKey, number>> = {
  id: 13,
  name: 'last_signed',
  bound: { holds: '512 registered peers', filledBy: 'each block', atBound: 'leaves with its peer' },
  key: only,
  value: map(validatorKey, varint, PEERS_MAX),
}

/** Members that joined or left in one block. */
export interface MembershipRow extends Infer<typeof membershipRow_> {}
const membershipRow_ = struct('MembershipRow', { height: varint, changes: varint })
export const membership: TableDef<string, MembershipRow> = {
  id: 14,
  name: 'membership',
  bound: { holds: 'a height and a count', filledBy: 'changes of the roster', atBound: 'one row' },
  key: only,
  value: membershipRow_,
}

/** Stored record of a proven fault. */
export interface EvidenceRow extends Infer<typeof evidenceRow> {}
const evidenceRow = struct('EvidenceRow', {
  record: evidence,
  kind: string(32),
  /** Consensus key that signed, and its peer. */
  offender: validatorKey,
  peer: validatorKey,
  view: u32,
  recordedHeight: varint,
  recordedView: u32,
  recordedMs: varint,
})
/** Proven faults by `faultKey`: one row per kind, offender and height. */
export const faults: TableDef<Uint8Array, EvidenceRow> = {
  id: 15,
  name: 'faults',
  bound: {
    holds: 'one proven fault',
    filledBy: 'blocks with evidence',
    atBound: 'one per kind, offender and height; 16 of a peer in a window',
  },
  key: hash32,
  value: evidenceRow,
}

/** Maximum faults of one peer in an evidence window: enough to act on, too few to fill blocks and the state. */
export const FAULTS_PER_PEER_MAX = 16
/** Heights of the recorded faults of a peer, in order of recording; those older than the window are removed. */
export const faultHeights: TableDef<ValidatorKey, readonly number[]> = {
  id: 50,
  name: 'fault_heights',
  bound: {
    holds: '16 heights',
    filledBy: 'blocks with evidence',
    atBound: 'no block may hold a 17th; older than the window they leave',
  },
  key: validatorKey,
  value: list(varint, FAULTS_PER_PEER_MAX),
}

export const SYSTEM_TABLES = [
  parameters,
  stagedParameters,
  peers,
  peerList,
  failures,
  schedule,
  replay,
  replayStart,
  chainInfo,
  rosters,
  rosterStarts,
  consensusKeys,
  peerKeys,
  lastSigned,
  membership,
  faults,
  faultHeights,
  ...DUE_RUN_TABLES,
  ...LANE_TABLES,
]
