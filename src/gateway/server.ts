/** Owns the server below the routes: HTTP or HTTPS, timeouts, sizes, its address. */
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

/** Longest parameter in a path, in characters: an alias has 257, percent-encoded three times that. */
const PATH_PARAMETER_MAX_CHARACTERS = 1024

/**
 * A connection on which nothing moves for this long ends, in ms: a reader that takes nothing of its answer would keep its
 * place for ever. Streams send something far more often, and no handler takes as long.
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
    // How often Node looks for slow clients; its default of 30 s would make our timeouts a guess.
    connectionsCheckingInterval: Math.max(50, Math.min(1_000, config.headersTimeoutMs / 2)),
    // Checked with the other heads, so that the refusal has our shape.
    requireHostHeader: false,
  }
  const server =
    tls === undefined
      ? createServer(http)
      : createSecureServer({
          ...http,
          ...secured(tls),
          // A client that is slow to shake hands is as slow as one with its headers.
          handshakeTimeout: config.headersTimeoutMs,
        })
  server.timeout = SILENCE_MAX_MS
  server.maxConnections = config.maxConnections + REFUSED_AT_ONCE_MAX
  return server
}

/** A server of HTTPS shows another certificate from the next handshake on; connections that are open stay. */
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
    // It answers in a shape of its own; ours is in the gateway's hooks.
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

/** Listens at the address of the configuration. Rejects with `address_in_use` naming it, or `config_invalid`. */
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
    // One server has one address, whichever of the two the resolver would name first.
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
