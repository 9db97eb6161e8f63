/**
 * Owns the limits of connections, in total and per address, and the response beyond them (docs/design/gateway.md 8).
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Metrics } from '../api/metrics.js'
import { LedgerError } from '../model/index.js'
import { clientAddress } from './client-address.js'
import type { GatewayConfig } from './config.js'
import { nextRequestId } from './exchange.js'
import { rawError } from './raw.js'
import type { TrustedProxies } from './trusted-proxies.js'

/**
 * Maximum connections above the limit that are refused with a response at the same time; further connections are closed
 * without a response.
 */
export const REFUSED_AT_ONCE_MAX = 64

/** Configured limits of connections. */
type Caps = Pick<GatewayConfig, 'maxConnections' | 'maxConnectionsPerAddress' | 'tls'>

/**
 * Count connections. A connection above the limit gets a 503 and is closed before anything is read: no request is
 * parsed, no TLS handshake is started. Over TLS it is closed without a response, because none is possible before the
 * handshake. Connections of a trusted proxy belong to many clients, so that they count only in total.
 */
export function capConnections(server: Server, caps: Caps, proxies: TrustedProxies, metrics: Metrics['gateway']): void {
  const byAddress = new Map<string, number>()
  let open = 0
  const refuse = (socket: Socket, reason: 'total' | 'address'): void => {
    metrics.refusedConnections.inc({ reason })
    // A reset by the client must not end the process.
    socket.on('error', () => socket.destroy())
    if (caps.tls !== undefined) return void socket.destroy()
    socket.end(rawError(tooMany(reason, caps), nextRequestId()), () => socket.destroy())
  }
  const serve = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('drop', () => metrics.refusedConnections.inc({ reason: 'total' }))
  server.on('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress)
    const ofAddress = (byAddress.get(address) ?? 0) + 1
    if (ofAddress > caps.maxConnectionsPerAddress && !proxies.has(socket.remoteAddress))
      return refuse(socket, 'address')
    if (open >= caps.maxConnections) return refuse(socket, 'total')
    byAddress.set(address, ofAddress)
    open += 1
    metrics.connections.inc()
    socket.once('close', () => {
      open -= 1
      metrics.connections.dec()
      const left = (byAddress.get(address) ?? 1) - 1
      if (left === 0) byAddress.delete(address)
      else byAddress.set(address, left)
    })
    for (const listener of serve) Reflect.apply(listener, server, [socket])
  })
}

const tooMany = (reason: 'total' | 'address', caps: Caps): LedgerError =>
  new LedgerError(
    'too_many_connections',
    reason === 'address'
      ? `this address has ${caps.maxConnectionsPerAddress} open connections, the limit for one address`
      : `the node has ${caps.maxConnections} open connections, its limit`,
  )
