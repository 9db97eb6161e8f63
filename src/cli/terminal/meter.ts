/** Owns progress and remaining time of long work; pure, for testing. */
import { count } from '../text/figures.js'

/** Progress of work. */
export interface Progressed {
  /** Completed amount, in the unit of the meter. */
  readonly done: number
  /** Total amount; undefined while unknown. */
  readonly total?: number | undefined
  /** Current item, such as `block 12`. */
  readonly note?: string | undefined
}

/** Unit of progress. */
export type Unit = 'bytes' | 'blocks' | 'rows' | 'transactions' | 'messages' | 'seeds' | 'seconds' | 'states'

/** Style of a line. */
export interface LineStyle {
  /** Width of the terminal, in columns; undefined without one: no bar and no limit. */
  readonly columns: number | undefined
  readonly colour: boolean
}

/** Time window of the rate, in ms: older progress does not predict the remaining time. */
const WINDOW_MS = 10_000
/** Maximum samples: one per half second of the window. */
const SAMPLES_MAX = 20
/** Minimum run time before the remaining time is estimated, in ms. */
const FORETELL_AFTER_MS = 1_000
/** Width of the bar, in columns. */
const BAR_COLUMNS = 24
/** Minimum terminal width for a bar, in columns. */
const BAR_FROM_COLUMNS = 60
const ACCENT = '\u001b[36m'
const RESET = '\u001b[0m'

interface Sample {
  readonly atMs: number
  readonly done: number
}

/** Meter of one kind of work. */
export class Meter {
  private readonly samples: Sample[] = []
  private now: Progressed = { done: 0 }

  constructor(
    private readonly label: string,
    private readonly unit: Unit,
    private readonly startedMs: number,
  ) {}

  /** Record the progress at a time. */
  take(progressed: Progressed, atMs: number): void {
    this.now = progressed
    // The first sample counts nothing: that progress, such as already known blocks, was not made now.
    const last = this.samples.at(-1)
    if (last !== undefined && atMs - last.atMs < WINDOW_MS / SAMPLES_MAX) return
    this.samples.push({ atMs, done: progressed.done })
    while (this.samples.length > SAMPLES_MAX) this.samples.shift()
  }

  /** Recent rate in units a second; undefined without enough data. */
  rate(atMs: number): number | undefined {
    const [first] = this.samples
    if (first === undefined || atMs - first.atMs < FORETELL_AFTER_MS) return undefined
    const done = this.now.done - first.done
    return done <= 0 ? undefined : (done * 1_000) / (atMs - first.atMs)
  }

  /** Estimated milliseconds until the end; undefined if unknown. */
  remainingMs(atMs: number): number | undefined {
    const { done, total } = this.now
    const rate = this.rate(atMs)
    return total === undefined || rate === undefined ? undefined : (Math.max(0, total - done) * 1_000) / rate
  }

  /** One line, at most as wide as the terminal. */
  line(atMs: number, { columns, colour }: LineStyle): string {
    const { done, total, note } = this.now
    const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
    const rate = this.rate(atMs)
    const remaining = this.remainingMs(atMs)
    const parts = [
      total === undefined ? amountOf(done, this.unit) : `${plain(done, this.unit)}/${amountOf(total, this.unit)}`,
      ...(rate === undefined ? [] : [`${rateOf(rate, this.unit)}/s`]),
      remaining === undefined ? `${span(atMs - this.startedMs)} so far` : `ETA ${span(remaining)}`,
      ...(note === undefined ? [] : [note]),
    ]
    const percent = share === undefined ? '' : ` ${String(Math.floor(share * 100)).padStart(3)}%`
    const full = Math.round((share ?? 0) * BAR_COLUMNS)
    const fits = columns !== undefined && columns >= BAR_FROM_COLUMNS
    const bar = share === undefined || !fits ? undefined : [full, BAR_COLUMNS - full]
    const head = this.label
    const drawn = bar === undefined ? '' : `  ${'█'.repeat(bar[0]!)}${'░'.repeat(bar[1]!)}`
    const line = `${head}${drawn}${percent}  ${parts.join('  ')}`.slice(
      0,
      columns === undefined ? undefined : Math.max(1, columns - 1),
    )
    return colour && bar !== undefined ? line.replace(/[█░]+/, (signs) => `${ACCENT}${signs}${RESET}`) : line
  }
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

function bytesText(value: number): string {
  const power = value < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(value) / 10))
  const scaled = value / 1024 ** power
  return `${power === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${BYTE_UNITS[power]}`
}

/** Number without its unit, if the unit follows later. */
const plain = (value: number, unit: Unit): string => (unit === 'bytes' ? bytesText(value) : count(value))
const amountOf = (value: number, unit: Unit): string =>
  unit === 'bytes' ? bytesText(value) : `${count(value)} ${unit}`
const rateOf = (value: number, unit: Unit): string =>
  unit === 'bytes' ? bytesText(value) : value >= 10 ? count(value) : value.toFixed(1)

/** Format a duration: `8s`, `3m 20s`, `2h 05m`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const pad = (value: number): string => String(value).padStart(2, '0')
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`
}
