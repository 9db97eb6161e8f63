/** Owns the periods of a cadence: full minutes, and calendar months from anchor to anchor. */
import { daysOf, firstDayOf, monthOf } from '../../../ledger/months.js'
import { type Cadence, DAY_MS, MINUTE_MS } from '../schema/records.js'

/** Period, and the part of a full period that it covers. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
  /** Served length, and length of the full period around it; the price is in proportion. */
  readonly partMs: number
  readonly fullMs: number
  /** Number of periods that ended after the previous period and before now. */
  readonly skipped: number
}

type Months = Extract<Cadence, { readonly kind: 'monthly' }>['value']

/** Anchor in a month, numbered as by `monthOf`, in ms since the Unix epoch. */
const anchorOf = (month: number, { anchorDay, timeMs }: Months): number =>
  (firstDayOf(month) + Math.min(anchorDay, daysOf(month)) - 1) * DAY_MS + timeMs

/** Month of the last anchor at or before a time. */
function anchoredMonth(ms: number, months: Months): number {
  const month = monthOf(Math.floor(ms / DAY_MS))
  return anchorOf(month, months) <= ms ? month : month - 1
}

/** First full minute at or after a time. */
const fullMinute = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS

/**
 * Period that contains `nowMs`, where `fromMs` is the end of the previous period. The first fixed period is extended to
 * a full minute; the first month ends at the next anchor and costs the corresponding part of the price.
 */
export function spanAfter({ kind, value }: Cadence, fromMs: number, nowMs: number): Span {
  if (kind === 'fixed') {
    const base = fullMinute(fromMs)
    const skipped = Math.max(0, Math.floor((nowMs - base) / value.periodMs))
    const endMs = base + (skipped + 1) * value.periodMs
    const startMs = skipped === 0 ? fromMs : endMs - value.periodMs
    return { startMs, endMs, partMs: 1, fullMs: 1, skipped }
  }
  const month = anchoredMonth(nowMs, value)
  const [begins, endMs] = [anchorOf(month, value), anchorOf(month + 1, value)]
  const startMs = Math.max(begins, fromMs)
  const skipped = month - anchoredMonth(fromMs, value)
  return { startMs, endMs, partMs: endMs - startMs, fullMs: endMs - begins, skipped }
}
