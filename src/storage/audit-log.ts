/** Owns `audit.log`: who did what at this node, append-only, each line chained to the one before (docs/design/gateway.md 8). */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditEntry, AuditTrail } from '../model/index.js'
import { type AuditBreak, checkAuditLog } from './audit-check.js'
import { auditLine, NO_LINE, SEGMENT_START } from './audit-line.js'
import { codeOf, cutFile, replaceFile, writeAll } from './files.js'
import { AUDIT_LINE_MAX_BYTES, AUDIT_PENDING_MAX_BYTES, GROUP_MAX_BYTES } from './limits.js'

/** File name inside a data directory. */
export const AUDIT_LOG_FILE = 'audit.log'
/** Actor of the lines that the log writes about itself. */
const SELF = 'node'

interface Waiting {
  readonly bytes: Buffer
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const segmentStart = (fields: AuditEntry['fields']): AuditEntry => ({ action: SEGMENT_START, actor: SELF, fields })

/**
 * The audit log of a node. Lines that wait together share one write and one fdatasync. After an I/O error nothing is
 * accepted any more: what the disk holds is unknown, and the process has to end, for which its owner is told.
 *
 * The chain shows changed, missing and inserted lines. Lines cut off at the end, or a file that is gone, it cannot show:
 * whoever needs that keeps the last hash elsewhere.
 */
export class AuditLog implements AuditTrail {
  private readonly waiting: Waiting[] = []
  private waitingBytes = 0
  private running: Promise<void> | undefined
  private fault: unknown
  private closed = false
  private sequence: number
  private prev = NO_LINE

  private constructor(
    private readonly file: FileHandle,
    private endBytes: number,
    lastSequence: number,
    /** First line at which the chain was found broken at open; a new segment says so in the log. */
    readonly broken: AuditBreak | undefined,
    private readonly clockMs: () => number,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.sequence = lastSequence
  }

  /**
   * Opens the log of a data directory and checks its chain, or creates it (mode 0600). A torn last line is cut.
   *
   * @param options.clockMs ms since the Unix epoch
   * @param options.onFault told once when the disk failed: nobody is let in, and nothing is paid, without a line
   */
  static async open(
    folder: string,
    options: { readonly clockMs?: () => number; readonly onFault?: (error: unknown) => void } = {},
  ): Promise<AuditLog> {
    const path = join(folder, AUDIT_LOG_FILE)
    const { clockMs = Date.now, onFault = () => undefined } = options
    const file = (await openExisting(path)) ?? (await create(path, clockMs()))
    try {
      const { mode, size } = await file.stat()
      // The lines name people and payments.
      if ((mode & 0o077) !== 0) await file.chmod(0o600)
      const { lines, broken, endBytes, last } = await checkAuditLog(file)
      await cutFile(file, size, endBytes)
      // After a break the numbers go on beyond those of the lines that are there.
      const sequence = broken === undefined ? (last?.sequence ?? 0) : Math.max(last?.sequence ?? 0, lines)
      const log = new AuditLog(file, endBytes, sequence, broken, clockMs, onFault)
      if (broken === undefined) log.prev = last?.hash ?? NO_LINE
      else await log.append(segmentStart({ reason: 'broken chain', broken_line: broken.line, found: broken.reason }))
      return log
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Appends a line; resolves when it is on disk, in the order of the calls. */
  append(entry: AuditEntry): Promise<void> {
    if (this.fault !== undefined) return Promise.reject(this.fault)
    if (this.closed) return Promise.reject(new Error('the audit log is closed'))
    const place = { sequence: this.sequence + 1, timeMs: this.clockMs(), prev: this.prev }
    const line = auditLine(place, entry)
    const bytes = Buffer.from(`${line.text}\n`)
    if (bytes.length > AUDIT_LINE_MAX_BYTES) return Promise.reject(new Error('an audit line is too long'))
    if (this.waitingBytes + bytes.length > AUDIT_PENDING_MAX_BYTES) {
      return Promise.reject(new Error('too many lines wait for the audit log'))
    }
    this.sequence = place.sequence
    this.prev = line.hash
    this.waitingBytes += bytes.length
    return new Promise((resolve, reject) => {
      this.waiting.push({ bytes, resolve, reject })
      this.running ??= this.run()
    })
  }

  /** Waits for what was appended and closes the file. */
  async close(): Promise<void> {
    this.closed = true
    await this.running
    await this.file.close()
  }

  private async run(): Promise<void> {
    // Everything that is appended in the same turn of the event loop's stack joins the first group.
    await undefined
    while (this.waiting.length > 0) {
      const group = this.nextGroup()
      const bytes = Buffer.concat(group.map((one) => one.bytes))
      try {
        await writeAll(this.file, bytes, this.endBytes)
        await this.file.datasync()
      } catch (error) {
        this.fault = error
        for (const one of [...group, ...this.waiting.splice(0)]) one.reject(error)
        this.onFault(error)
        break
      }
      this.endBytes += bytes.length
      this.waitingBytes -= bytes.length
      for (const one of group) one.resolve()
    }
    this.running = undefined
  }

  private nextGroup(): Waiting[] {
    let count = 0
    for (let bytes = 0; count < this.waiting.length; count += 1) {
      bytes += this.waiting[count]?.bytes.length ?? 0
      if (count > 0 && bytes > GROUP_MAX_BYTES) break
    }
    return this.waiting.splice(0, count)
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r+')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A file comes to be whole, with its first line. */
async function create(path: string, nowMs: number): Promise<FileHandle> {
  const { text } = auditLine({ sequence: 1, timeMs: nowMs, prev: NO_LINE }, segmentStart({ reason: 'new file' }))
  await replaceFile(path, Buffer.from(`${text}\n`))
  return open(path, 'r+')
}
