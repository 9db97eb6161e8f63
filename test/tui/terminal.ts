/** Owns a terminal for tests: a real pseudo-terminal under a command, and what a person would see on it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATIENCE_MS, pause } from '../support/ports.js'

/** The screen of a terminal that knows what the dashboard writes; anything else is a failure. */
export class Screen {
  private rows: string[][] = []
  private row = 0
  private column = 0
  /** Sequences that were not understood. */
  readonly unknown: string[] = []
  /** The other screen is shown, the cursor is. */
  other = false
  cursor = true
  coloured = false
  /** Part of a frame is still to come. */
  drawing = false
  private pending = ''
  /** All that was written, with its sequences. */
  bytes = 0

  constructor(
    public columns: number,
    public height: number,
  ) {}

  write(text: string): void {
    this.bytes += text.length
    let rest = this.pending + text
    this.pending = ''
    while (rest !== '') {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
      const sequence = /^\u001b(?:\[([?0-9;]*)([A-Za-z])|\][^\u0007]*\u0007)/.exec(rest)
      if (sequence !== null) {
        this.control(sequence[1] ?? '', sequence[2] ?? 'osc', sequence[0])
        rest = rest.slice(sequence[0].length)
        continue
      }
      // A sequence may come in two pieces: its beginning waits for the rest.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
      if (/^\u001b(?:$|\[[?0-9;]*$|\][^\u0007]*$)/.test(rest)) {
        this.pending = rest
        return
      }
      const sign = String.fromCodePoint(rest.codePointAt(0) ?? 0)
      rest = rest.slice(sign.length)
      if (sign === '\r') this.column = 0
      else if (sign === '\n') this.row += 1
      else this.put(sign)
    }
  }

  private put(sign: string): void {
    this.rows[this.row] ??= []
    const row = this.rows[this.row] ?? []
    row[this.column] = sign
    this.column += 1
  }

  private control(parameters: string, name: string, whole: string): void {
    const numbers = parameters.split(';').map(Number)
    if (name === 'H') [this.row, this.column] = [(numbers[0] || 1) - 1, (numbers[1] || 1) - 1]
    // The questions of a wizard place the cursor in their line.
    else if (name === 'G') this.column = (numbers[0] || 1) - 1
    else if (name === 'K') this.rows[this.row]?.splice(this.column)
    else if (name === 'J') this.erase(parameters === '2' ? 0 : this.row)
    else if (name === 'm') this.coloured ||= parameters !== '0' && parameters !== ''
    else if (name === 'osc') this.unknown.push(...(whole.startsWith('\u001b]52;') ? [] : [whole]))
    else if (parameters === '?1049') this.other = name === 'h'
    else if (parameters === '?25') this.cursor = name === 'h'
    else if (parameters === '?2026') this.drawing = name === 'h'
    else if (parameters !== '?2004') this.unknown.push(whole)
  }

  private erase(from: number): void {
    if (from === this.row && from > 0) this.rows[from]?.splice(this.column)
    this.rows = this.rows.slice(0, from)
  }

  /** Lines as they are seen, without blanks at their ends. */
  text(): string {
    return Array.from({ length: this.height }, (_, row) =>
      Array.from(this.rows[row] ?? [], (sign) => sign ?? ' ')
        .join('')
        .trimEnd(),
    ).join('\n')
  }
}

/** A command in a pseudo-terminal. */
export class Terminal {
  readonly screen: Screen
  readonly ended: Promise<number | null>
  private readonly child: ChildProcess
  private readonly folder = mkdtempSync(join(tmpdir(), 'causeway-tui-'))

  constructor(words: readonly string[], columns: number, rows: number, env: Readonly<Record<string, string>> = {}) {
    this.screen = new Screen(columns, rows)
    const command = [process.execPath, join(process.cwd(), 'bin', 'run.js'), ...words]
      .map((one) => `'${one}'`)
      .join(' ')
    const setUp = `tty > ${this.folder}/tty; stty cols ${columns} rows ${rows}; echo $$ > ${this.folder}/pid`
    this.child = spawn('script', ['-qfec', `${setUp}; cd ${this.folder}; exec ${command}`, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    })
    const decoder = new TextDecoder()
    this.child.stdout?.on('data', (part: Buffer) => this.screen.write(decoder.decode(part, { stream: true })))
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject)
      this.child.once('close', (code) => resolve(code))
    })
  }

  /** Folder in which the command runs. */
  get home(): string {
    return this.folder
  }

  press(keys: string): void {
    this.child.stdin?.write(keys)
  }

  /** Resizes the terminal, like a window manager. */
  resize(columns: number, rows: number): void {
    this.screen.columns = columns
    this.screen.height = rows
    const tty = readFileSync(join(this.folder, 'tty'), 'utf8').trim()
    execFileSync('stty', ['-F', tty, 'cols', String(columns), 'rows', String(rows)])
  }

  signal(name: NodeJS.Signals): void {
    process.kill(Number(readFileSync(join(this.folder, 'pid'), 'utf8')), name)
  }

  /** The screen once it looks like this; throws with what it shows when it does not in time. */
  async until(looks: RegExp | ((text: string) => boolean), what = String(looks)): Promise<string> {
    const holds = (text: string): boolean => (typeof looks === 'function' ? looks(text) : looks.test(text))
    for (let turn = 0; turn < TURNS; turn++) {
      const text = this.screen.text()
      if (!this.screen.drawing && holds(text)) return text
      await pause(TURN_MS)
    }
    throw new Error(`the screen never showed ${what}:\n${this.screen.text()}`)
  }

  /** Ends whatever still runs. */
  close(): void {
    if (this.child.exitCode === null) this.child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Looks at a screen before a test gives up, and the pause between them in ms: in ms. */
const TURN_MS = 50
const TURNS = PATIENCE_MS / TURN_MS
