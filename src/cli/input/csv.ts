/** Owns the parsing of CSV (RFC 4180): quoted fields with quotes and line breaks, and the line of each record. */

/** Record with the number of its first line, from 1. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/** Position and message of a CSV fault. */
export interface CsvFault {
  readonly line: number
  readonly fault: string
}

/**
 * Parse comma-separated records. A quoted field keeps its content, with `""` for a quote; blanks around other fields
 * are removed. A blank line or one that begins with `#` is skipped.
 */
export function readCsv(text: string): readonly CsvRecord[] | CsvFault {
  const records: CsvRecord[] = []
  const reader = new Reader(text)
  while (!reader.atEnd) {
    const { line } = reader
    if (reader.skipsLine()) continue
    const cells = reader.record()
    if (typeof cells === 'string') return { line, fault: cells }
    records.push({ line, cells })
  }
  return records
}

/** Text up to a comma, a quote or the end of the line. */
const PLAIN = /[^,"\r\n]*/y
const QUOTED = /"((?:[^"]|"")*)"[ \t]*/y
const SKIPPED = /(?:[ \t]*|#[^\r\n]*)(?:\r?\n|\r|$)/y
const MISPLACED = 'a quote begins or ends inside a field; write "" for a quote in a quoted field'
const LINE_END = /\r?\n|\r/y

class Reader {
  line = 1
  private at = 0

  constructor(private readonly text: string) {}

  get atEnd(): boolean {
    return this.at >= this.text.length
  }

  skipsLine(): boolean {
    return this.take(SKIPPED) !== undefined
  }

  /** Fields up to the end of the line, or the fault. */
  record(): readonly string[] | string {
    const cells: string[] = []
    for (;;) {
      const cell = this.cell()
      if (cell === undefined) return MISPLACED
      cells.push(cell)
      if (this.text[this.at] === ',') this.at += 1
      else if (this.atEnd || this.take(LINE_END) !== undefined) return cells
      else return MISPLACED
    }
  }

  private cell(): string | undefined {
    const before = this.take(/[ \t]*/y) ?? ''
    if (this.text[this.at] === '"') {
      const quoted = this.take(QUOTED)
      return quoted?.trimEnd().slice(1, -1).replaceAll('""', '"')
    }
    return `${before}${this.take(PLAIN) ?? ''}`.trim()
  }

  /** Match at the current position, which is then advanced. */
  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found === undefined) return undefined
    this.at += found.length
    this.line += found.match(/\r\n|\r|\n/g)?.length ?? 0
    return found
  }
}
