/** Owns the count of payments in one state, per submitter and in total. */
import type { BridgeRecord } from './record.js'

/** A counted payment, or the body of a message with several. */
interface Counted {
  readonly submitter: string
  readonly payments: 0 | 1
  readonly bytes: number
}

/** Number of payments, and size of the bodies of their messages in bytes. */
export interface Share {
  readonly payments: number
  readonly bytes: number
}

const NONE: Share = { payments: 0, bytes: 0 }

/** Payments in one state, by submitter. Subclasses set the limits. */
export class Shares {
  /** By record name. */
  private readonly counted = new Map<string, Counted>()
  private readonly bySubmitter = new Map<string, Share>()
  protected all = NONE

  constructor(private readonly state: BridgeRecord['state']) {}

  /** Count a record that is being written; returns a function that reverts it. */
  count(name: string, record: Pick<BridgeRecord, 'submitter' | 'state' | 'body'>): () => void {
    const { submitter, state, body } = record
    return this.set(name, state === this.state ? { submitter, payments: 1, bytes: body?.length ?? 0 } : undefined)
  }

  /**
   * Count the bytes of a body shared by payments; undefined if the body is no longer stored. Returns a function that
   * reverts the count.
   */
  countBody(name: string, body: { readonly submitter: string; readonly bytes: number } | undefined): () => void {
    return this.set(name, body && { ...body, payments: 0 })
  }

  /** True if a record is counted. */
  has(name: string): boolean {
    return this.counted.has(name)
  }

  protected of(submitter: string): Share {
    return this.bySubmitter.get(submitter) ?? NONE
  }

  private set(name: string, next: Counted | undefined): () => void {
    const before = this.counted.get(name)
    if (before !== undefined) this.add(before, -1)
    if (next !== undefined) this.add(next, 1)
    if (next === undefined) this.counted.delete(name)
    else this.counted.set(name, next)
    return () => this.set(name, before)
  }

  private add({ submitter, payments, bytes }: Counted, sign: 1 | -1): void {
    const plus = (share: Share): Share => ({
      payments: share.payments + sign * payments,
      bytes: share.bytes + sign * bytes,
    })
    const own = plus(this.of(submitter))
    if (own.payments === 0 && own.bytes === 0) this.bySubmitter.delete(submitter)
    else this.bySubmitter.set(submitter, own)
    this.all = plus(this.all)
  }
}
