/** Owns dialling one peer: its addresses in turn, with growing pauses, until stopped. */
import { performance } from 'node:perf_hooks'
import { connect, type TLSSocket } from 'node:tls'
import { LedgerError } from '../model/index.js'
import { parseAddress } from './address.js'
import { HANDSHAKE_TIMEOUT_MS, REDIAL_MAX_MS, REDIAL_MIN_MS, STABLE_LINK_MS } from './limits.js'
import type { clientOptions } from './tls.js'

/** Dependencies of a dialler on its owner. */
export interface DialTarget {
  /** `host:port` texts, tried in turn; read at each attempt. */
  readonly addresses: () => readonly string[]
  /** TLS is up, and nothing was sent yet. The owner reports the outcome with `failed` or `succeeded`. */
  readonly onSocket: (socket: TLSSocket, address: string) => void
  readonly onFailure: (fault: LedgerError) => void
}

/** Dials one peer. At most one attempt runs at a time. */
export class Dialer {
  private state: 'idle' | 'waiting' | 'dialing' = 'idle'
  private attempts = 0
  private turn = 0
  private timer: NodeJS.Timeout | undefined
  private socket: TLSSocket | undefined
  private upSinceMs: number | undefined

  constructor(
    private readonly target: DialTarget,
    private readonly options: ReturnType<typeof clientOptions>,
  ) {}

  /** Dials after the pause that the history asks for; nothing happens when an attempt waits or runs. */
  start(): void {
    if (this.state !== 'idle' || this.target.addresses().length === 0) return
    this.state = 'waiting'
    this.timer = setTimeout(() => this.dial(), this.pauseMs())
  }

  /** The link of the attempt did not come up. */
  failed(): void {
    if (this.state === 'dialing') this.state = 'idle'
  }

  /** A link to this peer is up, in either direction: pending attempts end, a running one may still finish. */
  up(): void {
    this.upSinceMs = performance.now()
    if (this.state === 'waiting') clearTimeout(this.timer)
    if (this.state !== 'dialing') this.state = 'idle'
  }

  /** The attempt's own link is up. */
  succeeded(): void {
    this.state = 'idle'
  }

  /** The link is down; after a long-lived link the next pause is short. */
  down(): void {
    if (this.upSinceMs !== undefined && performance.now() - this.upSinceMs >= STABLE_LINK_MS) this.attempts = 0
    this.upSinceMs = undefined
  }

  /** Ends everything. */
  stop(): void {
    clearTimeout(this.timer)
    this.socket?.destroy()
    this.state = 'idle'
  }

  /** None at first, then 100 ms doubling to 5 s, each shortened by up to half at random. */
  private pauseMs(): number {
    if (this.attempts === 0) return 0
    const full = Math.min(REDIAL_MAX_MS, REDIAL_MIN_MS * 2 ** Math.min(this.attempts - 1, 16))
    return full * (0.5 + Math.random() / 2)
  }

  private dial(): void {
    this.state = 'dialing'
    this.attempts += 1
    const addresses = this.target.addresses()
    const address = addresses[this.turn % addresses.length] ?? ''
    this.turn += 1
    const place = parseAddress(address)
    if (place === undefined) return this.fail(`${JSON.stringify(address)} is not host:port`)
    const socket = connect({ ...this.options, ...place })
    this.socket = socket
    const timeout = setTimeout(
      () => give(`${address} did not respond within ${HANDSHAKE_TIMEOUT_MS} ms`),
      HANDSHAKE_TIMEOUT_MS,
    )
    const release = () => {
      clearTimeout(timeout)
      socket.removeListener('error', onError)
      socket.removeListener('close', onClose)
      socket.removeListener('secureConnect', onSecure)
      this.socket = undefined
    }
    const give = (why: string) => {
      release()
      // Ignores a late error of an abandoned socket.
      socket.on('error', () => {})
      socket.destroy()
      this.fail(why)
    }
    const onError = (error: Error) => give(`${address}: ${error.message}`)
    const onClose = () => give(`${address} closed the connection during the handshake`)
    const onSecure = () => {
      release()
      this.target.onSocket(socket, address)
    }
    socket.once('error', onError)
    socket.once('close', onClose)
    socket.once('secureConnect', onSecure)
  }

  private fail(why: string): void {
    this.state = 'idle'
    this.target.onFailure(new LedgerError('unreachable', why))
  }
}
