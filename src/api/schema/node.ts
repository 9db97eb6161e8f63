/** Owns the records of the node routes: liveness, status, peers, versions, capabilities (specification 2 and 4.1). */
import {
  bool,
  hash32,
  type Infer,
  list,
  omissible,
  option,
  type Schema,
  string,
  struct,
  u16,
  u32,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { chainId } from '../../model/index.js'
import { teuDataspaceBacklogs, teuLaneCommits } from './lanes.js'

/** Longest short text of these records, in bytes. */
const TEXT_MAX_BYTES = 1024
/** Items of the short lists. */
const ITEMS_MAX = 1024

/** Versions of the HTTP interface that this release serves; the first is the default. */
export const API_VERSIONS = ['1.1'] as const
/** Version of the records that the ledger holds. */
export const DATA_MODEL_VERSION = 1

export interface Health extends Infer<typeof health_> {}
// The twin writes the word in lower case, so it is a text and no variant.
const health_ = struct('Health', {
  /** `starting`: the node executes stored blocks and answers nothing else yet. */
  status: string(16),
  /** Last committed height; of a node that starts the height executed so far, 0 while it is not known. */
  height: varint,
  version: string(64),
})
export const health: Schema<Health> = health_

/** An ABI that an upgrade leads to and the release of a node does not carry; the node stops before its height. */
export interface MissingAbi extends Infer<typeof missingAbi_> {}
const missingAbi_ = struct('MissingAbi', {
  /** Name of the upgrade. */
  upgrade: string(TEXT_MAX_BYTES),
  abiVersion: varint,
  abiHash: hash32,
  /** True when it is activated; false while it is proposed. */
  decided: bool,
  /** First height of the ABI; of a proposed upgrade the first height at which it may be activated. */
  fromHeight: varint,
})
/** Change of the consensus mode that was cancelled at its height without effect. */
export const cancelledMode = struct('CancelledMode', {
  mode: string(16),
  /** Height that it was staged for. */
  height: varint,
  /** Reason of the cancellation: `tooFewCandidates`, `tooFewSeats`, `late`, `noValidator`, `quorumNotSeen`. */
  reason: string(32),
})

/** Reasons in words, by their names in lower case: the first letter is a capital in some answers. */
const CANCEL_REASONS: Readonly<Record<string, string>> = {
  toofewcandidates: 'too few candidates were in sync',
  toofewseats: 'the election filled too few seats',
  late: 'its election did not end in time',
  novalidator: 'no validator is registered any more',
  quorumnotseen: 'fewer than a quorum of the registered validators signed lately',
}

/** Reason of a cancelled change of the mode as text; a reason unknown to this release is returned unchanged. */
export const cancelReasonText = (reason: string): string => CANCEL_REASONS[reason.toLowerCase()] ?? reason

export interface NodeStatus extends Infer<typeof nodeStatus> {}
export const nodeStatus = struct('NodeStatus', {
  /** Committed blocks. */
  blocks: varint,
  txsApproved: varint,
  txsRejected: varint,
  queueSize: varint,
  /** Connected peers. */
  peers: varint,
  uptimeMs: varint,
  /** At the height of its peers; never once it halted. */
  synced: bool,
  /** Reaches a quorum of the committee; never once it halted. */
  inQuorum: bool,
  chain: chainId,
  version: string(64),
  /** Absent while lanes are off. */
  teuLaneCommit: omissible(teuLaneCommits),
  teuDataspaceBacklog: omissible(teuDataspaceBacklogs),
  /** Absent while the node's release can run every upgrade to come. */
  missingAbi: omissible(missingAbi_),
  /** Reason of a halt: the node answers only about itself and its blocks; absent if it did not halt. */
  halted: omissible(string(TEXT_MAX_BYTES)),
  /** First block of this node, after a snapshot or pruning; absent if it has all blocks. */
  firstHeight: omissible(varint),
  /** Time from which the chain decides blocks, in ms since the Unix epoch, of a genesis that is dated in the future; absent for any other. */
  waitsUntilMs: omissible(varint),
  /** The last change of the consensus mode, if it was cancelled; absent once another one is staged. */
  cancelledMode: omissible(cancelledMode),
})

export interface PeerRecord extends Infer<typeof peer_> {}
const peer_ = struct('PeerRecord', {
  /** Multihash text of its BLS key. */
  id: string(128),
  address: string(TEXT_MAX_BYTES),
  role: unitEnum('PeerRecordRole', { validator: 0, observer: 1 }),
  connected: bool,
  height: option(varint),
  lastError: option(string(TEXT_MAX_BYTES)),
})
export interface PeerList extends Infer<typeof peerList> {}
export const peerList = struct('PeerList', { items: list(peer_, ITEMS_MAX), total: varint })

export const apiVersion = struct('ApiVersion', { version: string(16) })

export interface ApiVersions extends Infer<typeof apiVersions> {}
export const apiVersions = struct('ApiVersions', {
  default: string(16),
  supported: list(string(16), 32),
  /** Seconds since the Unix epoch at which the oldest version ends; undefined: no end is planned. */
  sunsetUnix: option(varint),
})

/** Named resources; clients of release 0.1.0 refuse a longer list, and with it the whole response. */
export const RESOURCES_MAX = 64
const aggregate_ = struct('QueryAggregate', { supportedResources: list(string(64), RESOURCES_MAX) })
const queryCapabilities_ = struct('QueryCapabilities', { aggregate: aggregate_ })
const cryptoCapabilities_ = struct('CryptoCapabilities', { allowedSigning: list(string(32), 16) })

/** Settings of a node that clients need to build transactions. */
export interface Capabilities extends Infer<typeof capabilities> {}
export const capabilities = struct('Capabilities', {
  abiVersion: u32,
  abiHash: hash32,
  dataModelVersion: u32,
  version: string(64),
  chain: chainId,
  chainHash: hash32,
  genesisHash: hash32,
  /** Human part of account addresses. */
  addressPrefix: string(64),
  consensusMode: string(32),
  /** Multihash texts. */
  validatorKey: string(128),
  networkKey: string(128),
  /** Features of the chain whose routes this node serves. */
  features: list(string(64), 256),
  crypto: cryptoCapabilities_,
  query: queryCapabilities_,
  /** Largest body of POST /transaction, in bytes. */
  maxTransactionBytes: u32,
  /** Largest page of a list. */
  maxPageItems: u16,
})
