/** Owns dialling one peer: its addresses in turn, with growing pauses, until it is stopped. */
import { performance } from 'node:perf_hooks'
import { connect, type TLSSocket } from 'node:tls'
import { LedgerError } from '../model/index.js'
import { parseAddress } from './address.js'
import { HANDSHAKE_TIMEOUT_MS, REDIAL_MAX_MS, REDIAL_MIN_MS, STABLE_LINK_MS } from './limits.js'
import type { clientOptions } from './tls.js'

/** Interface of a dialler to its owner. */
export interface DialTarget {
  /** `host:port` texts, tried in turn; read at each attempt. */
  readonly addresses: () => readonly string[]
  /**
   * Called when TLS is connected and nothing was sent yet. The owner reports the outcome with `failed` or `succeeded`.
   */
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

  /** Dial after the pause that past attempts require; no effect if an attempt is waiting or running. */
  start(): void {
    if (this.state !== 'idle' || this.target.addresses().length === 0) return
    this.state = 'waiting'
    this.timer = setTimeout(() => this.dial(), this.pauseMs())
  }

  /** Report that the link of the attempt was not established. */
  failed(): void {
    if (this.state === 'dialing') this.state = 'idle'
  }

  /** Report a link to this peer in either direction: a waiting attempt is cancelled, a running one may finish. */
  up(): void {
    this.upSinceMs = performance.now()
    if (this.state === 'waiting') clearTimeout(this.timer)
    if (this.state !== 'dialing') this.state = 'idle'
  }

  /** Report that the link of the attempt itself was established. */
  succeeded(): void {
    this.state = 'idle'
  }

  /** Report that the link ended; after a long-lived link the next pause is short. */
  down(): void {
    if (this.upSinceMs !== undefined && performance.now() - this.upSinceMs >= STABLE_LINK_MS) this.attempts = 0
    this.upSinceMs = undefined
  }

  /** Stop dialling for good. */
  stop(): void {
    clearTimeout(this.timer)
    this.socket?.destroy()
    this.state = 'idle'
  }

  /** Next pause: 0 at first, then 100 ms doubling to 5 s, each shortened at random by up to half. */
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
