/** Owns the terminal below the screen: the alternate screen buffer, and the writing of changed rows. */

/** Switch to the alternate screen without a cursor, and back. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[2J'
const LEAVE = '\u001b[?25h\u001b[?1049l'
/** Synchronized update sequences; terminals without support ignore them. */
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'
const rowStart = (row: number): string => `\u001b[${row + 1};1H`
const ERASE_REST = '\u001b[0m\u001b[K'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that set colours begin with one
const COLOURS = /\u001b\[[0-9;]*m/g
const ERASE_BELOW = '\u001b[0m\u001b[J'

/** Text without its colour sequences. */
export const withoutColours = (text: string): string => text.replace(COLOURS, '')

/**
 * Writer of frames to a terminal. It writes only changed rows, without flicker, and without scrolling at full height.
 */
export class Surface {
  private shown: readonly string[] = []
  private open = false
  private readonly onExit = (): void => this.leave()

  constructor(private readonly stdout: NodeJS.WriteStream) {}

  enter(): void {
    this.open = true
    // No exit path may leave the terminal on the alternate screen.
    process.once('exit', this.onExit)
    this.stdout.write(ENTER)
  }

  leave(): void {
    if (!this.open) return
    this.open = false
    process.off('exit', this.onExit)
    this.stdout.write(LEAVE)
  }

  /** Make the next frame be written completely, because the terminal was resized. */
  invalidate(): void {
    this.shown = []
  }

  /** Show a frame: rows separated by line feeds. */
  draw(frame: string): void {
    if (!this.open) return
    const rows = frame.split('\n').slice(0, this.stdout.rows || undefined)
    const whole = this.shown.length === 0
    let changed = ''
    rows.forEach((text, row) => {
      if (whole || this.shown[row] !== text) changed += `${rowStart(row)}${text}${this.rest(text)}`
    })
    if (rows.length < this.shown.length) changed += `${rowStart(rows.length)}${ERASE_BELOW}`
    this.shown = rows
    if (changed !== '') this.stdout.write(`${BEGIN}${whole ? `${rowStart(0)}${ERASE_BELOW}` : ''}${changed}${END}`)
  }

  /** Erase the rest of a row. After a full row the cursor is still on its last character. */
  private rest(text: string): string {
    return withoutColours(text).length < this.stdout.columns ? ERASE_REST : ''
  }

  /** Stream that Ink uses as the terminal. */
  stream(): NodeJS.WriteStream {
    const { stdout } = this
    const draw = (frame: string): boolean => {
      this.draw(frame)
      return true
    }
    return new Proxy(stdout, {
      get: (_, name) => {
        if (name === 'write') return draw
        const value: unknown = Reflect.get(stdout, name, stdout)
        return typeof value === 'function' ? value.bind(stdout) : value
      },
    })
  }
}
