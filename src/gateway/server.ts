/** Owns the settings of the server below the routes: HTTP or HTTPS, timeouts, sizes. */
import type { Server } from 'node:http'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { GatewayConfig } from './config.js'
import { nextRequestId } from './exchange.js'
import { TLS_MIN_VERSION } from './tls.js'

/** Longest parameter in a path, in characters: an alias has 257, percent-encoded three times that. */
const PATH_PARAMETER_MAX_CHARACTERS = 1024

/** A server without routes; it speaks HTTPS when the configuration has a certificate. */
export function newServer(
  config: GatewayConfig,
  handlers: Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'>,
): FastifyInstance {
  const { tls } = config
  const http = {
    maxHeaderSize: config.maxHeaderBytes,
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    // How often Node looks for slow clients; its default of 30 s would make our timeouts a guess.
    connectionsCheckingInterval: Math.max(50, Math.min(1_000, config.headersTimeoutMs / 2)),
    // Checked in a hook, so that the refusal has our shape.
    requireHostHeader: false,
  }
  const options: FastifyServerOptions = {
    ...handlers,
    logger: false,
    genReqId: nextRequestId,
    bodyLimit: 1,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    // Both answer in a shape of their own; ours is in the gateway's hooks.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX_CHARACTERS, querystringParser: () => ({}) },
  }
  if (tls === undefined) return fastify({ ...options, http })
  const https = {
    ...http,
    cert: tls.certificate,
    key: tls.privateKey,
    minVersion: TLS_MIN_VERSION,
    // A client that is slow to shake hands is as slow as one with its headers.
    handshakeTimeout: config.headersTimeoutMs,
  } as const
  // The library types a server by its transport; above this line both are the same.
  return fastify({ ...options, https } as FastifyServerOptions<Server>)
}
