/** Owns the server below the routes: HTTP or HTTPS, timeouts, sizes, address. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type SecureContextOptions, Server as SecureServer } from 'node:tls'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { LedgerError } from '../model/index.js'
import { formatHostPort, type GatewayConfig, type HostPort, parseHostPort } from './config.js'
import { REFUSED_AT_ONCE_MAX } from './connections.js'
import { nextRequestId } from './exchange.js'
import { pathTarget } from './origins.js'
import { type GatewayTls, TLS_MIN_VERSION } from './tls.js'

/**
 * Maximum length of a path parameter, in characters: an alias has 257, and three times as many when percent-encoded.
 */
const PATH_PARAMETER_MAX_CHARACTERS = 1024

/**
 * Inactivity after which a connection is closed, in ms, because a client that does not read its response would hold it
 * indefinitely. Streams send far more often, and no handler takes that long.
 */
const SILENCE_MAX_MS = 120_000

const secured = ({ certificate, privateKey }: GatewayTls): SecureContextOptions => ({
  cert: certificate,
  key: privateKey,
  minVersion: TLS_MIN_VERSION,
})

/** Server that does not listen yet; uses HTTPS if the configuration has a certificate. */
export function newServer(config: GatewayConfig): Server {
  const { tls } = config
  const http = {
    maxHeaderSize: config.maxHeaderBytes,
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    // Interval of Node's check for slow clients; with its default of 30 s the timeouts would be inaccurate.
    connectionsCheckingInterval: Math.max(50, Math.min(1_000, config.headersTimeoutMs / 2)),
    // Checked with the other heads, so that the error has the gateway's format.
    requireHostHeader: false,
  }
  const server =
    tls === undefined
      ? createServer(http)
      : createSecureServer({
          ...http,
          ...secured(tls),
          // A slow handshake counts like slow headers.
          handshakeTimeout: config.headersTimeoutMs,
        })
  server.timeout = SILENCE_MAX_MS
  server.maxConnections = config.maxConnections + REFUSED_AT_ONCE_MAX
  return server
}

/** Replace the certificate of an HTTPS server for subsequent handshakes; open connections are kept. */
export function changeCertificate(server: Server, tls: GatewayTls): void {
  if (server instanceof SecureServer) server.setSecureContext(secured(tls))
}

/** Router over a server; `onRequest` must be attached to the server to handle its requests. */
export function newRouter(
  server: Server,
  handlers: Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'>,
): { readonly app: FastifyInstance; readonly onRequest: RequestListener } {
  let onRequest: RequestListener = () => {}
  const app = fastify({
    ...handlers,
    serverFactory: (handler) => {
      onRequest = handler as RequestListener
      return server
    },
    logger: false,
    genReqId: nextRequestId,
    bodyLimit: 1,
    // Its response has another format; the gateway's hooks send the right one.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/') || url === '*' ? url : pathTarget(url)),
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX_CHARACTERS, querystringParser: () => ({}) },
  })
  return { app, onRequest }
}

/** Listen address of a server. */
export interface Bound extends HostPort {
  readonly url: string
}

/** Listen at the configured address. Rejects with `address_in_use` for the address, or `config_invalid`. */
export async function bind(server: Server, config: GatewayConfig): Promise<Bound> {
  const { address } = config
  const { host, port } = parseHostPort(address)
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      const { code } = error
      const details = { details: { address }, cause: error }
      reject(
        code === 'EADDRINUSE'
          ? new LedgerError('address_in_use', `${address} is already in use`, details)
          : new LedgerError(
              'config_invalid',
              `the gateway cannot listen on ${address}: ${code ?? 'unknown error'}`,
              details,
            ),
      )
    }
    server.once('error', failed)
    // One address, whichever of the two the resolver returns first.
    server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port }, () => {
      server.off('error', failed)
      resolve()
    })
  })
  const bound = server.address()
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port
  return {
    host,
    port: boundPort,
    url: `${config.tls === undefined ? 'http' : 'https'}://${formatHostPort(host, boundPort)}`,
  }
}
