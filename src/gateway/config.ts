/** Owns the settings of the gateway, their defaults and validation. */
import { isIP } from 'node:net'
import { DEFAULT_TELEMETRY_PROFILE, type TelemetryProfile } from '../api/index.js'
import { type AccountId, LedgerError } from '../model/index.js'
import type { GatewayTls } from './tls.js'
import { proxyRangeFault } from './trusted-proxies.js'

/** Token bucket: refilled at a steady rate, never above its burst. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

/**
 * Token for programs that do not sign; the requests of a token that is bound to an account count as requests of that
 * account.
 */
export interface ApiToken {
  /** Name in the log; default: the position of the token in the list. */
  readonly name?: string | undefined
  /** SHA-256 of the token's UTF-8 bytes in hex, since configurations contain no secrets. */
  readonly sha256: string
  readonly account?: { readonly id: AccountId | undefined } | undefined
}

/** Settings of the gateway (`[gateway]` of the node configuration). */
export interface GatewayConfig {
  /** `host:port`; port 0 selects a free port. */
  readonly address: string
  /** True to serve an address other than loopback without TLS. */
  readonly insecure: boolean
  /** Certificate for HTTPS; undefined: HTTP. */
  readonly tls: GatewayTls | undefined
  /** Additional host names of the gateway; names of this machine and addresses are always accepted. */
  readonly hosts: readonly string[]
  /** Origins whose pages may call the gateway; none: no CORS headers. */
  readonly corsOrigins: readonly string[]
  readonly telemetryProfile: TelemetryProfile
  /** Maximum open connections, in total and per address. */
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** Limit of open streams; smaller than the limit of connections, so that readers cannot use all of them. */
  readonly maxStreams: number
  /** Address ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Maximum size of a request head (request line and headers), in bytes. */
  readonly maxHeaderBytes: number
  /**
   * Timeouts from the first byte to the end of the headers, and to the end of the body: slow clients must not hold
   * connections.
   */
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  /** Idle connections are closed after this time. */
  readonly keepAliveTimeoutMs: number
  /** Maximum time of a handler. */
  readonly handlerTimeoutMs: number
  /** Time limit for requests in flight when the gateway closes, in ms. */
  readonly closeTimeoutMs: number
  /** Limit per API token or, for requests without a token, per address; undefined: no limit. */
  readonly rateLimit: RateLimit | undefined
  /** Maximum body bytes per second, if `rateLimit` is set; a byte of JSON counts as sixteen. */
  readonly rateBytesPerSecond: number
  readonly apiTokens: readonly ApiToken[]
  /** True to refuse requests without a token, except /health. */
  readonly requireApiToken: boolean
  /** Multihash texts of keys that may sign operator requests. */
  readonly operatorKeys: readonly string[]
  /** Account of unsigned requests to `account` routes: for test networks only. */
  readonly anonymousAccount: AccountId | undefined
  /** Features whose routes return 404 `route_not_enabled`. */
  readonly disabledFeatures: readonly string[]
  /** Features that belong to nodes and not to the chain. */
  readonly nodeFeatures: readonly string[]
  /** Ids of routes that are not served although their feature is. */
  readonly withheldRoutes: readonly string[]
}

/** Gateway settings that can change at runtime. */
export interface GatewaySettings
  extends Pick<
    GatewayConfig,
    | 'hosts'
    | 'corsOrigins'
    | 'maxConnectionsPerAddress'
    | 'rateLimit'
    | 'rateBytesPerSecond'
    | 'apiTokens'
    | 'requireApiToken'
    | 'operatorKeys'
    | 'trustedProxies'
  > {
  /** New certificate that replaces the current one. */
  readonly tls?: GatewayTls | undefined
}

export const DEFAULT_GATEWAY_CONFIG: GatewayConfig = {
  address: '127.0.0.1:8080',
  insecure: false,
  tls: undefined,
  hosts: [],
  corsOrigins: [],
  telemetryProfile: DEFAULT_TELEMETRY_PROFILE,
  // Each takes some ten kilobytes; the usual limit of open files is 1024, and the node itself needs some.
  maxConnections: 900,
  // A benchmark or a proxy on one host opens hundreds.
  maxConnectionsPerAddress: 512,
  maxStreams: 800,
  trustedProxies: [],
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  handlerTimeoutMs: 30_000,
  closeTimeoutMs: 5_000,
  // Above what one node commits, so that only a flood reaches it; the queue has its own limits.
  rateLimit: { perSecond: 10_000, burst: 20_000 },
  // Ten thousand transactions of 800 bytes.
  rateBytesPerSecond: 8 * 1024 * 1024,
  apiTokens: [],
  requireApiToken: false,
  operatorKeys: [],
  anonymousAccount: undefined,
  disabledFeatures: [],
  nodeFeatures: [],
  withheldRoutes: [],
}

/** Host and port of an address text; an IPv6 host is in brackets. */
export interface HostPort {
  readonly host: string
  readonly port: number
}

const ADDRESS = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):([0-9]{1,5})$/

const invalid = (message: string, hint?: string): LedgerError => new LedgerError('config_invalid', message, { hint })

/** Split `host:port`; throws `config_invalid`. */
export function parseHostPort(text: string): HostPort {
  const match = ADDRESS.exec(text)
  const port = Number(match?.[3])
  const host = match?.[1] ?? match?.[2]
  if (host === undefined || !(port <= 65_535)) {
    throw invalid(
      `gateway address ${JSON.stringify(text)} is not host:port`,
      'For example 127.0.0.1:8080 or [::1]:8080.',
    )
  }
  return { host, port }
}

/** `host:port`, with brackets around an IPv6 host. */
export const formatHostPort = (host: string, port: number): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`

/** True for addresses that are reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Complete a partial configuration; throws `config_invalid` for an invalid one. */
export function gatewayConfig(partial: Partial<GatewayConfig>): GatewayConfig {
  const given = Object.fromEntries(
    Object.entries(partial).filter(([key, value]) => value !== undefined || key === 'rateLimit'),
  )
  const config: GatewayConfig = { ...DEFAULT_GATEWAY_CONFIG, ...given }
  const { host } = parseHostPort(config.address)
  if (!isLoopback(host) && config.tls === undefined && !config.insecure) {
    throw invalid(
      `the gateway would serve ${config.address} without TLS`,
      'Set gateway.tls_cert and gateway.tls_key, or bind 127.0.0.1 behind a TLS proxy, or set gateway.insecure.',
    )
  }
  if (config.requireApiToken && config.apiTokens.length === 0) {
    throw invalid('gateway.require_api_token is set but no API token is configured')
  }
  if (config.apiTokens.some(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256))) {
    throw invalid('an API token must be configured by its SHA-256 in hex', 'printf %s "$TOKEN" | sha256sum')
  }
  const faulty = config.trustedProxies.find((range) => proxyRangeFault(range) !== undefined)
  if (faulty !== undefined) {
    throw invalid(`${JSON.stringify(faulty)} in gateway.trusted_proxies: ${proxyRangeFault(faulty)}`)
  }
  const { rateLimit } = config
  if (rateLimit !== undefined && !(rateLimit.perSecond > 0 && rateLimit.burst >= 1)) {
    throw invalid('gateway.rate_per_second must be positive, and gateway.rate_burst at least 1')
  }
  return config
}
