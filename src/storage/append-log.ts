/** Owns the record log with group commit: waiting appends share one durable write. */
import { GROUP_MAX_BYTES, PENDING_MAX_BYTES } from './limits.js'
import { LogFile } from './log-file.js'

/** Record of a log. */
export interface LogRecord {
  /** Kind of the record, u8. */
  readonly type: number
  readonly body: Uint8Array
}

const RECORD_HEAD_BYTES = 5

function recordParts(records: readonly LogRecord[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (const { type, body } of records) {
    const head = Buffer.allocUnsafe(RECORD_HEAD_BYTES)
    head.writeUInt32BE(body.length, 0)
    head.writeUInt8(type, 4)
    parts.push(head, body)
  }
  return parts
}

/** Split a frame's payload into its records; `recordParts` wrote them, so another shape is a bug. */
function readRecords(payload: Buffer, onRecord: (type: number, body: Buffer) => void): void {
  let at = 0
  while (at < payload.length) {
    const length = payload.readUInt32BE(at)
    const end = at + RECORD_HEAD_BYTES + length
    if (end > payload.length) throw new Error('a log frame contains an incomplete record')
    // Copied: the scan reuses its memory.
    onRecord(payload.readUInt8(at + 4), Buffer.from(payload.subarray(at + RECORD_HEAD_BYTES, end)))
    at = end
  }
}

interface Waiting {
  readonly records: readonly LogRecord[]
  readonly bytes: number
  readonly reset: boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Log of records {u32 length, u8 type, body}, in frames with a checksum: one frame per group.
 *
 * A promise of `append` resolves once its record is on disk, in the order of the calls. After an I/O error the log
 * accepts no records: the content of the disk is unknown, and the process must end.
 */
export class AppendLog {
  private readonly queue: Waiting[] = []
  private queuedBytes = 0
  private running: Promise<void> | undefined
  private fault: unknown
  private closed = false

  private constructor(private file: LogFile) {}

  /** Create the log with these records, replacing an existing one. */
  static async create(path: string, records: readonly LogRecord[] = []): Promise<AppendLog> {
    return new AppendLog(await LogFile.create(path, recordParts(records)))
  }

  /**
   * Open the log and pass on its records in order, including those around damage; undefined if the file does not exist.
   */
  static async open(path: string, onRecord: (type: number, body: Buffer) => void): Promise<AppendLog | undefined> {
    const file = await LogFile.open(path, (payload) => readRecords(payload, onRecord))
    return file === undefined ? undefined : new AppendLog(file)
  }

  /** True if a corrupt record precedes valid records: acknowledged records are lost. Only `reset` recovers. */
  get damaged(): boolean {
    return this.file.damagedAt !== undefined
  }

  /** True after an I/O error. */
  get isBroken(): boolean {
    return this.fault !== undefined
  }

  /** Size of the file, in bytes. */
  get sizeBytes(): number {
    return this.file.sizeBytes
  }

  /** Append a record; resolves once it is on disk. The body must not change before. */
  append(type: number, body: Uint8Array): Promise<void> {
    return this.enqueue([{ type, body }], false)
  }

  /** Append records that survive a crash all or not at all. */
  appendAll(records: readonly LogRecord[]): Promise<void> {
    return this.enqueue(records, false)
  }

  /**
   * Replace the whole log by these records, atomically; earlier pending appends are dropped, later ones follow the
   * records.
   */
  reset(records: readonly LogRecord[]): Promise<void> {
    return this.enqueue(records, true)
  }

  /** Wait for appended records, and close the file. */
  async close(): Promise<void> {
    this.closed = true
    await this.running
    await this.file.close()
  }

  private enqueue(records: readonly LogRecord[], reset: boolean): Promise<void> {
    if (this.fault !== undefined) return Promise.reject(this.fault)
    if (this.closed) return Promise.reject(new Error('the log is closed'))
    let bytes = 0
    for (const record of records) bytes += RECORD_HEAD_BYTES + record.body.length
    if (this.queuedBytes + bytes > PENDING_MAX_BYTES)
      return Promise.reject(new Error('too many bytes are queued for a log'))
    this.queuedBytes += bytes
    return new Promise((resolve, reject) => {
      this.queue.push({ records, bytes, reset, resolve, reject })
      this.running ??= this.run()
    })
  }

  private async run(): Promise<void> {
    // Appends within the same synchronous run join the first group.
    await undefined
    while (this.queue.length > 0) {
      const group = this.nextGroup()
      try {
        if (group[0]?.reset === true) await this.replace(group[0].records)
        else await this.file.append(group.flatMap((waiting) => recordParts(waiting.records)))
      } catch (error) {
        this.fail(error, group)
        break
      }
      for (const waiting of group) {
        this.queuedBytes -= waiting.bytes
        waiting.resolve()
      }
    }
    this.running = undefined
  }

  private nextGroup(): Waiting[] {
    let count = 1
    let bytes = this.queue[0]?.bytes ?? 0
    if (this.queue[0]?.reset !== true) {
      for (; count < this.queue.length; count += 1) {
        const next = this.queue[count] as Waiting
        bytes += next.bytes
        if (next.reset || bytes > GROUP_MAX_BYTES) break
      }
    }
    return this.queue.splice(0, count)
  }

  private async replace(records: readonly LogRecord[]): Promise<void> {
    const { file } = this
    this.file = await LogFile.create(file.path, recordParts(records))
    await file.close()
  }

  private fail(error: unknown, group: readonly Waiting[]): void {
    this.fault = error
    for (const waiting of [...group, ...this.queue.splice(0)]) waiting.reject(error)
  }
}
