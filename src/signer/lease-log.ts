/** Owns `lease.log`: the last change of the holder, so that lease numbers increase over restarts. */
import { join } from 'node:path'
import { type Infer, struct, varint } from '../codec/index.js'
import { LedgerError, networkKey } from '../model/index.js'
import { AppendLog } from '../storage/index.js'
import type { HeldLock } from '../storage/lock.js'

const LEASE_FILE = 'lease.log'
const LEASE = 1
/** Size from which the log is rewritten, in bytes; a change of the holder has about fifty bytes. */
const ROTATE_BYTES = 64 * 1024

type LeaseRecord = Infer<typeof leaseRecord>
const leaseRecord = struct('LeaseRecord', { fence: varint, node: networkKey })

export class LeaseLog {
  private constructor(
    private readonly log: AppendLog,
    private readonly lock: Pick<HeldLock, 'assertHeld'>,
    /** Last change of the holder. */
    readonly last: LeaseRecord | undefined,
  ) {}

  /** Open the log, or create it. Throws `signer_record_missing` for a damaged log. */
  static async open(folder: string, lock: Pick<HeldLock, 'assertHeld'>): Promise<LeaseLog> {
    const path = join(folder, LEASE_FILE)
    let last: LeaseRecord | undefined
    const log = await AppendLog.open(path, (_type, body) => {
      const decoded = leaseRecord.decode(body)
      if (decoded.ok) last = decoded.value
    })
    if (log?.damaged === true) {
      await log.close()
      throw new LedgerError('signer_record_missing', `${path} is corrupt: the last active node is unknown`, {
        hint: 'Stop every node of this validator, remove the file, and start the signer before the nodes.',
        details: { path },
      })
    }
    return new LeaseLog(log ?? (await AppendLog.create(path)), lock, last)
  }

  /**
   * Append a record; resolves when it is on disk. Rejects if another process has the folder, since it would overwrite
   * the log of that process.
   */
  async append(record: LeaseRecord): Promise<void> {
    this.lock.assertHeld()
    const body = leaseRecord.encode(record)
    if (this.log.sizeBytes > ROTATE_BYTES) await this.log.reset([{ type: LEASE, body }])
    else await this.log.append(LEASE, body)
  }

  close(): Promise<void> {
    return this.log.close()
  }
}
