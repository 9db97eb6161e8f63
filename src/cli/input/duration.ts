/** Owns the parsing of durations such as `500ms`, `30s`, `2m`. */
import { usageError } from '../terminal/failure.js'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Maximum wait of a command, in ms: a day. */
const MAX_MS = 24 * 3_600_000

/** Maximum period or lifetime on the ledger, in ms: a year. */
const LEDGER_MAX_MS = 366 * 86_400_000

/** Milliseconds of a duration; a number without a unit counts seconds. Throws `usage`. */
export const parseDuration = (text: string, name: string, maxMs: number = MAX_MS): number =>
  durationOf(text, name, maxMs, 's')

/**
 * Parse a duration for the ledger, in milliseconds. A unit is required, because a plain 30 could mean days. Throws
 * `usage`.
 */
export const parseLedgerDuration = (text: string, name: string): number => durationOf(text, name, LEDGER_MAX_MS)

/** Milliseconds of a duration. A number without a unit counts in `unit`, and is invalid if `unit` is absent. */
function durationOf(text: string, name: string, maxMs: number, unit?: string): number {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(text)
  const perUnit = UNITS[match?.[2] ?? unit ?? ''] ?? Number.NaN
  const ms = match === null ? Number.NaN : Math.round(Number(match[1]) * perUnit)
  if (!(ms >= 1 && ms <= maxMs)) {
    throw usageError(
      `${name}: "${text}" is not a duration`,
      unit === undefined
        ? `Write it with a unit, for example 90s, 12h or 30d; at most ${maxMs / 86_400_000}d.`
        : `Write, for example, 500ms, 30s or 2m; at most ${maxMs / 3_600_000}h.`,
    )
  }
  return ms
}
