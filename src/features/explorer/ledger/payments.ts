/** Owns the list of payments: claims of messages with their transfers, read from blocks by the index of activity. */

import type { Page } from '../../../api/paging.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { type BlockOutcome, type DataEvent, eventsOfEntry } from '../../../model/index.js'
import { decidedPayments } from '../../iso20022/schema/claimed.js'
import { instructions as iso } from '../../iso20022/schema/instructions.js'
import type { PaymentItem, PaymentsQuery } from '../schema/payments.js'
import { type Placed, pageOfHistory } from './history.js'

/** Payments of a transaction, the last one first. */
function paymentsOf(
  { height, index, block, signed, result }: Placed,
  events: readonly DataEvent[],
  errorName: (code: number) => string | undefined,
): PaymentItem[] {
  const entry = { payload: signed.payload.value, outcome: result.outcome, events }
  return decidedPayments(entry, errorName)
    .map(({ details, code, bodyHash: _, ...payment }, position): PaymentItem => {
      const { currency, endToEndId } = details
      return {
        ...payment,
        ...{ currency, endToEndId },
        outcome: code === undefined ? 'approved' : 'rejected',
        rejection: code,
        transactionHash: result.transactionId,
        ...{ height, index, position, timeMs: block.header.timeMs },
      }
    })
    .reverse()
}

/** Instructions that make payments of messages. */
const KINDS: readonly string[] = [iso.claimMessage.kind, iso.settlePayments.kind]

/** The events of transactions, block by block. */
class EntryEvents {
  private read: { readonly height: number; readonly outcome: BlockOutcome | undefined } | undefined

  constructor(private readonly ctx: QueryContext) {}

  async of({ height, index }: Pick<Placed, 'height' | 'index'>): Promise<DataEvent[]> {
    if (this.read?.height !== height) this.read = { height, outcome: await this.ctx.outcome(height) }
    return eventsOfEntry(this.read.outcome?.events ?? [], index)
  }
}

/** Newest first. A page reads a bounded number of blocks: a search for rare payments continues at its cursor. */
export const paymentsQuery: QueryRun<PaymentsQuery, Page<PaymentItem>> = (ctx, { submitter, account, ...page }) => {
  const events = new EntryEvents(ctx)
  const asked = { ...page, kind: undefined, authority: undefined, definition: undefined, outcome: undefined }
  const itemsOf = async (placed: Placed) =>
    paymentsOf(placed, await events.of(placed), ctx.errorName).flatMap((item) => {
      if (submitter !== undefined && item.submitter !== submitter) return []
      if (account !== undefined && item.source !== account && item.target !== account) return []
      return [[[item.height, item.index, item.position], item] as const]
    })
  return pageOfHistory(ctx, { ...asked, block: undefined }, itemsOf, KINDS)
}
