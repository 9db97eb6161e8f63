/** Owns the wiring of the gateway into a node: its configuration, its certificate, the routes of the bridge. */

import { isoSchema } from '../features/iso20022/schema/index.js'
import { laneHandlers } from '../features/lanes/node/handlers.js'
import { laneSchema } from '../features/lanes/schema/index.js'
import type { AuditTrail } from '../features/services.js'
import {
  type ApiToken,
  DEFAULT_GATEWAY_CONFIG,
  Gateway,
  type GatewayConfig,
  type GatewayTls,
  StartingGateway,
  type StartingNode,
} from '../gateway/index.js'
import { openBridge, resolveAccountText } from './bridge.js'
import { formatHostPort, type NodeConfig } from './config/index.js'
import type { Logger } from './logger.js'
import type { Services } from './services.js'

/** Feature of the bridge's routes: off on a node without a bridge key. */
const BRIDGE_FEATURE = 'iso20022'

/** Connections that streams leave to everybody else. */
const CONNECTIONS_FOR_REQUESTS = 100

/** What of the configuration the listening server is made from. */
function serverConfig({ gateway }: NodeConfig, tls: GatewayTls | undefined): Partial<GatewayConfig> {
  return {
    address: formatHostPort(gateway.listen),
    insecure: gateway.insecure,
    tls,
    corsOrigins: gateway.corsOrigins,
    // One address that may open more than all together may would not get them.
    maxConnections: Math.max(DEFAULT_GATEWAY_CONFIG.maxConnections, gateway.connectionsPerAddress),
  }
}

/** Listens for the gateway of a node that starts; rejects with `address_in_use` naming the address, or `config_invalid`. */
export const openStarting = (
  config: NodeConfig,
  tls: GatewayTls | undefined,
  node: StartingNode,
): Promise<StartingGateway> => StartingGateway.listen(serverConfig(config, tls), node)

/** What the gateway of a node is made from. */
export interface GatewayParts {
  readonly audit: AuditTrail
  readonly tls: GatewayTls | undefined
  readonly logger: Logger
  /** What listens for it already; without it, it listens itself. */
  readonly starting?: StartingGateway
  /** Told what to close after the gateway. */
  readonly onClose: (step: () => Promise<void>) => void
}

/** Builds the gateway with the bridge behind it, and sends again what the bridge had under way; does not listen yet. */
export async function openGateway(config: NodeConfig, services: Services, parts: GatewayParts): Promise<Gateway> {
  const { audit, tls, logger, starting, onClose } = parts
  const bridge = await openBridge(config, services, audit, logger)
  if (bridge !== undefined) onClose(() => bridge.close())
  const { gateway, telemetry } = config
  const apiTokens: ApiToken[] = []
  for (const { name, sha256, account } of gateway.apiTokens) {
    const key = `gateway.api_tokens "${name}"`
    const bound = account === undefined ? {} : { account: await resolveAccountText(services, key, account) }
    apiTokens.push({ name, sha256, ...bound })
  }
  const server = serverConfig(config, tls)
  const { maxConnections = DEFAULT_GATEWAY_CONFIG.maxConnections } = server
  const built = new Gateway(
    {
      ...server,
      telemetryProfile: telemetry.profile,
      maxConnectionsPerAddress: gateway.connectionsPerAddress,
      maxStreams: maxConnections - CONNECTIONS_FOR_REQUESTS,
      hosts: gateway.hosts,
      rateBytesPerSecond: gateway.rateBytesPerSecond,
      rateLimit: { perSecond: gateway.ratePerSecond, burst: gateway.rateBurst },
      apiTokens,
      requireApiToken: gateway.requireApiToken,
      operatorKeys: gateway.operatorKeys,
      disabledFeatures: bridge === undefined ? [BRIDGE_FEATURE] : [],
    },
    {
      services,
      logger,
      audit,
      ...(starting === undefined ? {} : { starting }),
      routes: [...isoSchema.routes, ...laneSchema.routes],
      handlers: new Map([...laneHandlers, ...(bridge?.handlers ?? [])]),
    },
  )
  if (bridge !== undefined) {
    const sent = await bridge.bridge.resume()
    if (sent > 0) logger.info({ messages: sent }, 'bridge messages sent again after the restart')
  }
  return built
}
