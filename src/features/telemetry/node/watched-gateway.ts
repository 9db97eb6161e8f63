/** Owns one watched gateway: its stream of blocks, reopened when it ends, and timed polls. */
import type { CausewayClient } from '../../../client/client.js'
import { sseMessages } from '../../../client/streams/sse.js'
import { clipText } from '../../../model/index.js'
import { blockView } from '../../explorer/schema/history.js'
import { EXPLORER_STREAMS } from '../../explorer/schema/streams.js'
import type { TelemetryPeer } from '../schema.js'
import { ASK_MS, READ_BYTES_PER_SECOND, RETRY_FIRST_MS, RETRY_LAST_MS } from './limits.js'

/** Maximum length of a stored key and version, in bytes. */
const KEY_MAX_BYTES = 128
const VERSION_MAX_BYTES = 64

export interface WatchedParts {
  readonly url: string
  readonly client: CausewayClient
  /** Wall clock, ms since the Unix epoch. */
  readonly wallMs: () => number
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  /** Resolves after a number of ms, or earlier when it is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called with a reported block; the time is corrected by half of the round trip. */
  readonly onBlock: (height: number, hash: string, atMs: number) => void
}

type Measured = Partial<Pick<TelemetryPeer, 'peer' | 'version' | 'height' | 'rttMs' | 'queueSize' | 'uptimeMs'>>

/** Watching period: from its start until it is stopped. */
interface Run {
  readonly stopped: AbortController
  readonly ended: Promise<void>
  /** Resolves at the first response or failure. */
  readonly answered: Promise<void>
}

export class WatchedGateway {
  private run: Run | undefined
  private connected = false
  private measured: Measured = {}
  private onAnswered: () => void = () => undefined

  constructor(private readonly parts: WatchedParts) {}

  /** Start to watch the gateway, which must not be watched already. */
  start(): void {
    const stopped = new AbortController()
    const answered = new Promise<void>((resolve) => {
      this.onAnswered = resolve
    })
    this.run = { stopped, answered, ended: this.follow(stopped.signal) }
  }

  async stop(): Promise<void> {
    this.run?.stopped.abort()
    await this.run?.ended
    this.run = undefined
  }

  async close(): Promise<void> {
    await this.stop()
    await this.parts.client.close()
  }

  /** Resolves when the gateway has responded or failed since watching began, or at once if it is not watched. */
  async answered(): Promise<void> {
    await this.run?.answered
  }

  /** Current state. */
  view(): Omit<TelemetryPeer, 'role' | 'clockOffsetMs'> {
    const { peer, version, height, rttMs, queueSize, uptimeMs } = this.measured
    const { url } = this.parts
    return { peer, url, source: 'gateway', connected: this.connected, height, version, rttMs, queueSize, uptimeMs }
  }

  /**
   * Read the blocks that the gateway commits, as they are committed; blocks between two connections are not requested.
   */
  private async follow(signal: AbortSignal): Promise<void> {
    for (let pauseMs = RETRY_FIRST_MS; !signal.aborted; pauseMs = Math.min(RETRY_LAST_MS, pauseMs * 2)) {
      const connection = new AbortController()
      const open = AbortSignal.any([signal, connection.signal])
      let asking: Promise<void> | undefined
      try {
        // Throws if the address serves another chain.
        const { validatorKey } = await this.parts.client.chain()
        const codec = await this.parts.client.codec()
        const bytes = await this.parts.client.rawEvents(EXPLORER_STREAMS.block.path, signal)
        this.measured = { ...this.measured, peer: clipText(validatorKey, KEY_MAX_BYTES) }
        this.connected = true
        asking = this.askOnAndOn(open)
        for await (const { event, data } of sseMessages(paced(bytes, this.parts, open))) {
          const block = event === 'block' ? blockView.parseJson(data, codec) : undefined
          if (block?.ok !== true) continue
          pauseMs = RETRY_FIRST_MS
          const { height, hash } = block.value
          this.measured = { ...this.measured, height }
          const atMs = Math.round(this.parts.wallMs() - (this.measured.rttMs ?? 0) / 2)
          this.parts.onBlock(height, Buffer.from(hash).toString('hex'), atMs)
        }
      } catch {
        // In any case the table shows it as disconnected, and it is retried.
      }
      this.connected = false
      connection.abort()
      await asking
      // A value that is no longer measured is absent.
      this.measured = { peer: this.measured.peer, version: this.measured.version }
      this.onAnswered()
      await this.pause(pauseMs, signal)
    }
  }

  /** Random delay between half of a time and all of it, so that nodes do not reconnect at the same time. */
  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return this.parts.pause(ms * (0.5 + Math.random() / 2), signal)
  }

  private async askOnAndOn(connected: AbortSignal): Promise<void> {
    while (!connected.aborted) {
      await this.ask()
      this.onAnswered()
      await this.pause(ASK_MS, connected)
    }
  }

  private async ask(): Promise<void> {
    const { client, monotonicMs } = this.parts
    try {
      const askedMs = monotonicMs()
      const { version, height } = await client.health()
      const rttMs = Math.max(0, Math.round(monotonicMs() - askedMs))
      // A gateway whose profile hides its status reports no more.
      const status = await client.status().catch(() => undefined)
      if (!this.connected) return
      this.measured = {
        ...this.measured,
        version: clipText(version, VERSION_MAX_BYTES),
        height: Math.max(height, this.measured.height ?? 0),
        rttMs,
        queueSize: status?.queueSize,
        uptimeMs: status?.uptimeMs,
      }
    } catch {
      this.measured = { ...this.measured, rttMs: undefined, queueSize: undefined, uptimeMs: undefined }
    }
  }
}

/** Bytes of a stream, limited to the rate of a fast chain, so that an endless stream only makes this node wait. */
async function* paced(
  bytes: AsyncIterable<Uint8Array>,
  { monotonicMs, pause }: Pick<WatchedParts, 'monotonicMs' | 'pause'>,
  signal: AbortSignal,
) {
  let [sinceMs, taken] = [monotonicMs(), 0]
  for await (const piece of bytes) {
    if (signal.aborted) return
    const leftMs = sinceMs + 1_000 - monotonicMs()
    if (leftMs <= 0) [sinceMs, taken] = [monotonicMs(), 0]
    taken += piece.length
    yield piece
    if (taken > READ_BYTES_PER_SECOND && leftMs > 0) {
      await pause(leftMs, signal)
    }
  }
}
