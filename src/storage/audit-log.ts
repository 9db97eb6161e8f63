/**
 * Owns `audit.log`: actions at this node, append-only, each line chained to the previous one (docs/design/gateway.md
 * 8).
 *
 * A full file is renamed to `audit-<sequence of its last line>.log`; the first line of the next file contains the name
 * and the last hash of the full file.
 */
import { type FileHandle, link, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SYSTEM_CLOCKS } from '../base/clocks.js'
import { errorCode } from '../base/thrown.js'
import type { AuditEntry, AuditTrail } from '../model/index.js'
import { type AuditBreak, checkAuditLog } from './audit-check.js'
import { auditLine, NO_LINE, SEGMENT_START } from './audit-line.js'
import { cutFile, replaceFile, writeAll } from './files.js'
import { AUDIT_FILE_MAX_BYTES, AUDIT_LINE_MAX_BYTES, AUDIT_PENDING_MAX_BYTES, GROUP_MAX_BYTES } from './limits.js'

/** File name inside a data directory. */
export const AUDIT_LOG_FILE = 'audit.log'
/** Actor of the lines that the log writes itself. */
const SELF = 'node'

const SEQUENCE_DIGITS = 16
/** Name of a full file, by the sequence of its last line, so that names sort in line order. */
const fullFile = (sequence: number): string => `audit-${String(sequence).padStart(SEQUENCE_DIGITS, '0')}.log`

interface Waiting {
  readonly bytes: Buffer
  /** Present on the first line of a new file: the new name of the previous file. */
  readonly before?: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const segmentStart = (fields: AuditEntry['fields']): AuditEntry => ({ action: SEGMENT_START, actor: SELF, fields })

/**
 * Audit log of a node. Pending lines share one write and one fdatasync. After an I/O error the log accepts no lines:
 * the content of the disk is unknown, and its owner is notified so that the process ends.
 *
 * The chain detects changed, missing and inserted lines. It cannot detect lines removed at the end, or a missing file;
 * for that, keep the last hash elsewhere.
 */
export class AuditLog implements AuditTrail {
  private readonly waiting: Waiting[] = []
  private waitingBytes = 0
  private running: Promise<void> | undefined
  private fault: unknown
  private closed = false
  private sequence: number
  private prev = NO_LINE
  /** Size of the newest file, including pending lines, in bytes. */
  private fileBytes: number

  private constructor(
    private readonly path: string,
    private file: FileHandle,
    private endBytes: number,
    lastSequence: number,
    /** First line at which the chain was broken at open; a new segment records it in the log. */
    readonly broken: AuditBreak | undefined,
    private readonly wallMs: () => number,
    private readonly onFault: (error: unknown) => void,
    private readonly fileMaxBytes: number,
  ) {
    this.sequence = lastSequence
    this.fileBytes = endBytes
  }

  /**
   * Open the log of a data directory and check its chain, or create it (mode 0600). An incomplete last line is removed.
   *
   * @param options.wallMs ms since the Unix epoch
   * @param options.onFault called once when the disk failed; without a line no action may be permitted
   * @param options.fileMaxBytes size of a file from which the next line starts another file
   */
  static async open(
    folder: string,
    options: {
      readonly wallMs?: () => number
      readonly onFault?: (error: unknown) => void
      readonly fileMaxBytes?: number
    } = {},
  ): Promise<AuditLog> {
    const path = join(folder, AUDIT_LOG_FILE)
    const { wallMs = SYSTEM_CLOCKS.wallMs, onFault = () => undefined, fileMaxBytes = AUDIT_FILE_MAX_BYTES } = options
    const file = (await openExisting(path)) ?? (await create(path, wallMs()))
    try {
      const { mode, size } = await file.stat()
      // The lines contain names of people and payments.
      if ((mode & 0o077) !== 0) await file.chmod(0o600)
      const { lines, broken, endBytes, last } = await checkAuditLog(file)
      await cutFile(file, size, endBytes)
      // After a break the sequence continues beyond the existing lines.
      const sequence = broken === undefined ? (last?.sequence ?? 0) : Math.max(last?.sequence ?? 0, lines)
      const log = new AuditLog(path, file, endBytes, sequence, broken, wallMs, onFault, fileMaxBytes)
      if (broken === undefined) log.prev = last?.hash ?? NO_LINE
      else await log.append(segmentStart({ reason: 'broken chain', broken_line: broken.line, found: broken.reason }))
      return log
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Append a line; resolves once it is on disk, in the order of the calls. */
  append(entry: AuditEntry): Promise<void> {
    if (this.fault !== undefined) return Promise.reject(this.fault)
    if (this.closed) return Promise.reject(new Error('the audit log is closed'))
    if (this.fileBytes >= this.fileMaxBytes) this.beginFile()
    const place = { sequence: this.sequence + 1, timeMs: this.wallMs(), prev: this.prev }
    const line = auditLine(place, entry)
    const bytes = Buffer.from(`${line.text}\n`)
    if (bytes.length > AUDIT_LINE_MAX_BYTES) return Promise.reject(new Error('an audit line is too long'))
    if (this.waitingBytes + bytes.length > AUDIT_PENDING_MAX_BYTES) {
      return Promise.reject(new Error('too many lines are queued for the audit log'))
    }
    this.sequence = place.sequence
    this.prev = line.hash
    this.waitingBytes += bytes.length
    this.fileBytes += bytes.length
    return new Promise((resolve, reject) => {
      this.waiting.push({ bytes, resolve, reject })
      this.running ??= this.run()
    })
  }

  /** Start a new file for the lines after the pending ones. */
  private beginFile(): void {
    const before = fullFile(this.sequence)
    const place = { sequence: this.sequence + 1, timeMs: this.wallMs(), prev: NO_LINE }
    const line = auditLine(place, segmentStart({ reason: 'full file', file: before, last: this.prev }))
    const bytes = Buffer.from(`${line.text}\n`)
    this.sequence = place.sequence
    this.prev = line.hash
    this.waitingBytes += bytes.length
    this.fileBytes = bytes.length
    // The append of the next line waits for both.
    this.waiting.push({ bytes, before, resolve: () => undefined, reject: () => undefined })
  }

  /** Wait for appended lines, and close the file. */
  async close(): Promise<void> {
    this.closed = true
    await this.running
    await this.file.close()
  }

  private async run(): Promise<void> {
    // Appends within the same synchronous run join the first group.
    await undefined
    while (this.waiting.length > 0) {
      const group = this.nextGroup()
      const bytes = Buffer.concat(group.map((one) => one.bytes))
      try {
        const before = group[0]?.before
        if (before === undefined) {
          await writeAll(this.file, bytes, this.endBytes)
          await this.file.datasync()
        } else await this.changeFile(before, bytes)
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

  /** Replace a full file by a new one with its first line; after a crash one of the two exists. */
  private async changeFile(before: string, firstLine: Buffer): Promise<void> {
    const full = join(dirname(this.path), before)
    // Remains of an attempt that a crash ended.
    await rm(full, { force: true })
    await link(this.path, full)
    await replaceFile(this.path, firstLine)
    const fresh = await open(this.path, 'r+')
    await this.file.close()
    this.file = fresh
    this.endBytes = 0
  }

  /** Lines to write together; the first line of a file is written alone. */
  private nextGroup(): Waiting[] {
    let count = 0
    for (let bytes = 0; count < this.waiting.length; count += 1) {
      const { bytes: line, before } = this.waiting[count] as Waiting
      bytes += line.length
      if (count > 0 && (bytes > GROUP_MAX_BYTES || before !== undefined)) break
      if (before !== undefined) return this.waiting.splice(0, 1)
    }
    return this.waiting.splice(0, count)
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r+')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Create a file atomically, with its first line. */
async function create(path: string, nowMs: number): Promise<FileHandle> {
  const { text } = auditLine({ sequence: 1, timeMs: nowMs, prev: NO_LINE }, segmentStart({ reason: 'new file' }))
  await replaceFile(path, Buffer.from(`${text}\n`))
  return open(path, 'r+')
}
