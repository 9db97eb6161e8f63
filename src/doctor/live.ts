/** Owns the status of the running node, fetched once for all checks. */
import { readFile } from 'node:fs/promises'
import {
  type ConsensusKeyList,
  type ConsensusStatus,
  metricsRoute,
  type NodeStatus,
  type PeerList,
  type TimeStatus,
  timeStatusRoute,
} from '../api/index.js'
import { CausewayClient } from '../client/index.js'
import { keyLifecycleRoute } from '../features/peers/schema.js'
import { LedgerError } from '../model/index.js'
import { formatHostPort, type NodeConfig } from '../node/config/index.js'
import { figureOf, type ProcessFigures, processFigures } from './process-figures.js'

/** Maximum wait for a response of the node's own gateway, in ms. */
const ANSWER_MS = 3_000

/** Responses of the gateway of a node; a response is undefined if the telemetry profile hides it. */
export interface Live {
  readonly gateway: string
  readonly status: NodeStatus | undefined
  readonly consensus: ConsensusStatus | undefined
  /** All registered peers except this one. */
  readonly peers: PeerList
  /** All consensus keys on the ledger. */
  readonly keys: ConsensusKeyList
  readonly time: TimeStatus
  /** True if the store of webhooks, devices and passkeys is available. */
  readonly integrationsUp: boolean | undefined
  readonly process: ProcessFigures | undefined
}

/** Addresses that mean all interfaces of a machine. */
const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** URL at which a host reaches its own gateway. */
export function gatewayOf({ gateway: { listen, tls } }: NodeConfig): string {
  const host = ALL_ADDRESSES.has(listen.host) ? '127.0.0.1' : listen.host
  return `${tls === undefined ? 'http' : 'https'}://${formatHostPort({ host, port: listen.port })}`
}

/** Credentials that the doctor may send to a gateway. */
export interface Access {
  /** API token of the user for a gateway. */
  readonly tokenFor: (gateway: string) => string | undefined
  /** True if the token may be sent over plain http to another machine. */
  readonly insecure: boolean
}

/** No credentials. */
export const NO_ACCESS: Access = { tokenFor: () => undefined, insecure: false }

/**
 * Client of the node's own gateway; the caller closes it. Over TLS it accepts only the certificate of the
 * configuration, which contains the public name of the node. The configuration may be untrusted: its gateway gets a
 * token only if the user has one for that gateway.
 */
export async function ownClient(config: NodeConfig, { tokenFor, insecure }: Access): Promise<CausewayClient> {
  const { tls } = config.gateway
  const certificate = tls === undefined ? undefined : await readFile(tls.certFile, 'utf8')
  const gateway = gatewayOf(config)
  const apiToken = tokenFor(gateway)
  return new CausewayClient({
    gateway,
    timeoutMs: ANSWER_MS,
    retries: 0,
    certificate,
    insecure,
    apiToken,
  })
}

/** Query the node; throws if its gateway does not respond. */
export async function askNode(config: NodeConfig, access: Access): Promise<Live> {
  const gateway = gatewayOf(config)
  const client = await ownClient(config, access)
  try {
    const [status, consensus, peers, keys, time, metrics] = await Promise.all([
      unlessHidden(client.status()),
      unlessHidden(client.consensusStatus()),
      client.peers(),
      client.route(keyLifecycleRoute, {}),
      client.route(timeStatusRoute, {}),
      unlessHidden(client.api('GET', metricsRoute.path, { accept: 'text/plain' })),
    ])
    const text = metrics?.body.toString()
    const up = text === undefined ? undefined : figureOf(text, 'node_integrations_store_up')
    const integrationsUp = up === undefined ? undefined : up === 1
    const process = text === undefined ? undefined : processFigures(text)
    return { gateway, status, consensus, peers, keys, time, integrationsUp, process }
  } finally {
    await client.close()
  }
}

function unlessHidden<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof LedgerError && error.code === 'telemetry_profile_restricted') return undefined
    throw error
  })
}
