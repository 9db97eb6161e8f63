/** Owns the caps on connections, in all and of one address, and the answer to those above them (docs/design/gateway.md 8). */
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
 * Connections beyond the cap that exist at once while they are refused, at most; the system takes what comes on top and ends it
 * without an answer: who opens thousands at once pays for them alone.
 */
export const REFUSED_AT_ONCE_MAX = 64

/** What of the configuration counts connections. */
type Caps = Pick<GatewayConfig, 'maxConnections' | 'maxConnectionsPerAddress' | 'tls'>

/**
 * Counts connections. One above a cap is answered with 503 and ended before anything of it is read: no request is parsed, no
 * handshake of TLS begun. Over TLS there is no answer, because nothing can be said before the handshake. Connections of a
 * trusted proxy are of many clients: they count in all alone.
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
      ? `this address has ${caps.maxConnectionsPerAddress} connections open, as many as one may have`
      : `the node has ${caps.maxConnections} connections open, as many as it takes`,
  )
