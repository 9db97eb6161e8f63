/** Owns the source text of a body, and the conversion of offsets to lines and columns. */
import type { Place } from '../fault.js'

/** Text with line ends normalised to a single line feed (XML 1.0, section 2.11). */
export class SourceText {
  readonly text: string
  private starts: number[] | undefined

  constructor(raw: string) {
    this.text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  }

  /** Line and column of an offset, both from 1; columns count UTF-16 units. */
  place(offset: number): Place {
    const starts = this.lineStarts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { offset, line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }

  private lineStarts(): number[] {
    if (this.starts === undefined) {
      this.starts = [0]
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) this.starts.push(at + 1)
    }
    return this.starts
  }
}
