/** Owns how many messages wait for an operator at most, of one submitter and of all: nothing but a decision ends their wait. */
import '../schema/errors.js'
import { LedgerError } from '../../../model/index.js'
import type { BridgeRecord } from './record.js'

/** Messages of one submitter that wait at most: a quarter of all, so that one keeps no other out. */
export const HELD_PER_SUBMITTER_MAX = 2_048
/** Messages that wait at most. Each is compared with the ledger once a minute. */
export const HELD_MAX = 8_192
/** Bytes of the bodies of one submitter that wait at most: 16 KiB each on average. */
export const HELD_BYTES_PER_SUBMITTER_MAX = 32 * 1024 * 1024
/** Bytes of all bodies that wait at most; they are on the disk. */
export const HELD_BYTES_MAX = 128 * 1024 * 1024

/** Seconds until another try: somebody has to decide something first. */
const RETRY_AFTER_SECONDS = 60

interface Held {
  readonly submitter: string
  readonly bytes: number
}

/** What waits of a submitter, or of all. */
interface Share {
  readonly messages: number
  readonly bytes: number
}

const NONE: Share = { messages: 0, bytes: 0 }

/** Who has how many messages that wait. */
export class HeldShares {
  /** By the name of their record. */
  private readonly held = new Map<string, Held>()
  private readonly bySubmitter = new Map<string, Share>()
  private all = NONE

  /** Counts a record as it is written; gives what takes that back. */
  count(name: string, record: Pick<BridgeRecord, 'submitter' | 'state' | 'body'>): () => void {
    const before = this.held.get(name)
    const { submitter, state, body } = record
    this.set(name, state === 'held' ? { submitter, bytes: body?.length ?? 0 } : undefined)
    return () => this.set(name, before)
  }

  /** Why a submitter has no room for a message more; undefined: it has. */
  fault(submitter: string, bytes: number): LedgerError | undefined {
    const own = this.bySubmitter.get(submitter) ?? NONE
    const refuse = (message: string): LedgerError =>
      new LedgerError('iso_held_limit', message, { details: { retry_after_seconds: RETRY_AFTER_SECONDS } })
    if (own.messages >= HELD_PER_SUBMITTER_MAX || own.bytes + bytes > HELD_BYTES_PER_SUBMITTER_MAX) {
      return refuse(`${own.messages} messages of the submitter wait for an operator`)
    }
    if (this.all.messages >= HELD_MAX || this.all.bytes + bytes > HELD_BYTES_MAX) {
      return refuse(`${this.all.messages} messages wait for an operator`)
    }
    return undefined
  }

  private set(name: string, next: Held | undefined): void {
    const before = this.held.get(name)
    if (before !== undefined) this.add(before, -1)
    if (next !== undefined) this.add(next, 1)
    if (next === undefined) this.held.delete(name)
    else this.held.set(name, next)
  }

  private add({ submitter, bytes }: Held, sign: 1 | -1): void {
    const own = plus(this.bySubmitter.get(submitter) ?? NONE, bytes, sign)
    if (own.messages === 0) this.bySubmitter.delete(submitter)
    else this.bySubmitter.set(submitter, own)
    this.all = plus(this.all, bytes, sign)
  }
}

const plus = (share: Share, bytes: number, sign: 1 | -1): Share => ({
  messages: share.messages + sign,
  bytes: share.bytes + sign * bytes,
})
