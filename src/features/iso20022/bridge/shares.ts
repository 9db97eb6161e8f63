/** Owns the count of messages in one state, of each submitter and of all. */
import type { BridgeRecord } from './record.js'

interface Counted {
  readonly submitter: string
  readonly bytes: number
}

/** Messages, and bytes of their bodies. */
export interface Share {
  readonly messages: number
  readonly bytes: number
}

const NONE: Share = { messages: 0, bytes: 0 }

/** Who has how many messages in a state; what that may be at most is said by who extends it. */
export class Shares {
  /** By the name of their record. */
  private readonly counted = new Map<string, Counted>()
  private readonly bySubmitter = new Map<string, Share>()
  protected all = NONE

  constructor(private readonly state: BridgeRecord['state']) {}

  /** Counts a record as it is written; gives what takes that back. */
  count(name: string, record: Pick<BridgeRecord, 'submitter' | 'state' | 'body'>): () => void {
    const before = this.counted.get(name)
    const { submitter, state, body } = record
    this.set(name, state === this.state ? { submitter, bytes: body?.length ?? 0 } : undefined)
    return () => this.set(name, before)
  }

  /** Whether a record is counted. */
  has(name: string): boolean {
    return this.counted.has(name)
  }

  protected of(submitter: string): Share {
    return this.bySubmitter.get(submitter) ?? NONE
  }

  private set(name: string, next: Counted | undefined): void {
    const before = this.counted.get(name)
    if (before !== undefined) this.add(before, -1)
    if (next !== undefined) this.add(next, 1)
    if (next === undefined) this.counted.delete(name)
    else this.counted.set(name, next)
  }

  private add({ submitter, bytes }: Counted, sign: 1 | -1): void {
    const own = plus(this.of(submitter), bytes, sign)
    if (own.messages === 0) this.bySubmitter.delete(submitter)
    else this.bySubmitter.set(submitter, own)
    this.all = plus(this.all, bytes, sign)
  }
}

const plus = (share: Share, bytes: number, sign: 1 | -1): Share => ({
  messages: share.messages + sign,
  bytes: share.bytes + sign * bytes,
})
