/** Owns the status of the running node, fetched once for all checks. */
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
import { keyLifecycleRoute } from '../features/peers/schema/routes.js'
import { LedgerError } from '../model/index.js'
import { formatHostPort, isLoopback, type NodeConfig } from '../node/config/index.js'

/** Longest wait for an answer of the own gateway, in ms. */
const ANSWER_MS = 3_000

/** What the gateway of a node answered; undefined: its telemetry profile does not show this. */
export interface Live {
  readonly gateway: string
  readonly status: NodeStatus | undefined
  readonly consensus: ConsensusStatus | undefined
  /** The registered peers but this one. */
  readonly peers: PeerList
  /** Every consensus key that the ledger knows. */
  readonly keys: ConsensusKeyList
  readonly time: TimeStatus
  /** The store of webhooks, devices and passkeys serves. */
  readonly integrationsUp: boolean | undefined
}

/** URL at which a host reaches its own gateway. */
export function gatewayOf({ gateway: { listen, tls } }: NodeConfig): string {
  const host = isLoopback(listen.host) ? listen.host : '127.0.0.1'
  return `${tls === undefined ? 'http' : 'https'}://${formatHostPort({ host, port: listen.port })}`
}

/** A client of the own gateway, to be closed by whoever takes it. */
export const ownClient = (gateway: string): CausewayClient =>
  new CausewayClient({ gateway, timeoutMs: ANSWER_MS, retries: 0 })

/** Asks the node; throws when its gateway does not answer. */
export async function askNode(config: NodeConfig): Promise<Live> {
  const gateway = gatewayOf(config)
  const client = ownClient(gateway)
  try {
    const [status, consensus, peers, keys, time, metrics] = await Promise.all([
      unlessHidden(client.status()),
      unlessHidden(client.consensusStatus()),
      client.peers(),
      client.route(keyLifecycleRoute, {}),
      client.route(timeStatusRoute, {}),
      unlessHidden(client.api('GET', metricsRoute.path, { accept: 'text/plain' })),
    ])
    const up =
      metrics === undefined ? undefined : /^node_integrations_store_up (\d)/m.exec(metrics.body.toString())?.[1]
    const integrationsUp = up === undefined ? undefined : up === '1'
    return { gateway, status, consensus, peers, keys, time, integrationsUp }
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
