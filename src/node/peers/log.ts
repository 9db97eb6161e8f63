/** Owns log lines that peers can cause: one per minute for each peer and text, with the count of suppressed lines. */
import { definedFields } from '../../base/defined-fields.js'
import type { ValidatorKey } from '../../model/index.js'
import type { Logger } from '../process/logger.js'
import { shortName } from './names.js'

/** Interval between two lines of one text about one peer, in ms. */
const INTERVAL_MS = 60_000
/** Maximum number of pairs of peer and text, enough for the largest network; when it is exceeded, all are removed. */
const LINES_MAX = 4_096

export class PeerLog {
  private readonly lines = new Map<string, { atMs: number; omitted: number }>()

  constructor(
    private readonly logger: Logger,
    /** Monotonic clock, ms. */
    private readonly monotonicMs: () => number,
  ) {}

  warn(peer: ValidatorKey, text: string, fields: Readonly<Record<string, unknown>>): void {
    const key = `${peer}:${text}`
    const nowMs = this.monotonicMs()
    const last = this.lines.get(key)
    if (last !== undefined && nowMs - last.atMs < INTERVAL_MS) {
      last.omitted += 1
      return
    }
    if (this.lines.size >= LINES_MAX) this.lines.clear()
    this.lines.set(key, { atMs: nowMs, omitted: 0 })
    const omitted = last?.omitted || undefined
    this.logger.warn(definedFields({ peer: shortName(peer), ...fields, omitted }), text)
  }
}
