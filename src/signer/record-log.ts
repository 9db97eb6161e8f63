/**
 * Owns the durable record of one key: its signatures at its greatest height, on disk before a signature is returned
 * (docs/decisions/0067).
 */
import { join } from 'node:path'
import { list, struct, varint } from '../codec/index.js'
import {
  emptyRecord,
  type KeyRecord,
  SIGNED_KINDS,
  type SignedRecord,
  signedOf,
  signedRecord,
  withSigned,
} from '../consensus/index.js'
import { keyBytes, LedgerError, type ValidatorKey } from '../model/index.js'
import { AppendLog, type LogRecord, type VotedMarks } from '../storage/index.js'
import type { HeldLock } from '../storage/lock.js'
import { RECORD_ROTATE_BYTES } from './limits.js'

/** Kinds of log records: signatures of one request, and the minimum height of a new record. */
const SIGNED = 1
const BEGIN = 2
/** Digits of key and chain in the name of the file, enough to distinguish them. */
const NAME_DIGITS = 16

const signedList = list(signedRecord, SIGNED_KINDS)
const begin = struct('BeginRecord', { height: varint })

/** Options of the record of a key. */
export interface RecordLogOptions {
  readonly folder: string
  readonly key: ValidatorKey
  readonly chainHash: Uint8Array
  /** Mark beside the key file, which distinguishes a lost record from a first start. */
  readonly marks: VotedMarks
  /** Height set by the operator for a lost record; nothing is signed up to it. */
  readonly resumeAbove: number | undefined
  /** Lock of the folder. A signer that lost it does not sign, because another process continues the record. */
  readonly lock: Pick<HeldLock, 'assertHeld'>
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').slice(0, NAME_DIGITS)

/** The record of one key on one chain. */
export class KeyRecordLog {
  private hasMark = false

  private constructor(
    private readonly log: AppendLog,
    private readonly marks: VotedMarks,
    private readonly lock: RecordLogOptions['lock'],
    private readonly marked: readonly boolean[],
    private known: KeyRecord,
    /** True if the record was lost, and continues above the height set by the operator. */
    readonly isResumed: boolean,
  ) {}

  /** Open the record, or create it for a key that never signed. Throws `signer_record_missing`. */
  static async open({ folder, key, chainHash, marks, resumeAbove, lock }: RecordLogOptions): Promise<KeyRecordLog> {
    const path = join(folder, `${hexOf(keyBytes(key))}-${hexOf(chainHash)}.votes`)
    // Before the record is looked at: another process with the key may begin meanwhile.
    const marked = await marks.each()
    let known = emptyRecord(0)
    let isReadable = true
    const log = await AppendLog.open(path, (type, body) => {
      if (type === BEGIN) {
        const decoded = begin.decode(body)
        if (decoded.ok && decoded.value.height > known.height) known = emptyRecord(decoded.value.height)
        isReadable &&= decoded.ok
        return
      }
      const decoded = signedList.decode(body)
      if (decoded.ok) known = decoded.value.reduce(withSigned, known)
      isReadable &&= decoded.ok
    })
    const isWhole = log !== undefined && !log.damaged && isReadable
    // One that was begun before another process signed first.
    const isForeign = known.height === 0 && marked.includes(true)
    if (isWhole && !isForeign) return new KeyRecordLog(log, marks, lock, marked, known, false)
    await log?.close()
    if (log === undefined && resumeAbove === undefined && !marked.includes(true)) {
      return new KeyRecordLog(await AppendLog.create(path), marks, lock, marked, known, false)
    }
    if (resumeAbove === undefined) {
      const what =
        log === undefined
          ? 'is missing, but the key was used before'
          : isWhole
            ? 'contains no signature of the key, which was used before'
            : 'is corrupt'
      throw new LedgerError('signer_record_missing', `${path} ${what}`, { details: { path } })
    }
    const height = Math.max(known.height, resumeAbove + 1)
    const content = [{ type: BEGIN, body: begin.encode({ height }) }]
    return new KeyRecordLog(await AppendLog.create(path, content), marks, lock, marked, emptyRecord(height), true)
  }

  get record(): KeyRecord {
    return this.known
  }

  /**
   * Resolves when the record is on disk; after a rejection the process must end, because the content of the disk is
   * unknown. The lock is checked before the write, and again before signing: the process may have been suspended in
   * between.
   */
  async append(signed: readonly SignedRecord[]): Promise<void> {
    this.lock.assertHeld()
    if (!this.hasMark) await this.marks.make(this.marked)
    this.hasMark = true
    const next = signed.reduce(withSigned, this.known)
    if (this.log.sizeBytes > RECORD_ROTATE_BYTES) await this.log.reset(contentOf(next))
    else await this.log.append(SIGNED, signedList.encode(signed))
    this.lock.assertHeld()
    this.known = next
  }

  close(): Promise<void> {
    return this.log.close()
  }
}

const contentOf = (record: KeyRecord): LogRecord[] => [
  { type: BEGIN, body: begin.encode({ height: record.height }) },
  { type: SIGNED, body: signedList.encode(signedOf(record)) },
]
