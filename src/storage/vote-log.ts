/**
 * Owns `votes.log`: the signatures of this node that must not be contradicted, on disk before any signature is sent
 * (docs/design/consensus.md 4 and 8).
 */
import { join } from 'node:path'
import { list } from '../codec/index.js'
import { type DurableRecord, durableRecord, heightOfRecord } from '../consensus/index.js'
import { AppendLog, type LogRecord } from './append-log.js'
import { FRAME_MAX_BYTES, VOTE_LOG_ROTATE_BYTES, VOTE_RECORDS_PER_APPEND_MAX } from './limits.js'

/** File name inside a data directory. */
export const VOTE_LOG_FILE = 'votes.log'

/** Kinds of log records: the durable records of one event, and the mark of an abstaining node. */
const EVENT = 1
const ABSTAIN = 2

const event = list(durableRecord, VOTE_RECORDS_PER_APPEND_MAX)

interface LiveEvent {
  /** Highest height of its records; they are dead once that height is committed. */
  readonly height: number
  readonly body: Buffer
}

/** Vote log of one node. */
export class VoteLog {
  /** Records read at open, in order, including those around damage. Released by the first `prune`. */
  records: readonly DurableRecord[] = []
  /** Reason why this node abstains, kept across restarts; undefined if it votes. */
  abstaining: string | undefined
  private live: LiveEvent[] = []
  private mark: LogRecord | undefined

  private constructor(
    private readonly path: string,
    private log: AppendLog | undefined,
    /** True if a corrupt record precedes valid records: votes may be lost, so the node must abstain. */
    readonly damaged: boolean,
    private readonly rotateBytes: number,
  ) {}

  /** Create an empty log in the folder of a node that never ran; an existing file stays unchanged. */
  static async create(folder: string): Promise<void> {
    const path = join(folder, VOTE_LOG_FILE)
    const log = (await AppendLog.open(path, () => {})) ?? (await AppendLog.create(path))
    await log.close()
  }

  /**
   * Open the log of a data directory. If it is `missing` or `damaged`, nothing can be appended before
   * `startAbstaining`: the node may have signed messages that the log does not contain.
   *
   * @param options.rotateBytes file size from which `prune` rewrites the file
   */
  static async open(folder: string, options: { rotateBytes?: number } = {}): Promise<VoteLog> {
    const path = join(folder, VOTE_LOG_FILE)
    const found: LogRecord[] = []
    const log = await AppendLog.open(path, (type, body) => found.push({ type, body }))
    let undecodable = false
    const records: DurableRecord[] = []
    const live: LiveEvent[] = []
    let mark: LogRecord | undefined
    for (const record of found) {
      if (record.type === ABSTAIN) {
        mark = record
        continue
      }
      const decoded = event.decode(record.body, undefined, { maxBytes: FRAME_MAX_BYTES })
      if (!decoded.ok) {
        undecodable = true
        continue
      }
      records.push(...decoded.value)
      live.push({ height: highest(decoded.value), body: Buffer.from(record.body) })
    }
    const votes = new VoteLog(
      path,
      log,
      undecodable || log?.damaged === true,
      options.rotateBytes ?? VOTE_LOG_ROTATE_BYTES,
    )
    votes.records = records
    votes.live = live
    votes.mark = mark
    votes.abstaining = mark === undefined ? undefined : Buffer.from(mark.body).toString('utf8')
    return votes
  }

  /** True if the file does not exist: with committed blocks the node must abstain. */
  get missing(): boolean {
    return this.log === undefined
  }

  /** Size of the file, in bytes. */
  get sizeBytes(): number {
    return this.log?.sizeBytes ?? 0
  }

  /** Write the records of one event in one append; resolves once they are on disk. A rejection must end the process. */
  append(records: readonly DurableRecord[]): Promise<void> {
    if (this.log === undefined || (this.damaged && this.abstaining === undefined)) {
      return Promise.reject(new Error('the vote log is missing or corrupt: this node must abstain'))
    }
    if (records.length === 0) return Promise.resolve()
    const body = event.encode(records)
    this.live.push({ height: highest(records), body })
    return this.log.append(EVENT, body)
  }

  /** Remove the records of committed heights. Cheap; rewrites the file once it has grown beyond the limit. */
  async prune(committedHeight: number): Promise<void> {
    this.records = []
    this.live = this.live.filter((one) => one.height > committedHeight)
    if (this.log === undefined || this.log.sizeBytes < this.rotateBytes) return
    const bytes = this.live.reduce((sum, one) => sum + one.body.length, 0)
    // A block larger than the limit that is still being voted on: rewriting would not help.
    if (2 * bytes < this.log.sizeBytes) await this.log.reset(this.content())
  }

  /** Start a new log that keeps this node abstaining, across restarts too; earlier records are dropped. */
  async startAbstaining(reason: string): Promise<void> {
    this.mark = { type: ABSTAIN, body: Buffer.from(reason, 'utf8') }
    this.live = []
    this.records = []
    await this.log?.close()
    this.log = await AppendLog.create(this.path, this.content())
    this.abstaining = reason
  }

  /** End the abstention: this node votes again. */
  async endAbstaining(): Promise<void> {
    this.mark = undefined
    await this.log?.reset(this.content())
    this.abstaining = undefined
  }

  /** Wait for appended records, and close the file. */
  async close(): Promise<void> {
    await this.log?.close()
  }

  private content(): LogRecord[] {
    const events = this.live.map((one) => ({ type: EVENT, body: one.body }))
    return this.mark === undefined ? events : [this.mark, ...events]
  }
}

const highest = (records: readonly DurableRecord[]): number => Math.max(0, ...records.map(heightOfRecord))
