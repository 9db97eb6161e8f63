/**
 * Owns command output: the result on standard output, everything else on standard error, without terminal control
 * sequences.
 */
import { manyLines, oneLine } from '../text/escape.js'
import { type Failure, faultLines, knownLine } from './failure.js'

/** Value that prints as JSON. */
export type Printable = unknown

const RED = '\u001b[31m'
const DIM = '\u001b[2m'
const RESET = '\u001b[0m'

/** Standard output and standard error of one command. */
export class Output {
  constructor(
    readonly json: boolean,
    private readonly quiet: boolean,
    /** True to print whole records: absent fields, and bytes in Base64. */
    readonly verbose = false,
  ) {}

  /** True if standard error may be coloured. */
  private get colour(): boolean {
    return process.stderr.isTTY === true && process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb'
  }

  /** Print the result: `data` with --json, else `text`. */
  result(data: Printable, text: string): void {
    const printed = manyLines(this.json ? JSON.stringify(data, null, 2) : text)
    process.stdout.write(printed.endsWith('\n') ? printed : `${printed}\n`)
  }

  /** Print one line of a stream: NDJSON with --json. */
  line(data: Printable, text: string): void {
    process.stdout.write(`${oneLine(this.json ? JSON.stringify(data) : text)}\n`)
  }

  /** Write unescaped bytes, for pipes and files. */
  raw(bytes: Uint8Array): void {
    process.stdout.write(bytes)
  }

  /** Write a response of a gateway: its bytes to a pipe or a file, escaped on a terminal. */
  answer(bytes: Uint8Array): void {
    if (process.stdout.isTTY === true) process.stdout.write(manyLines(Buffer.from(bytes).toString('utf8')))
    else this.raw(bytes)
  }

  /** Print a note on standard error. */
  note(text: string): void {
    if (!this.quiet) process.stderr.write(`${manyLines(text)}\n`)
  }

  /** Print a less prominent note on standard error. */
  hint(text: string): void {
    if (this.quiet) return
    const shown = manyLines(text)
    process.stderr.write(this.colour ? `${DIM}${shown}${RESET}\n` : `${shown}\n`)
  }

  /** Print an error: JSON on standard output with --json, else lines on standard error; never suppressed. */
  failed({ record, exit }: Failure): void {
    if (this.json) {
      this.result({ error: { ...record, exit } }, '')
      return
    }
    const [title = '', ...rest] = record.message.split('\n')
    const mark = this.colour ? `${RED}error:${RESET}` : 'error:'
    const lines = [`${title} [${record.code}]`, ...rest, ...faultLines(record).map((line) => `  ${line}`)]
    const known = knownLine(record)
    if (known !== undefined) lines.push(`  ${known}`)
    if (record.hint !== undefined && record.hint !== record.message) lines.push(`  Try: ${record.hint}`)
    process.stderr.write(`${mark} ${lines.map(oneLine).join('\n')}\n`)
  }
}

/** Columns of text, aligned by their widest cell, two blanks apart. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(oneLine))
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)))
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Names and values, one pair per line, values aligned. */
export function pairs(rows: readonly (readonly [string, string | undefined])[]): string {
  const shown = rows
    .filter((row): row is readonly [string, string] => row[1] !== undefined)
    .map(([key, value]) => [oneLine(key), oneLine(value)] as const)
  const width = Math.max(...shown.map(([key]) => key.length))
  return shown.map(([key, value]) => `${key.padEnd(width)}  ${value}`).join('\n')
}

/** Count with its noun: `1 peer`, `2 peers`. */
export const counted = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`
