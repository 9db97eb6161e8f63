/** Owns the wiring of the gateway into a node: its configuration, certificate, and the services of features. */

import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { collectFrom, metricsOf } from '../api/metrics.js'
import type { NodeServices } from '../api/services.js'
import { SYSTEM_CLOCKS } from '../base/clocks.js'
import { definedFields } from '../base/defined-fields.js'
import { Feed } from '../events/feed.js'
import { ABIS } from '../features/abi.js'
import { FEATURE_ROUTES, FEATURE_SCHEMAS } from '../features/composed.js'
import * as declared from '../features/node.js'
import type { AnyService, RunningService, ServiceContext } from '../features/service.js'
import {
  type ApiToken,
  DEFAULT_GATEWAY_CONFIG,
  Gateway,
  type GatewayConfig,
  type GatewaySettings,
  type GatewayTls,
  OperatorSessions,
  operatorsOf,
  readGatewayTls,
  StartingGateway,
  type StartingNode,
} from '../gateway/index.js'
import type { AuditTrail } from '../model/index.js'
import { Outbound } from '../network/outbound/outbound.js'
import { INTEGRATIONS_FOLDER, IntegrationStore } from '../storage/integration-store.js'
import { formatHostPort, type NodeConfig } from './config/index.js'
import { ConfiguredAccounts } from './configured-accounts.js'
import type { NodeKeys } from './identity/identity.js'
import type { Logger } from './process/logger.js'
import { Reload } from './reload/reload.js'

/** Minimum number of connections that streams leave to requests. */
const CONNECTIONS_FOR_REQUESTS = 100

const ON_CHAINS = new Set([...ABIS.values()].flatMap(({ features }) => features.map(({ name }) => name)))
/** Features of nodes, as opposed to features of the chain. */
const NODE_FEATURES = FEATURE_SCHEMAS.flatMap(({ name, abi = name }) => (ON_CHAINS.has(abi) ? [] : [name]))

/**
 * Start the services of features. Returns the running ones, and the names of features that are off or not configured.
 */
async function openFeatures(
  context: Omit<ServiceContext, 'keys'>,
  keys: NodeKeys['features'],
  { features, featuresOff }: NodeConfig,
  onClose: GatewayParts['onClose'],
) {
  const all: readonly AnyService[] = Object.values(declared)
  const running: { readonly name: string; readonly running: RunningService }[] = []
  const off = [...featuresOff]
  for (const service of all) {
    if (featuresOff.includes(service.name)) continue
    service.metrics?.(context.services.metrics)
    const declaredKeys = new Set(service.config?.keyFiles?.map(({ name }) => name))
    const own = new Map([...keys].filter(([name]) => declaredKeys.has(name)))
    const opened = await service.open({ ...context, keys: own }, features[service.name])
    if (opened === undefined) {
      off.push(service.name)
      continue
    }
    running.push({ name: service.name, running: opened })
    const { close } = opened
    if (close !== undefined) onClose(close)
  }
  return { running, off }
}

/** Server configuration derived from the node configuration. */
function serverConfig({ gateway }: NodeConfig, tls: GatewayTls | undefined): Partial<GatewayConfig> {
  return {
    address: formatHostPort(gateway.listen),
    insecure: gateway.insecure,
    tls,
    corsOrigins: gateway.corsOrigins,
    // Ensure that a single address can open as many connections as the total allows.
    maxConnections: Math.max(DEFAULT_GATEWAY_CONFIG.maxConnections, gateway.connectionsPerAddress),
  }
}

/**
 * Start to listen for the gateway of a starting node; rejects with `address_in_use` for the address, or
 * `config_invalid`.
 */
export const openStarting = (
  config: NodeConfig,
  tls: GatewayTls | undefined,
  node: StartingNode,
): Promise<StartingGateway> => StartingGateway.listen(serverConfig(config, tls), node)

/** Dependencies of the gateway of a node. */
export interface GatewayParts {
  readonly audit: AuditTrail
  readonly tls: GatewayTls | undefined
  /** Secret that decrypts what services have sealed. */
  readonly sealSecret: Uint8Array
  /** Key pairs of features. */
  readonly keys: NodeKeys['features']
  readonly logger: Logger
  /** Listener that already runs; if absent, the gateway opens its own. */
  readonly starting?: StartingGateway
  /** Called with a step to run after the gateway has closed. */
  readonly onClose: (step: () => Promise<void>) => void
}

/** Gateway with its reload function. */
export interface OpenedGateway {
  readonly gateway: Gateway
  readonly reload: Reload
}

/** Gateway settings that can change at run time. Throws `config_invalid` for an unknown account. */
async function settingsOf(
  { gateway }: NodeConfig,
  resolveAccount: ServiceContext['resolveAccount'],
): Promise<GatewaySettings> {
  const apiTokens: ApiToken[] = []
  for (const { name, sha256, account } of gateway.apiTokens) {
    const bound = account === undefined ? undefined : await resolveAccount(`gateway.api_tokens "${name}"`, account)
    apiTokens.push({ name, sha256, account: bound })
  }
  return {
    apiTokens,
    corsOrigins: gateway.corsOrigins,
    hosts: gateway.hosts,
    maxConnectionsPerAddress: gateway.connectionsPerAddress,
    operatorKeys: gateway.operatorKeys,
    rateBytesPerSecond: gateway.rateBytesPerSecond,
    rateLimit: { perSecond: gateway.ratePerSecond, burst: gateway.rateBurst },
    requireApiToken: gateway.requireApiToken,
    trustedProxies: gateway.trustedProxies,
  }
}

/**
 * Certificate of the configured files; undefined if it is already served. Other file names, and a change between HTTP
 * and HTTPS, take effect after a restart. Throws like `readGatewayTls`.
 */
async function renewedTls(
  started: NodeConfig,
  next: NodeConfig,
  served: GatewayTls | undefined,
): Promise<GatewayTls | undefined> {
  const files = next.gateway.tls
  if (files === undefined || served === undefined || !isDeepStrictEqual(files, started.gateway.tls)) return undefined
  const found = await readGatewayTls(files)
  return isDeepStrictEqual(found, served) ? undefined : found
}

/**
 * Build the gateway with the services of features, which resume their pending work. The gateway does not listen yet.
 */
export async function openGateway(
  config: NodeConfig,
  services: NodeServices,
  parts: GatewayParts,
): Promise<OpenedGateway> {
  const { audit, tls, sealSecret, keys, logger, starting, onClose } = parts
  const { telemetry, dataDir } = config
  const accounts = new ConfiguredAccounts(services, logger)
  const resolveAccount: ServiceContext['resolveAccount'] = (key, text) => accounts.resolve(key, text)
  const feed = new Feed(services.history, services.info.codec)
  const integrations = new IntegrationStore(join(dataDir, INTEGRATIONS_FOLDER), sealSecret)
  collectFrom(metricsOf(services.metrics).node.integrationsUp, () => (integrations.fault === undefined ? 1 : 0))
  const outbound = new Outbound(config.outbound)
  onClose(async () => {
    await outbound.close()
    await integrations.close()
  })
  const sessions = new OperatorSessions()
  let { operatorKeys } = config.gateway
  const operators = operatorsOf(() => operatorKeys, sessions, SYSTEM_CLOCKS)
  const context = { services, feed, integrations, outbound, audit, operators, logger, dataDir, resolveAccount }
  const features = await openFeatures(context, keys, config, onClose)
  const all = features.running.map(({ running }) => running)
  const server = serverConfig(config, tls)
  const site = all.find((one) => one.site !== undefined)?.site
  const tracer = all.find((one) => one.tracer !== undefined)?.tracer
  const { maxConnections = DEFAULT_GATEWAY_CONFIG.maxConnections } = server
  const built = new Gateway(
    {
      ...server,
      telemetryProfile: telemetry.profile,
      maxStreams: maxConnections - CONNECTIONS_FOR_REQUESTS,
      ...(await settingsOf(config, resolveAccount)),
      disabledFeatures: features.off,
      nodeFeatures: NODE_FEATURES,
      withheldRoutes: all.flatMap(({ withheld = [] }) => withheld),
    },
    {
      services,
      feed,
      logger,
      audit,
      sessions,
      starting,
      site,
      tracer,
      routes: FEATURE_ROUTES,
      handlers: new Map(all.flatMap(({ handlers = [] }) => [...handlers])),
      streams: new Map(all.flatMap(({ streams = [] }) => [...streams])),
      largeBodies: new Map(all.flatMap(({ largeBodies = [] }) => [...largeBodies])),
    },
  )
  for (const { resume } of all) await resume?.()
  const unsubscribe = accounts.started()
  onClose(async () => unsubscribe())
  const reload = new Reload(config, {
    gateway: {
      configure: (settings) => {
        built.configure(settings)
        operatorKeys = settings.operatorKeys
      },
    },
    services: features.running,
    settingsOf: async (next) => {
      const renewed = await renewedTls(config, next, built.config.tls)
      return { ...(await settingsOf(next, resolveAccount)), ...definedFields({ tls: renewed }) }
    },
    logger,
    audit,
  })
  return { gateway: built, reload }
}
