/**
 * Owns `staging.log`: large payloads, on disk before any vote or proposal that depends on them
 * (docs/design/consensus.md 4).
 */
import { join } from 'node:path'
import { bytes, hash32, type Infer, struct, varint } from '../codec/index.js'
import { BODY_MAX_BYTES, keyString } from '../model/index.js'
import { AppendLog } from './append-log.js'
import { FRAME_MAX_BYTES, STAGING_LOG_ROTATE_BYTES } from './limits.js'

/** File name inside a data directory. */
export const STAGING_LOG_FILE = 'staging.log'

const PAYLOAD = 1

interface StagedPayload extends Infer<typeof stagedPayload> {}
const stagedPayload = struct('StagedPayload', { height: varint, payloadHash: hash32, body: bytes(BODY_MAX_BYTES) })

interface Live {
  readonly height: number
  readonly record: Buffer
}

/** Staging segment of one node. */
export class StagingLog {
  /** Payloads read at open, by hash (latin1). Released by the first `prune`. */
  payloads: ReadonlyMap<string, Uint8Array>

  private constructor(
    private readonly log: AppendLog,
    found: readonly StagedPayload[],
    private live: Live[],
    /**
     * True if payloads were lost to corruption: votes for them stay valid, and their blocks are requested from peers.
     */
    readonly damaged: boolean,
    private readonly rotateBytes: number,
  ) {
    this.payloads = new Map(found.map((one) => [keyString(one.payloadHash), one.body]))
  }

  /**
   * Open the segment of a data directory, or create it.
   *
   * @param options.rotateBytes file size from which `prune` rewrites the file
   */
  static async open(folder: string, options: { rotateBytes?: number } = {}): Promise<StagingLog> {
    const path = join(folder, STAGING_LOG_FILE)
    const found: StagedPayload[] = []
    const live: Live[] = []
    let unreadable = false
    const log =
      (await AppendLog.open(path, (_type, record) => {
        const decoded = stagedPayload.decode(record, undefined, { maxBytes: FRAME_MAX_BYTES })
        if (!decoded.ok) {
          unreadable = true
          return
        }
        found.push(decoded.value)
        live.push({ height: decoded.value.height, record })
      })) ?? (await AppendLog.create(path))
    const damaged = log.damaged || unreadable
    if (damaged) await log.reset(live.map(({ record }) => ({ type: PAYLOAD, body: record })))
    return new StagingLog(log, found, live, damaged, options.rotateBytes ?? STAGING_LOG_ROTATE_BYTES)
  }

  /** Size of the file, in bytes. */
  get sizeBytes(): number {
    return this.log.sizeBytes
  }

  /** Write a payload; resolves once it is on disk. A rejection must end the process. */
  append(height: number, payloadHash: Uint8Array, body: Uint8Array): Promise<void> {
    const record = stagedPayload.encode({ height, payloadHash, body })
    this.live.push({ height, record })
    return this.log.append(PAYLOAD, record)
  }

  /** Remove the payloads of committed heights. Cheap; rewrites the file once it has grown beyond the limit. */
  async prune(committedHeight: number): Promise<void> {
    this.payloads = new Map()
    this.live = this.live.filter((one) => one.height > committedHeight)
    if (this.log.sizeBytes < this.rotateBytes) return
    const liveBytes = this.live.reduce((sum, one) => sum + one.record.length, 0)
    if (2 * liveBytes < this.log.sizeBytes)
      await this.log.reset(this.live.map(({ record }) => ({ type: PAYLOAD, body: record })))
  }

  /** Wait for appended records, and close the file. */
  close(): Promise<void> {
    return this.log.close()
  }
}
