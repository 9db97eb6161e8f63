/**
 * Owns the TCP proxy in front of one peer: it determines the dialling peer, then delays or holds bytes, or cuts the
 * link.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { dialerOf } from './dialer.js'

/** Behaviour of a link between two peers. */
export interface Weather {
  /** True if no bytes pass between two peers and new links are refused. */
  isCut(from: string, to: string): boolean
  /** Current delay, in ms. */
  delayMs(from: string, to: string): number
}

/** Listen address and target of a proxy. */
export interface ProxyPlace {
  /** Name of the peer behind it. */
  readonly to: string
  readonly listenPort: number
  readonly targetPort: number
  readonly weather: Weather
  /** Process ids of the peers by name. A link does not identify its owner, so the system is queried for it. */
  readonly processes: () => Promise<ReadonlyMap<string, number>> | ReadonlyMap<string, number>
}

/** Name of a dialling process that is not a peer; its handling depends on the behaviour. */
export const UNKNOWN_DIALER = ''
/** Maximum waiting bytes of one direction before the sender is slowed down. */
const WAITING_MAX_BYTES = 4 * 1024 * 1024
/** Polling interval of a paused stream, in ms. */
const HELD_POLL_MS = 20

interface Pair {
  readonly from: string
  readonly sockets: readonly [Socket, Socket]
}

/** Proxy in front of one peer. */
export class LinkProxy {
  private server: Server | undefined
  private readonly pairs = new Set<Pair>()

  constructor(private readonly place: ProxyPlace) {}

  /** Name of the peer behind it. */
  get to(): string {
    return this.place.to
  }

  async listen(): Promise<void> {
    const server = createServer((socket) => void this.admit(socket))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.place.listenPort, '127.0.0.1', resolve)
    })
    this.server = server
  }

  /** Reset the links that a peer dialled, or all. */
  reset(from?: string): void {
    for (const pair of this.pairs) {
      if (from !== undefined && pair.from !== from) continue
      for (const socket of pair.sockets) socket.resetAndDestroy()
    }
  }

  async close(): Promise<void> {
    this.reset()
    const { server } = this
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  private async admit(incoming: Socket): Promise<void> {
    const { to, targetPort, weather, processes } = this.place
    incoming.on('error', () => {})
    incoming.pause()
    incoming.setNoDelay(true)
    const from = (await dialerOf(incoming.remotePort ?? 0, await processes())) ?? UNKNOWN_DIALER
    if (incoming.destroyed) return
    if (weather.isCut(from, to)) {
      incoming.resetAndDestroy()
      return
    }
    const outgoing = createConnection({ port: targetPort, host: '127.0.0.1', noDelay: true })
    const pair: Pair = { from, sockets: [incoming, outgoing] }
    this.pairs.add(pair)
    const end = (): void => {
      this.pairs.delete(pair)
      for (const socket of pair.sockets) socket.destroy()
    }
    for (const socket of pair.sockets) socket.on('error', end).on('close', end)
    this.carry(incoming, outgoing, from, to)
    this.carry(outgoing, incoming, to, from)
    incoming.resume()
  }

  /** Forward bytes in order, each part with the configured delay, and none while the pair is cut. */
  private carry(source: Socket, sink: Socket, from: string, to: string): void {
    const { weather } = this.place
    const waiting: { readonly bytes: Buffer; readonly dueMs: number }[] = []
    let waitingBytes = 0
    let scheduled = false
    const flushIn = (ms: number): void => {
      if (scheduled) return
      scheduled = true
      setTimeout(flush, ms)
    }
    const flush = (): void => {
      scheduled = false
      if (sink.destroyed) return
      const nowMs = performance.now()
      while (waiting[0] !== undefined && waiting[0].dueMs <= nowMs && !weather.isCut(from, to)) {
        const { bytes } = waiting.shift() as { bytes: Buffer }
        waitingBytes -= bytes.length
        sink.write(bytes)
      }
      if (waitingBytes <= WAITING_MAX_BYTES) source.resume()
      if (waiting[0] !== undefined) flushIn(Math.max(HELD_POLL_MS, waiting[0].dueMs - nowMs))
    }
    source.on('data', (bytes: Buffer) => {
      const delayMs = weather.delayMs(from, to)
      const dueMs = performance.now() + delayMs
      waiting.push({ bytes, dueMs: Math.max(dueMs, waiting.at(-1)?.dueMs ?? 0) })
      waitingBytes += bytes.length
      if (waitingBytes > WAITING_MAX_BYTES) source.pause()
      if (delayMs === 0 && waiting.length === 1) flush()
      else flushIn(delayMs)
    })
  }
}
