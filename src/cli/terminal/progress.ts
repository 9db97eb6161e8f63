/** Owns progress on standard error: a spinner after 600 ms on a terminal, a delayed line elsewhere. */

import { oneLine } from '../text/escape.js'

/** Delay before the spinner is shown, in ms: faster work needs none. */
const SHOW_AFTER_MS = 600
const FRAME_MS = 100
/** Interval between lines without a terminal, in ms. */
const LINE_EVERY_MS = 5_000
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Run `work` and show `text` if it takes long; `work` can change the text. Shows nothing if `silent`. */
export async function withProgress<T>(
  text: string,
  silent: boolean,
  work: (report: (text: string) => void) => Promise<T>,
): Promise<T> {
  let current = oneLine(text)
  let frame = 0
  let timer: NodeJS.Timeout | undefined
  const terminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb'
  const show = (): void => {
    if (terminal) process.stderr.write(`\r\u001b[2K${FRAMES[frame++ % FRAMES.length]} ${current}`)
    else process.stderr.write(`${current}...\n`)
  }
  const first = setTimeout(() => {
    show()
    timer = setInterval(show, terminal ? FRAME_MS : LINE_EVERY_MS)
  }, SHOW_AFTER_MS)
  if (silent) clearTimeout(first)
  try {
    return await work((next) => {
      current = oneLine(next)
    })
  } finally {
    clearTimeout(first)
    if (timer !== undefined) {
      clearInterval(timer)
      if (terminal) process.stderr.write('\r\u001b[2K')
    }
  }
}
