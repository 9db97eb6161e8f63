/** Owns the records of the node routes: liveness, status, peers, versions, capabilities (specification 2 and 4.1). */
import {
  bool,
  hash32,
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
import { type TeuDataspaceBacklog, type TeuLaneCommit, teuDataspaceBacklogs, teuLaneCommits } from './lanes.js'

/** Longest short text of these records, in bytes. */
const TEXT_MAX_BYTES = 1024
/** Items of the short lists. */
const ITEMS_MAX = 1024

/** Versions of the HTTP interface that this release serves; the first is the default. */
export const API_VERSIONS = ['1.1'] as const
/** Version of the records that the ledger holds. */
export const DATA_MODEL_VERSION = 1

export interface Health {
  /** `starting`: the node executes stored blocks and answers nothing else yet. */
  readonly status: 'healthy' | 'starting'
  /** Last committed height; of a node that starts the height executed so far, 0 while it is not known. */
  readonly height: number
  readonly version: string
}
// The twin writes the word in lower case, so it is a text and no variant.
const health_ = struct('Health', { status: string(16), height: varint, version: string(64) })
export const health: Schema<Health> = health_ as Schema<Health>

export interface NodeStatus {
  /** Committed blocks. */
  readonly blocks: number
  readonly txsApproved: number
  readonly txsRejected: number
  readonly queueSize: number
  /** Connected peers. */
  readonly peers: number
  readonly uptimeMs: number
  readonly synced: boolean
  readonly inQuorum: boolean
  readonly chain: string
  readonly version: string
  /** Absent while lanes are off. */
  readonly teuLaneCommit: readonly TeuLaneCommit[] | undefined
  readonly teuDataspaceBacklog: readonly TeuDataspaceBacklog[] | undefined
  /** Absent while the node's release can run every upgrade to come. */
  readonly missingAbi: MissingAbi | undefined
}

/** An ABI that an upgrade leads to and the release of a node does not carry; the node stops before its height. */
export interface MissingAbi {
  /** Name of the upgrade. */
  readonly upgrade: string
  readonly abiVersion: number
  readonly abiHash: Uint8Array
  /** True when it is activated; false while it is proposed. */
  readonly decided: boolean
  /** First height of the ABI; of a proposed upgrade the first height at which it may be activated. */
  readonly fromHeight: number
}
const missingAbi_ = struct('MissingAbi', {
  upgrade: string(TEXT_MAX_BYTES),
  abiVersion: varint,
  abiHash: hash32,
  decided: bool,
  fromHeight: varint,
})
const status_ = struct('NodeStatus', {
  blocks: varint,
  txsApproved: varint,
  txsRejected: varint,
  queueSize: varint,
  peers: varint,
  uptimeMs: varint,
  synced: bool,
  inQuorum: bool,
  chain: chainId,
  version: string(64),
  teuLaneCommit: omissible(teuLaneCommits),
  teuDataspaceBacklog: omissible(teuDataspaceBacklogs),
  missingAbi: omissible(missingAbi_),
})
export const nodeStatus: Schema<NodeStatus> = status_

export interface PeerRecord {
  /** Multihash text of its BLS key. */
  readonly id: string
  readonly address: string
  readonly role: 'validator' | 'observer'
  readonly connected: boolean
  readonly height: number | undefined
  readonly lastError: string | undefined
}
const peer_ = struct('PeerRecord', {
  id: string(128),
  address: string(TEXT_MAX_BYTES),
  role: unitEnum('PeerRecordRole', { validator: 0, observer: 1 }),
  connected: bool,
  height: option(varint),
  lastError: option(string(TEXT_MAX_BYTES)),
})
export interface PeerList {
  readonly items: readonly PeerRecord[]
  readonly total: number
}
const peers_ = struct('PeerList', { items: list(peer_, ITEMS_MAX), total: varint })
export const peerList: Schema<PeerList> = peers_

export interface ApiVersion {
  readonly version: string
}
const apiVersion_ = struct('ApiVersion', { version: string(16) })
export const apiVersion: Schema<ApiVersion> = apiVersion_

export interface ApiVersions {
  readonly default: string
  readonly supported: readonly string[]
  /** Seconds since the Unix epoch at which the oldest version ends; undefined: no end is planned. */
  readonly sunsetUnix: number | undefined
}
const apiVersions_ = struct('ApiVersions', {
  default: string(16),
  supported: list(string(16), 32),
  sunsetUnix: option(varint),
})
export const apiVersions: Schema<ApiVersions> = apiVersions_

const aggregate_ = struct('QueryAggregate', { supportedResources: list(string(64), 64) })
const queryCapabilities_ = struct('QueryCapabilities', { aggregate: aggregate_ })
const cryptoCapabilities_ = struct('CryptoCapabilities', { allowedSigning: list(string(32), 16) })

/** What a client must know of a node before it builds transactions for it. */
export interface Capabilities {
  readonly abiVersion: number
  readonly abiHash: Uint8Array
  readonly dataModelVersion: number
  readonly version: string
  readonly chain: string
  readonly chainHash: Uint8Array
  readonly genesisHash: Uint8Array
  /** Human part of account addresses. */
  readonly addressPrefix: string
  readonly consensusMode: string
  /** Multihash texts. */
  readonly validatorKey: string
  readonly networkKey: string
  /** Features of the chain whose routes this node serves. */
  readonly features: readonly string[]
  readonly crypto: { readonly allowedSigning: readonly string[] }
  readonly query: { readonly aggregate: { readonly supportedResources: readonly string[] } }
  /** Largest body of POST /transaction, in bytes. */
  readonly maxTransactionBytes: number
  /** Largest page of a list. */
  readonly maxPageItems: number
}
const capabilities_ = struct('Capabilities', {
  abiVersion: u32,
  abiHash: hash32,
  dataModelVersion: u32,
  version: string(64),
  chain: chainId,
  chainHash: hash32,
  genesisHash: hash32,
  addressPrefix: string(64),
  consensusMode: string(32),
  validatorKey: string(128),
  networkKey: string(128),
  features: list(string(64), 256),
  crypto: cryptoCapabilities_,
  query: queryCapabilities_,
  maxTransactionBytes: u32,
  maxPageItems: u16,
})
export const capabilities: Schema<Capabilities> = capabilities_
