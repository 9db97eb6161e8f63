/** Owns the TCP proxies between peers: who dialed is found out, then bytes are delayed, held back, or the link is cut. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import type { Random } from '../../src/simulation/prng.js'

/** What happens between two peers. */
export interface Weather {
  /** True while nothing passes from one to the other and no link comes to be. */
  isCut(from: string, to: string): boolean
  /** Delay of what passes now, in ms. */
  delayMs(from: string, to: string): number
}

/** Bytes of one direction that wait before the sender is slowed down. */
const WAITING_MAX_BYTES = 4 * 1024 * 1024
/** How often a held stream looks whether it may go on, in ms. */
const HELD_POLL_MS = 20

/** Inode of the socket with this local port, from the kernel's table. */
async function inodeOf(port: number): Promise<string | undefined> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const table = await readFile('/proc/net/tcp', 'latin1').catch(() => '')
  for (const line of table.split('\n').slice(1)) {
    const words = line.trim().split(/\s+/)
    if (words[1]?.endsWith(wanted) === true && words[9] !== '0') return words[9]
  }
  return undefined
}

/** True when a process holds the socket of an inode. */
async function holds(pid: number, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch(() => [])
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
  return links.includes(`socket:[${inode}]`)
}

interface Pair {
  readonly from: string
  readonly sockets: readonly [Socket, Socket]
}

/** The proxy in front of one peer. */
export class ChaosProxy {
  private server: Server | undefined
  private readonly pairs = new Set<Pair>()

  constructor(
    /** Name of the peer behind it. */
    readonly to: string,
    private readonly listenPort: number,
    private readonly targetPort: number,
    private readonly weather: Weather,
    /** Process ids of the peers by name: a link tells nothing of its owner, the system does. */
    private readonly processes: () => ReadonlyMap<string, number>,
    private readonly random: Random,
  ) {}

  async listen(): Promise<void> {
    const server = createServer((socket) => void this.admit(socket))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.listenPort, '127.0.0.1', resolve)
    })
    this.server = server
  }

  /** Resets the links that a peer dialed, or all. */
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
    incoming.on('error', () => {})
    incoming.pause()
    incoming.setNoDelay(true)
    const from = await this.dialerOf(incoming.remotePort ?? 0)
    if (incoming.destroyed) return
    if (from === undefined || this.weather.isCut(from, this.to)) {
      incoming.resetAndDestroy()
      return
    }
    const outgoing = createConnection({ port: this.targetPort, host: '127.0.0.1', noDelay: true })
    const pair: Pair = { from, sockets: [incoming, outgoing] }
    this.pairs.add(pair)
    const end = (): void => {
      this.pairs.delete(pair)
      for (const socket of pair.sockets) socket.destroy()
    }
    for (const socket of pair.sockets) socket.on('error', end).on('close', end)
    this.carry(incoming, outgoing, from, this.to)
    this.carry(outgoing, incoming, this.to, from)
    incoming.resume()
  }

  private async dialerOf(port: number): Promise<string | undefined> {
    const inode = await inodeOf(port)
    if (inode === undefined) return undefined
    for (const [name, pid] of this.processes()) if (await holds(pid, inode)) return name
    return undefined
  }

  /** Passes bytes on in order; each stretch as late as the weather says, none while the pair is cut. */
  private carry(source: Socket, sink: Socket, from: string, to: string): void {
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
      while (waiting[0] !== undefined && waiting[0].dueMs <= nowMs && !this.weather.isCut(from, to)) {
        const { bytes } = waiting.shift() as { bytes: Buffer }
        waitingBytes -= bytes.length
        sink.write(bytes)
      }
      if (waitingBytes <= WAITING_MAX_BYTES) source.resume()
      if (waiting[0] !== undefined) flushIn(Math.max(HELD_POLL_MS, waiting[0].dueMs - nowMs))
    }
    source.on('data', (bytes: Buffer) => {
      const delayMs = this.weather.delayMs(from, to)
      const dueMs = performance.now() + delayMs * (0.5 + this.random.next())
      waiting.push({ bytes, dueMs: Math.max(dueMs, waiting.at(-1)?.dueMs ?? 0) })
      waitingBytes += bytes.length
      if (waitingBytes > WAITING_MAX_BYTES) source.pause()
      if (delayMs === 0 && waiting.length === 1) flush()
      else flushIn(delayMs)
    })
  }
}
