/** Owns the verification of an audit log: every line against the previous one, for a file of any length. */
import type { FileHandle } from 'node:fs/promises'
import { type AuditLine, NO_LINE, readAuditLine, SEGMENT_START } from './audit-line.js'
import { readAt } from './files.js'
import { AUDIT_LINE_MAX_BYTES, SCAN_WINDOW_BYTES } from './limits.js'

/** Position of a break in the chain. */
export interface AuditBreak {
  /** Line of the file, from 1. */
  readonly line: number
  readonly reason: string
}

/** Content of a log. */
export interface AuditReport {
  readonly lines: number
  /** Number of segments, each of which begins with a line that states the reason. */
  readonly segments: number
  /** First break of the chain that no later segment start acknowledges. */
  readonly broken: AuditBreak | undefined
  /** All breaks, including acknowledged ones. */
  readonly breaks: readonly AuditBreak[]
  /** Bytes up to the last newline; an incomplete line may follow. */
  readonly endBytes: number
  /** Last valid line of the chain. */
  readonly last: { readonly sequence: number; readonly hash: string } | undefined
}

/** Maximum breaks in a report. There is at most one per segment, and a log with more breaks is unusable. */
const BREAKS_MAX = 1_024

class Chain {
  lines = 0
  segments = 0
  broken: AuditBreak | undefined
  last: { readonly sequence: number; readonly hash: string } | undefined
  readonly breaks: AuditBreak[] = []

  /** Check the next line; undefined for a line above the maximum length. */
  take(text: string | undefined): void {
    this.lines += 1
    const line = text === undefined ? undefined : readAuditLine(text)
    if (line !== undefined && line.prev === NO_LINE && line.entry.action === SEGMENT_START) return this.start(line)
    if (this.broken !== undefined) return
    const reason = this.fault(line)
    if (reason === undefined) this.last = line
    else this.break(reason)
  }

  /** Record a break at the current line. */
  break(reason: string): void {
    this.broken = { line: this.lines, reason }
    if (this.breaks.length < BREAKS_MAX) this.breaks.push(this.broken)
  }

  private start(line: AuditLine): void {
    if (line.sequence <= (this.last?.sequence ?? 0)) return this.break('the sequence number decreased')
    this.segments += 1
    this.broken = undefined
    this.last = line
  }

  private fault(line: AuditLine | undefined): string | undefined {
    if (line === undefined) return 'the line was changed'
    if (this.last === undefined) return 'the first line does not start a segment'
    if (line.prev !== this.last.hash) return 'the line does not follow the previous one'
    return line.sequence === this.last.sequence + 1 ? undefined : 'the sequence has a gap'
  }
}

/** Read a log from its start and check it. */
export async function checkAuditLog(file: FileHandle): Promise<AuditReport> {
  const chain = new Chain()
  let carry: Buffer = Buffer.alloc(0)
  let overlong = false
  let endBytes = 0
  for (let at = 0; ; ) {
    const window = await readAt(file, at, SCAN_WINDOW_BYTES)
    if (window.length === 0) break
    let from = 0
    for (let end = window.indexOf(0x0a); end >= 0; end = window.indexOf(0x0a, from)) {
      const line = Buffer.concat([carry, window.subarray(from, end)])
      chain.take(overlong || line.length > AUDIT_LINE_MAX_BYTES ? undefined : line.toString('utf8'))
      carry = Buffer.alloc(0)
      overlong = false
      from = end + 1
      endBytes = at + from
    }
    overlong ||= carry.length + window.length - from > AUDIT_LINE_MAX_BYTES
    carry = overlong ? Buffer.alloc(0) : Buffer.concat([carry, window.subarray(from)])
    at += window.length
  }
  if (chain.lines === 0) chain.break('the file has no lines')
  const { lines, segments, broken, breaks, last } = chain
  return { lines, segments, broken, breaks, endBytes, last }
}
