/** Owns the progress bar of long work: one line at the bottom of a terminal, and periodic plain lines elsewhere. */
import { Meter, type Progressed, type Unit } from './meter.js'

/** Delay before the bar is shown, in ms: faster work needs none. */
const SHOW_AFTER_MS = 600
/** Interval between redraws, in ms. */
const FRAME_MS = 100
/** Interval between lines without a terminal, in ms. */
const LINE_EVERY_MS = 5_000
/** Default width, in columns, if the terminal does not report one. */
const COLUMNS_DEFAULT = 80
const CLEAR = '\r\u001b[2K'
/** Style of a line without a bar, which would add nothing to the percentage in a log. */
const PLAIN = { columns: undefined, colour: false } as const

/** Measured unit, and whether the bar is hidden. */
export interface BarOptions {
  readonly label: string
  readonly unit: Unit
  /** True with --quiet and with --json. */
  readonly silent: boolean
  /** Output of the bar; default: standard error. */
  readonly terminal?: BarTerminal
}

/** Stream interface of a bar. */
export interface BarTerminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Run `work` with a progress bar and the estimated time left; `work` may report its progress at any rate. */
export async function withBar<T>(
  options: BarOptions,
  work: (report: (now: Progressed) => void) => Promise<T>,
): Promise<T> {
  const { label, unit, silent, terminal = process.stderr } = options
  const { TERM, NO_COLOR } = process.env
  if (silent) return work(() => undefined)
  const drawn = terminal.isTTY === true && TERM !== 'dumb'
  const everyMs = drawn ? FRAME_MS : LINE_EVERY_MS
  const startedMs = performance.now()
  const meter = new Meter(label, unit, startedMs)
  let shownMs = drawn ? startedMs + SHOW_AFTER_MS - FRAME_MS : startedMs
  let shown = false
  const show = (): void => {
    const nowMs = performance.now()
    if (nowMs - shownMs < everyMs) return
    shownMs = nowMs
    shown = true
    const columns = terminal.columns ?? COLUMNS_DEFAULT
    if (drawn) terminal.write(`${CLEAR}${meter.line(nowMs, { columns, colour: NO_COLOR === undefined })}`)
    else terminal.write(`${meter.line(nowMs, PLAIN)}\n`)
  }
  const timer = setInterval(show, everyMs)
  try {
    return await work((now) => {
      meter.take(now, performance.now())
      // Work that keeps the thread busy blocks timers.
      show()
    })
  } finally {
    clearInterval(timer)
    if (shown && drawn) terminal.write(CLEAR)
  }
}
