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

/** Maximum length of a short text in these records, in bytes. */
const TEXT_MAX_BYTES = 1024
/** Maximum items of the short lists. */
const ITEMS_MAX = 1024

/** Versions of the HTTP interface in this release; the first is the default. */
export const API_VERSIONS = ['1.1'] as const
/** Version of the ledger records. */
export const DATA_MODEL_VERSION = 1

export interface Health extends Infer<typeof health_> {}
// The JSON form is in lower case, so it is a text and not a variant.
const health_ = struct('Health', {
  /** `starting`: the node executes stored blocks and serves nothing else yet. */
  status: string(16),
  /** Last committed height; while the node starts, the last executed height, or 0 if unknown. */
  height: varint,
  version: string(64),
})
export const health: Schema<Health> = health_

/** ABI of an upgrade that the release of a node does not have; the node stops before its height. */
export interface MissingAbi extends Infer<typeof missingAbi_> {}
const missingAbi_ = struct('MissingAbi', {
  /** Name of the upgrade. */
  upgrade: string(TEXT_MAX_BYTES),
  abiVersion: varint,
  abiHash: hash32,
  /** True if the upgrade is activated; false while it is proposed. */
  decided: bool,
  /** First height of the ABI; for a proposed upgrade the first height at which it may be activated. */
  fromHeight: varint,
})
/** Cancelled change of the consensus mode. */
export const cancelledMode = struct('CancelledMode', {
  mode: string(16),
  /** Height at which it was staged to activate. */
  height: varint,
  /** Reason of the cancellation: `tooFewCandidates`, `tooFewSeats`, `late`, `noValidator`, `quorumNotSeen`. */
  reason: string(32),
})

/** Texts of the reasons by lower-case name; some responses capitalise the first letter of a name. */
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
  /** Number of committed blocks. */
  blocks: varint,
  txsApproved: varint,
  txsRejected: varint,
  queueSize: varint,
  /** Number of connected peers. */
  peers: varint,
  uptimeMs: varint,
  /** True if the node is at the height of its peers; false once it halted. */
  synced: bool,
  /** True if it reaches a quorum of the committee; false once it halted. */
  inQuorum: bool,
  chain: chainId,
  version: string(64),
  /** Absent while lanes are off. */
  teuLaneCommit: omissible(teuLaneCommits),
  teuDataspaceBacklog: omissible(teuDataspaceBacklogs),
  /** Absent if the node's release can run every scheduled upgrade. */
  missingAbi: omissible(missingAbi_),
  /** Reason of a halt: the node then serves only data about itself and its blocks; absent if it did not halt. */
  halted: omissible(string(TEXT_MAX_BYTES)),
  /** First block of this node after a snapshot or pruning; absent if it has all blocks. */
  firstHeight: omissible(varint),
  /**
   * Time from which the chain decides blocks, in ms since the Unix epoch; absent unless genesis is dated in the future.
   */
  waitsUntilMs: omissible(varint),
  /** Last change of the consensus mode, if it was cancelled; absent once another change is staged. */
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
  /** End of the oldest version, in seconds since the Unix epoch; undefined if none is planned. */
  sunsetUnix: option(varint),
})

/** Named resources; clients of release 0.1.0 reject the whole response if the list is longer. */
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
  /** Human-readable part of account addresses. */
  addressPrefix: string(64),
  consensusMode: string(32),
  /** Multihash texts. */
  validatorKey: string(128),
  networkKey: string(128),
  /** Features of the chain whose routes this node serves. */
  features: list(string(64), 256),
  crypto: cryptoCapabilities_,
  query: queryCapabilities_,
  /** Maximum body size of POST /transaction, in bytes. */
  maxTransactionBytes: u32,
  /** Maximum page size of a list. */
  maxPageItems: u16,
})
