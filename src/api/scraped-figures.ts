/** Owns ledger figures for metrics, read at a scrape and at most as often as they change. */
import type { Logger } from 'pino'
import { inTime } from '../base/sleep.js'

/** Minimum interval between two readings, in ms, so that frequent scrapes cannot load the ledger. */
const REFRESH_MS = 1_000
/**
 * Maximum wait of a scrape, in ms: collectors time out after a few seconds, and metrics matter most if a ledger hangs.
 */
const WAIT_MS = 500

export interface ScrapedParts<T> {
  readonly read: () => Promise<T>
  /** Height of the last block: figures change only with a block. */
  readonly height: () => number
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  readonly logger: Pick<Logger, 'debug'>
}

/** Cached figures, refreshed when they may have changed; a slow refresh appears in the next scrape. */
export class ScrapedFigures<T> {
  private figures: T
  private readAt: { readonly height: number; readonly ms: number } | undefined
  private reading: Promise<void> | undefined

  constructor(
    initial: T,
    private readonly parts: ScrapedParts<T>,
  ) {
    this.figures = initial
  }

  readonly current = async (): Promise<T> => {
    if (this.isStale()) await inTime(this.refresh(), WAIT_MS)
    return this.figures
  }

  private isStale(): boolean {
    if (this.readAt === undefined) return true
    const { height, ms } = this.readAt
    return this.parts.height() !== height && this.parts.monotonicMs() - ms >= REFRESH_MS
  }

  private refresh(): Promise<void> {
    const { read, height, monotonicMs, logger } = this.parts
    this.reading ??= (async () => {
      const readAt = { height: height(), ms: monotonicMs() }
      try {
        this.figures = await read()
        this.readAt = readAt
      } catch (error) {
        logger.debug({ error: String(error) }, 'could not read ledger metrics')
      }
      this.reading = undefined
    })()
    return this.reading
  }
}
