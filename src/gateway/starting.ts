/**
 * Owns responses of a starting node: liveness, an event stream that ends, and 503 `node_starting` for everything else
 * (docs/design/gateway.md 3).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  EVENT_STREAM_CONTENT_TYPE,
  EVENT_STREAM_MEDIA_TYPE,
  type Health,
  health,
  healthRoute,
  healthV1Route,
  splitTarget,
} from '../api/index.js'
import { LedgerError } from '../model/index.js'
import { type Answer, COMMON_HEADERS, errorAnswer, JSON_CONTENT_TYPE } from './answer.js'
import { type GatewayConfig, gatewayConfig } from './config.js'
import { Cors } from './cors.js'
import { nextRequestId } from './exchange.js'
import { prefersBinary } from './negotiate.js'
import { onClientError } from './raw.js'
import { type Bound, bind, newServer } from './server.js'

/** Time after which a browser opens an event stream again, in ms: a start takes seconds. */
const EVENT_STREAM_RETRY_MS = 1_000

const LIVENESS: ReadonlySet<string> = new Set([healthRoute.path, healthV1Route.path])

/** Properties of a starting node without a ledger. */
export interface StartingNode {
  readonly version: string
  /** Height of the last executed block; 0 while unknown. */
  readonly height: () => number
}

/**
 * Server that listens before the gateway exists, from the start of the node, and is then handed over to the gateway.
 */
export class StartingGateway {
  private readonly cors: Cors
  private released = false

  private constructor(
    /** Server to pass to the gateway that takes it over. */
    readonly server: Server,
    private readonly bound: Bound,
    config: GatewayConfig,
    private readonly node: StartingNode,
  ) {
    this.cors = new Cors(config.corsOrigins)
    server.on('request', this.onRequest)
    server.on('clientError', this.onClientError)
  }

  /** Listen; rejects with `address_in_use` for the address, or `config_invalid`. */
  static async listen(partial: Partial<GatewayConfig>, node: StartingNode): Promise<StartingGateway> {
    const config = gatewayConfig(partial)
    const server = newServer(config)
    return new StartingGateway(server, await bind(server, config), config, node)
  }

  /** Stop responding: the server now belongs to the gateway. Returns its address. */
  release(): Bound {
    this.released = true
    this.server.off('request', this.onRequest)
    this.server.off('clientError', this.onClientError)
    return this.bound
  }

  /** Close the server unless a gateway took it over. */
  async close(): Promise<void> {
    if (this.released) return
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    // Every response was sent at once: the remaining connections have incomplete requests.
    this.server.closeAllConnections()
    await closed
  }

  private readonly onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { status, headers, body } = this.answer(request)
    response.writeHead(status, {
      ...headers,
      ...this.cors.headersFor(request),
      'content-length': body.length,
      // The gateway counts connections from their start.
      connection: 'close',
    })
    response.end(body)
  }

  private readonly onClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
    onClientError(error, socket, nextRequestId())
  }

  private answer({ method = 'GET', url = '/', headers }: IncomingMessage): Answer {
    if ((method === 'GET' || method === 'HEAD') && LIVENESS.has(splitTarget(url).path)) {
      const record: Health = { status: 'starting', height: this.node.height(), version: this.node.version }
      return {
        status: 200,
        headers: { ...COMMON_HEADERS, 'content-type': JSON_CONTENT_TYPE },
        body: Buffer.from(JSON.stringify(health.toJson(record))),
      }
    }
    const error = new LedgerError('node_starting', 'the node is starting')
    const refusal = errorAnswer(error, nextRequestId(), prefersBinary(headers.accept))
    if (method !== 'GET' || headers.accept?.includes(EVENT_STREAM_MEDIA_TYPE) !== true) return refusal
    // An EventSource stops permanently at any other status (HTML standard, 9.2.3); after a stream that ends it
    // reconnects.
    return {
      status: 200,
      headers: { ...refusal.headers, 'content-type': EVENT_STREAM_CONTENT_TYPE },
      body: Buffer.from(`retry: ${EVENT_STREAM_RETRY_MS}\n: ${error.message}\n\n`),
    }
  }
}
