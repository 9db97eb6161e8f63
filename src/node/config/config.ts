/** Owns the typed node configuration, from which the composition root is built. */

import type { ApiToken, HostPort, KeyFileDef } from '../../config/index.js'
import type { PayloadLimits } from '../../consensus/index.js'
import type { PublicKey } from '../../crypto/index.js'
import type { ConsensusMode } from '../../model/parameters.js'
import type { OutboundConfig } from '../../network/outbound/outbound.js'
import type { SignerPlace } from '../../signer/place.js'
import type { LogLevel, SyncMode, TelemetryProfile } from './keys.js'

/** Address of the signer of a node, and the keys that it holds. */
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
  /** Blocks from one snapshot to the next; 0: only on request. */
  readonly everyBlocks: number
  /** Snapshots that are kept. */
  readonly keep: number
  /** Hash of a block that the operator trusts, 32 bytes. */
  readonly trustBlock: Uint8Array | undefined
}

/** Retention of blocks: section `[storage]`. */
export interface StorageConfig {
  /** Newest blocks that are kept; 0: all. */
  readonly retainBlocks: number
}

/** The configuration of one node, checked; all paths are absolute. */
export interface NodeConfig {
  /** The file that it was read from. */
  readonly file: string
  /** Values of all keys that are set or have a default, by their dotted names. */
  readonly values: ReadonlyMap<string, unknown>
  readonly dataDir: string
  /** What a node without data begins with. */
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
    /** Those that features declare, as far as they are set. */
    readonly features: readonly FeatureKeyFile[]
  }
  /** The process that holds the validator key; undefined: this node has it. */
  readonly signer: SignerSection | undefined
  /**
   * Keys under which this node follows while another one is active for its validator; undefined: it is never a standby.
   */
  readonly standby: { readonly validator: string; readonly network: string } | undefined
  readonly consensus: {
    /** Expected mode of the chain; undefined: any. */
    readonly consensusMode: ConsensusMode | undefined
    /** Expected parameter of genesis; undefined: any. */
    readonly epochLengthBlocks: number | undefined
    /** Phases in the order propose, payload, execute, prepare, commit, in ms. */
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
    /** Names of this gateway besides addresses and localhost. */
    readonly hosts: readonly string[]
    readonly ratePerSecond: number
    readonly rateBurst: number
    readonly rateBytesPerSecond: number
    readonly connectionsPerAddress: number
    readonly corsOrigins: readonly string[]
    /** Ranges of addresses. */
    readonly trustedProxies: readonly string[]
  }
  readonly queue: { readonly capacity: number; readonly capacityPerUser: number; readonly durable: boolean }
  /** Bounds of payloads on their way. */
  readonly payloads: PayloadLimits
  /** What requests of the node may reach that others name the address of. */
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
  /** 0 threads: by the cores of the machine. */
  readonly crypto: { readonly threads: number }
  /** Features whose routes are not served. */
  readonly featuresOff: readonly string[]
  /** What features declare of it, by their names. */
  readonly features: Readonly<Record<string, unknown>>
}
