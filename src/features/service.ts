/**
 * Owns the declaration of the node part of a feature (docs/design/structure.md 2): configuration, metrics, handlers,
 * stores.
 */
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { AnyHandler } from '../api/handler.js'
import type { Operators } from '../api/operators.js'
import type { RequestTracer } from '../api/request-trace.js'
import type { LargeBodyReader, NodeServices } from '../api/services.js'
import type { Site } from '../api/site.js'
import type { StreamSource } from '../api/stream-source.js'
import type { ConfigSection } from '../config/index.js'
import type { KeyPair } from '../crypto/index.js'
import type { Feed } from '../events/feed.js'
import type { AccountId, AuditTrail } from '../model/index.js'
import type { Outbound } from '../network/outbound/outbound.js'
import type { IntegrationStore } from '../storage/integration-store.js'

/** Dependencies of a service on the node. */
export interface ServiceContext {
  readonly services: NodeServices
  /** The events of blocks, as all readers on the node share them. */
  readonly feed: Feed
  /** What services keep beside the ledger, and secrets sealed by the network key. */
  readonly integrations: IntegrationStore
  /** Requests to addresses that strangers name. */
  readonly outbound: Outbound
  readonly audit: AuditTrail
  readonly operators: Operators
  readonly logger: Logger
  /** Data folder of the node; a service keeps what it stores in a folder of its own below it. */
  readonly dataDir: string
  /** Key pairs of the key files that the feature declares, by their names, as far as they are set. */
  readonly keys: ReadonlyMap<string, KeyPair>
  /** Account of an address or an alias; `key` is the configuration key that names it. Throws `config_invalid`. */
  resolveAccount(key: string, text: string): Promise<ConfiguredAccount>
}

/** Configured account; look it up on each use. */
export interface ConfiguredAccount {
  /** Undefined while this node knows no account of that alias. */
  readonly id: AccountId | undefined
}

/** A service that runs. */
export interface RunningService {
  /** Handlers of its routes that are more than a query, by route id. */
  readonly handlers?: ReadonlyMap<string, AnyHandler<NodeServices>>
  /** Which senders may send the large bodies of its routes, by route id. */
  readonly largeBodies?: ReadonlyMap<string, LargeBodyReader>
  /** What its streams of Server-Sent Events are made of, by route id. */
  readonly streams?: ReadonlyMap<string, StreamSource>
  /** The pages that the node serves to browsers: one service has them. */
  readonly site?: Site
  /** What follows the requests of the gateway: one service has it. */
  readonly tracer?: RequestTracer
  /** Ids of its routes that are not configured on this node: they return `route_not_enabled` and are in no document. */
  readonly withheld?: readonly string[]
  /**
   * Prepare another configuration while the service runs, and return a function that applies it. Throws
   * `config_invalid`, without a change, for an invalid one.
   */
  reload?(config: unknown): Promise<() => void>
  /** Called once the gateway is built; interrupted work of an earlier run continues. */
  resume?(): Promise<void>
  close?(): Promise<void>
}

/** Node part of a feature. */
export interface Service<C> {
  /** Name of the feature. */
  readonly name: string
  readonly config?: ConfigSection<C>
  /** Makes its metrics in a registry. */
  metrics?(registry: Registry): unknown
  /** Starts it; undefined where this node is not set up for it: its routes answer `route_not_enabled`. */
  open(context: ServiceContext, config: C): RunningService | Promise<RunningService | undefined>
}

/** Service with an erased configuration type, for lists. */
export type AnyService = Service<unknown>

/** Declares the service of a feature. */
export const defineService = <C = undefined>(
  { name }: { readonly name: string },
  parts: Omit<Service<C>, 'name'>,
): Service<C> => ({
  name,
  ...parts,
})
