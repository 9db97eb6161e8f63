/** Owns the typed node configuration, from which the composition root is built. */

import type { ApiToken, HostPort, KeyFileDef } from '../../config/index.js'
import type { PayloadLimits } from '../../consensus/index.js'
import type { PublicKey } from '../../crypto/index.js'
import type { ConsensusMode } from '../../model/parameters.js'
import type { OutboundConfig } from '../../network/outbound/outbound.js'
import type { SignerPlace } from '../../signer/place.js'
import type { LogLevel, SyncMode, TelemetryProfile } from './keys.js'

/** Address of the signer of a node, and the keys that the signer holds. */
export interface SignerSection {
  readonly place: SignerPlace
  readonly validator: PublicKey
  readonly nextValidator: PublicKey | undefined
}

/** A key file of a feature. */
export interface FeatureKeyFile extends Pick<KeyFileDef, 'name' | 'algorithm'> {
  readonly path: string
}

/** Snapshots of the running node: section `[snapshots]`. */
export interface SnapshotsConfig {
  /** Interval between snapshots, in blocks; 0: only on request. */
  readonly everyBlocks: number
  /** Number of snapshots that are kept. */
  readonly keep: number
  /** Hash of a block that the operator trusts, 32 bytes; undefined: none. */
  readonly trustBlock: Uint8Array | undefined
}

/** Retention of blocks: section `[storage]`. */
export interface StorageConfig {
  /** Number of newest blocks that are kept; 0: all. */
  readonly retainBlocks: number
}

/** Validated configuration of one node; all paths are absolute. */
export interface NodeConfig {
  /** Path of its file. */
  readonly file: string
  /** Values of all keys that are set or have a default, by dotted name. */
  readonly values: ReadonlyMap<string, unknown>
  readonly dataDir: string
  /** Initial sync mode of a node without data. */
  readonly sync: SyncMode
  readonly genesis: {
    readonly file: string
    /** Pinned hash of the genesis block, 64 lower-case hex digits. */
    readonly hash: string
  }
  /** Paths of key files. */
  readonly keys: {
    readonly validator: string
    readonly nextValidator: string | undefined
    readonly network: string
    /** Configured key files of features. */
    readonly features: readonly FeatureKeyFile[]
  }
  /** Process that holds the validator key; undefined: this node holds it. */
  readonly signer: SignerSection | undefined
  /**
   * Keys with which this node follows while another node is active for its validator; undefined if it is never a
   * standby.
   */
  readonly standby: { readonly validator: string; readonly network: string } | undefined
  readonly consensus: {
    /** Expected mode of the chain; undefined: any. */
    readonly consensusMode: ConsensusMode | undefined
    /** Expected genesis parameter; undefined: any. */
    readonly epochLengthBlocks: number | undefined
    /** Timeouts of the phases propose, payload, execute, prepare and commit, in ms. */
    readonly nposTimeouts: string | undefined
  }
  /** Expected lanes of the chain; undefined: any. */
  readonly lanes: { readonly enabled: boolean | undefined }
  readonly network: { readonly listen: HostPort }
  readonly gateway: {
    readonly listen: HostPort
    readonly insecure: boolean
    readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined
    readonly apiTokens: readonly ApiToken[]
    readonly requireApiToken: boolean
    /** Multihash texts. */
    readonly operatorKeys: readonly string[]
    /** Host names of this gateway besides addresses and localhost. */
    readonly hosts: readonly string[]
    readonly ratePerSecond: number
    readonly rateBurst: number
    readonly rateBytesPerSecond: number
    readonly connectionsPerAddress: number
    readonly corsOrigins: readonly string[]
    /** Address ranges in CIDR notation. */
    readonly trustedProxies: readonly string[]
  }
  readonly queue: { readonly capacity: number; readonly capacityPerUser: number; readonly durable: boolean }
  /** Limits of payloads in transfer. */
  readonly payloads: PayloadLimits
  /** Allowed destinations of requests to addresses that clients configure. */
  readonly outbound: OutboundConfig
  readonly telemetry: { readonly profile: TelemetryProfile }
  readonly log: {
    readonly level: LogLevel
    /** undefined: standard output. */
    readonly file: string | undefined
  }
  readonly snapshots: SnapshotsConfig
  readonly storage: StorageConfig
  readonly state: { readonly cacheMib: number; readonly treeBits: number }
  /** 0 threads: one number derived from the cores of the machine. */
  readonly crypto: { readonly threads: number }
  /** Features whose routes are not served. */
  readonly featuresOff: readonly string[]
  /** Values of the sections of features, by feature name. */
  readonly features: Readonly<Record<string, unknown>>
}
