/**
 * Owns the limit on payments of one submitter that wait for a block, and the sums of those payments for daily limits.
 * The payments of all submitters are in transactions of one account and share its part of the queue.
 */
import type { Numeric } from '../../../codec/index.js'
import { add, LedgerError, subtract } from '../../../model/index.js'
import type { BridgeRecord } from './record.js'
import { Shares } from './shares.js'

/**
 * Share of the queue room of the bridge's account that one submitter may fill, as 1/n, so that it cannot exclude others
 * while blocks are slow.
 */
export const SENT_SHARE = 4

const ZERO: Numeric = { mantissa: 0n, scale: 0 }

/** Sent and undecided payments by submitter. */
export class SentShares extends Shares {
  /** Sums by submitter and definition. */
  private readonly sums = new Map<string, Map<string, Numeric>>()
  private readonly summed = new Map<string, Pick<BridgeRecord, 'submitter' | 'definition' | 'amount'>>()

  constructor() {
    super('sent')
  }

  override count(
    name: string,
    record: Pick<BridgeRecord, 'submitter' | 'state' | 'body' | 'definition' | 'amount'>,
  ): () => void {
    const takeBack = super.count(name, record)
    const before = this.summed.get(name)
    this.sum(name, record.state === 'sent' ? record : undefined)
    return () => {
      takeBack()
      this.sum(name, before)
    }
  }

  /**
   * Reason why more payments of a submitter exceed its share of a queue with room for `capacity` payments of the
   * bridge's account; undefined if they do not.
   */
  fault(submitter: string, capacity: number, payments = 1): LedgerError | undefined {
    const own = this.of(submitter).payments
    const room = Math.max(1, Math.floor(capacity / SENT_SHARE))
    if (own + payments <= room) return undefined
    return new LedgerError(
      'per_user_queue_limit',
      `${own} payments of the submitter wait for a block, at most ${room} may`,
    )
  }

  /** Sums of the payments of a submitter, by definition. */
  openOf(submitter: string): readonly { readonly definition: string; readonly amount: Numeric }[] {
    return [...(this.sums.get(submitter) ?? [])].map(([definition, amount]) => ({ definition, amount }))
  }

  private sum(name: string, next: Pick<BridgeRecord, 'submitter' | 'definition' | 'amount'> | undefined): void {
    const before = this.summed.get(name)
    if (before !== undefined) this.change(before, subtract)
    if (next?.definition === undefined) this.summed.delete(name)
    else {
      const { submitter, definition, amount } = next
      this.summed.set(name, { submitter, definition, amount })
      this.change(next, add)
    }
  }

  private change(
    { submitter, definition, amount }: Pick<BridgeRecord, 'submitter' | 'definition' | 'amount'>,
    by: (a: Numeric, b: Numeric) => Numeric | undefined,
  ): void {
    if (definition === undefined) return
    const own = this.sums.get(submitter) ?? new Map<string, Numeric>()
    // A sum beyond the largest amount is left unchanged: the ledger decides each payment anyway.
    const sum = by(own.get(definition) ?? ZERO, amount) ?? own.get(definition) ?? ZERO
    if (sum.mantissa === 0n) own.delete(definition)
    else own.set(definition, sum)
    if (own.size === 0) this.sums.delete(submitter)
    else this.sums.set(submitter, own)
  }
}
