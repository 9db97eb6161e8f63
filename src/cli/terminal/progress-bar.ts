/** Owns the bar of long work: one line at the bottom of a terminal, and now and then a plain line anywhere else. */
import { Meter, type Progressed, type Unit } from './meter.js'

/** Time before anything is shown, in ms: what is faster needs no bar. */
const SHOW_AFTER_MS = 600
/** Time between two drawings, in ms. */
const FRAME_MS = 100
/** Time between two lines where there is no terminal, in ms. */
const LINE_EVERY_MS = 5_000
/** Width where the terminal does not tell, in columns. */
const COLUMNS_DEFAULT = 80
const CLEAR = '\r\u001b[2K'
/** A line without a bar, which would say nothing in a log that the percentage does not. */
const PLAIN = { columns: undefined, colour: false } as const

/** Measured unit, and whether the bar is hidden. */
export interface BarOptions {
  readonly label: string
  readonly unit: Unit
  /** With --quiet and with --json. */
  readonly silent: boolean
  /** Where it is drawn; standard error by default. */
  readonly terminal?: BarTerminal
}

/** Stream interface of a bar. */
export interface BarTerminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Run `work` with a progress bar and the estimated time left; `work` reports its progress at any rate. */
export async function withBar<T>(
  options: BarOptions,
  work: (say: (now: Progressed) => void) => Promise<T>,
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
      // Work that keeps the thread busy lets no timer run.
      show()
    })
  } finally {
    clearInterval(timer)
    if (shown && drawn) terminal.write(CLEAR)
  }
}
