/** Owns `queue.log`: admitted transactions that must survive a restart. */
import { join } from 'node:path'
import { AppendLog, type LogRecord } from './append-log.js'
import { QUEUE_LOG_COMPACT_BYTES } from './limits.js'

/** File name inside a data directory. */
export const QUEUE_LOG_FILE = 'queue.log'

const TRANSACTION = 1

const recordOf = (signed: Uint8Array): LogRecord => ({ type: TRANSACTION, body: signed })

/** Log of a node's transaction queue. Committed and expired transactions stay in it until it is compacted. */
export class QueueLog {
  private constructor(
    private readonly log: AppendLog,
    /** Signed bytes read at open, in order of admission, including dead ones. Released by `releaseEntries`. */
    public entries: readonly Buffer[],
    /** True if acknowledged transactions were lost to corruption; the readable transactions are in `entries`. */
    readonly damaged: boolean,
    private readonly compactBytes: number,
  ) {}

  /**
   * Open the log of a data directory, or create it.
   *
   * @param options.compactBytes file size below which `compact` does nothing
   */
  static async open(folder: string, options: { compactBytes?: number } = {}): Promise<QueueLog> {
    const path = join(folder, QUEUE_LOG_FILE)
    const entries: Buffer[] = []
    const log =
      (await AppendLog.open(path, (type, body) => {
        if (type === TRANSACTION) entries.push(body)
      })) ?? (await AppendLog.create(path))
    const { damaged } = log
    if (damaged) await log.reset(entries.map(recordOf))
    return new QueueLog(log, entries, damaged, options.compactBytes ?? QUEUE_LOG_COMPACT_BYTES)
  }

  /** True once a write failed: the log accepts no more records. */
  get isBroken(): boolean {
    return this.log.isBroken
  }

  /** Size of the file, in bytes. */
  get sizeBytes(): number {
    return this.log.sizeBytes
  }

  /** Log one signed transaction; resolves once it is on disk. Waiting appends share one sync. */
  append(signed: Uint8Array): Promise<void> {
    return this.log.append(TRANSACTION, signed)
  }

  /** Log several transactions at once. */
  appendAll(signed: readonly Uint8Array[]): Promise<void> {
    return signed.length === 0 ? Promise.resolve() : this.log.appendAll(signed.map(recordOf))
  }

  /** Drop the records read at open, once the queue has accepted them. */
  releaseEntries(): void {
    this.entries = []
  }

  /**
   * Rewrite the file if more than half of it is dead; called after commits.
   *
   * @param liveBytes bytes of the live transactions
   * @param live returns all live transactions, including those whose append has not resolved; called only for a rewrite
   * @returns true if the file was rewritten
   */
  async compact(liveBytes: number, live: () => Iterable<Uint8Array>): Promise<boolean> {
    if (this.log.sizeBytes < this.compactBytes || 2 * liveBytes > this.log.sizeBytes) return false
    await this.log.reset(Array.from(live(), recordOf))
    return true
  }

  /** Wait for appended records, and close the file. */
  close(): Promise<void> {
    return this.log.close()
  }
}
