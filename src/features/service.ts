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
  /** Feed of block events, shared by all readers on the node. */
  readonly feed: Feed
  /** Store of services, separate from the ledger; the network key seals its secrets. */
  readonly integrations: IntegrationStore
  /** Client for requests to untrusted addresses. */
  readonly outbound: Outbound
  readonly audit: AuditTrail
  readonly operators: Operators
  readonly logger: Logger
  /** Data folder of the node; a service stores its files in a separate folder below it. */
  readonly dataDir: string
  /** Key pairs of the configured key files that the feature declares, by name. */
  readonly keys: ReadonlyMap<string, KeyPair>
  /** Account of an address or an alias; `key` is the configuration key that names it. Throws `config_invalid`. */
  resolveAccount(key: string, text: string): Promise<ConfiguredAccount>
}

/** Configured account, to be looked up on each use. */
export interface ConfiguredAccount {
  /** Undefined while the alias is unknown to this node. */
  readonly id: AccountId | undefined
}

/** Running service. */
export interface RunningService {
  /** Handlers of its routes beyond queries, by route id. */
  readonly handlers?: ReadonlyMap<string, AnyHandler<NodeServices>>
  /** Readers that identify known senders of large bodies, by route id. */
  readonly largeBodies?: ReadonlyMap<string, LargeBodyReader>
  /** Sources of its Server-Sent Event streams, by route id. */
  readonly streams?: ReadonlyMap<string, StreamSource>
  /** Web pages that the node serves; only one service has them. */
  readonly site?: Site
  /** Tracer of gateway requests; only one service has it. */
  readonly tracer?: RequestTracer
  /**
   * Ids of its routes that are not configured on this node: they return `route_not_enabled` and are omitted from all
   * documents.
   */
  readonly withheld?: readonly string[]
  /**
   * Prepare a new configuration while the service runs, and return a function that applies it. Throws `config_invalid`
   * for an invalid configuration and changes nothing.
   */
  reload?(config: unknown): Promise<() => void>
  /** Called once the gateway is built, to resume work that an earlier run left incomplete. */
  resume?(): Promise<void>
  close?(): Promise<void>
}

/** Node part of a feature. */
export interface Service<C> {
  /** Name of the feature. */
  readonly name: string
  readonly config?: ConfigSection<C>
  /** Create its metrics in a registry. */
  metrics?(registry: Registry): unknown
  /**
   * Start the service. Returns undefined if it is not configured on this node; its routes then return
   * `route_not_enabled`.
   */
  open(context: ServiceContext, config: C): RunningService | Promise<RunningService | undefined>
}

/** Service with an erased configuration type, for lists. */
export type AnyService = Service<unknown>

/** Declare the service of a feature. */
export const defineService = <C = undefined>(
  { name }: { readonly name: string },
  parts: Omit<Service<C>, 'name'>,
): Service<C> => ({
  name,
  ...parts,
})
