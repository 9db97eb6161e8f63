/** Owns the cap on connections of one address, and the count of those refused (docs/design/gateway.md 8). */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Metrics } from '../api/metrics.js'

/** Counts connections and ends those above the cap of an address at once: what costs nothing must cost nothing to refuse. */
export function capConnections(server: Server, maxPerAddress: number, metrics: Metrics['gateway']): void {
  const byAddress = new Map<string, number>()
  server.on('drop', () => metrics.refusedConnections.inc({ reason: 'total' }))
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const open = (byAddress.get(address) ?? 0) + 1
    if (open > maxPerAddress) {
      metrics.refusedConnections.inc({ reason: 'address' })
      socket.destroy()
      return
    }
    byAddress.set(address, open)
    metrics.connections.inc()
    socket.once('close', () => {
      metrics.connections.dec()
      const left = (byAddress.get(address) ?? 1) - 1
      if (left === 0) byAddress.delete(address)
      else byAddress.set(address, left)
    })
  })
}
