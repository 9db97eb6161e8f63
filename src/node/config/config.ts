/** Owns the typed node configuration: what the composition root is built from. */
import type { PayloadLimits } from '../../consensus/index.js'
import type { ConsensusMode } from '../../model/parameters.js'
import type { HoldRuleConfig } from './hold-rules.js'
import type { HostPort } from './host-port.js'
import type { LogLevel, TelemetryProfile } from './keys.js'
import type { ApiToken } from './kinds.js'

/** The configuration of one node, checked; all paths are absolute. */
export interface NodeConfig {
  /** The file that it was read from. */
  readonly file: string
  readonly dataDir: string
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
    readonly bridge: string | undefined
  }
  readonly consensus: { readonly consensusMode: ConsensusMode }
  /** What the chain is expected to say; undefined: nothing in particular. */
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
  }
  readonly queue: { readonly capacity: number; readonly capacityPerUser: number; readonly durable: boolean }
  /** Bounds of payloads on their way. */
  readonly payloads: PayloadLimits
  readonly telemetry: { readonly profile: TelemetryProfile }
  readonly log: {
    readonly level: LogLevel
    /** undefined: standard output. */
    readonly file: string | undefined
  }
  readonly iso: {
    /** Address or alias `label@domain`; undefined: messages need a credential. */
    readonly anonymousSubmitter: string | undefined
    readonly holds: readonly HoldRuleConfig[]
    readonly pins: 'match' | 'override'
    readonly retentionDays: number
    readonly reference: {
      readonly bic: string | undefined
      readonly iban: string | undefined
      readonly currency: string | undefined
      readonly refreshSeconds: number
    }
    readonly settlementWindow: { readonly pastDays: number | undefined; readonly futureDays: number | undefined }
  }
  readonly state: { readonly cacheMib: number; readonly treeBits: number }
  /** 0 threads: by the cores of the machine. */
  readonly crypto: { readonly threads: number }
}
