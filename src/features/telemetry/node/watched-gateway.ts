/** Owns one watched gateway: its stream of blocks, opened again when it ends, and the questions that are timed. */
import type { CausewayClient } from '../../../client/client.js'
import { sseMessages } from '../../../client/streams/sse.js'
import { clipText } from '../../../model/index.js'
import { blockView } from '../../explorer/schema/history.js'
import { EXPLORER_STREAMS } from '../../explorer/schema/streams.js'
import type { TelemetryPeer } from '../schema.js'
import { ASK_MS, READ_BYTES_PER_SECOND, RETRY_FIRST_MS, RETRY_LAST_MS } from './limits.js'

/** Longest key and version that are kept, in bytes. */
const KEY_MAX_BYTES = 128
const VERSION_MAX_BYTES = 64

export interface WatchedParts {
  readonly url: string
  readonly client: CausewayClient
  /** ms since the Unix epoch. */
  readonly wallMs: () => number
  /** Monotonic ms. */
  readonly monotonicMs: () => number
  /** Resolves after so many ms, or earlier when it is to end. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called with a reported block; the time is corrected by half of the round trip. */
  readonly onBlock: (height: number, hash: string, atMs: number) => void
}

type Measured = Partial<Pick<TelemetryPeer, 'peer' | 'version' | 'height' | 'rttMs' | 'queueSize' | 'uptimeMs'>>

/** One time of watching: from its start until it is stopped. */
interface Run {
  readonly stopped: AbortController
  readonly ended: Promise<void>
  /** Resolves at the first answer or failure. */
  readonly answered: Promise<void>
}

export class WatchedGateway {
  private run: Run | undefined
  private connected = false
  private measured: Measured = {}
  private onAnswered: () => void = () => undefined

  constructor(private readonly parts: WatchedParts) {}

  /** Begins to watch; it does not watch already. */
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

  /** Resolves when it has responded or failed since watching began; at once if it is not watched. */
  async answered(): Promise<void> {
    await this.run?.answered
  }

  /** Current state. */
  view(): Omit<TelemetryPeer, 'role' | 'clockOffsetMs'> {
    const { peer, version, height, rttMs, queueSize, uptimeMs } = this.measured
    const { url } = this.parts
    return { peer, url, source: 'gateway', connected: this.connected, height, version, rttMs, queueSize, uptimeMs }
  }

  /** Reads its blocks as it commits them; blocks of the time between two connections are not asked for. */
  private async follow(signal: AbortSignal): Promise<void> {
    for (let pauseMs = RETRY_FIRST_MS; !signal.aborted; pauseMs = Math.min(RETRY_LAST_MS, pauseMs * 2)) {
      const connection = new AbortController()
      const open = AbortSignal.any([signal, connection.signal])
      let asking: Promise<void> | undefined
      try {
        // Another chain at that address ends it here.
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
        // Whatever ended it: the table says that it is not connected, and it is tried again.
      }
      this.connected = false
      connection.abort()
      await asking
      // What is not measured any more is absent.
      this.measured = { peer: this.measured.peer, version: this.measured.version }
      this.onAnswered()
      await this.pause(pauseMs, signal)
    }
  }

  /** Half to all of a time, so that nodes do not dial in step. */
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
      // A gateway whose profile hides its status says no more than that.
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

/** The bytes of a stream, no more in a second than a fast chain makes: whoever sends without end costs this node nothing but a wait. */
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
