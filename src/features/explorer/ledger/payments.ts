/** Owns the list of payments: claims of messages with their transfers, read from blocks by the activity index. */

import type { Page } from '../../../api/paging.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { type BlockOutcome, type DataEvent, eventsOfEntry } from '../../../model/index.js'
import { type DecidedPayment, decidedPayments } from '../../iso20022/schema/claimed.js'
import { instructions as iso } from '../../iso20022/schema/instructions.js'
import type { PaymentItem, PaymentsQuery, ReferenceQuery } from '../schema/payments.js'
import { type Facet, referenceKey, referencesOf } from './activity.js'
import { type Placed, pageOfHistory } from './history.js'

/** Requested payments of a transaction, in reverse order. */
function paymentsOf(
  { height, index, block, signed, result }: Placed,
  events: readonly DataEvent[],
  errorName: (code: number) => string | undefined,
  isAsked: (payment: DecidedPayment) => boolean,
): PaymentItem[] {
  const entry = { payload: signed.payload.value, outcome: result.outcome, events }
  return decidedPayments(entry, errorName)
    .flatMap((decided, position): PaymentItem[] => {
      if (!isAsked(decided)) return []
      const { details, code, bodyHash: _, ...payment } = decided
      const { currency, endToEndId } = details
      return [
        {
          ...payment,
          currency,
          endToEndId,
          outcome: code === undefined ? 'approved' : 'rejected',
          rejection: code,
          transactionHash: result.transactionId,
          height,
          index,
          position,
          timeMs: block.header.timeMs,
        },
      ]
    })
    .reverse()
}

/** Events of transactions, block by block. */
class EntryEvents {
  private read: { readonly height: number; readonly outcome: BlockOutcome | undefined } | undefined

  constructor(private readonly ctx: QueryContext) {}

  async of({ height, index }: Pick<Placed, 'height' | 'index'>): Promise<DataEvent[]> {
    if (this.read?.height !== height) this.read = { height, outcome: await this.ctx.outcome(height) }
    return eventsOfEntry(this.read.outcome?.events ?? [], index)
  }
}

/** Lists of transactions with message payments. */
const ALL: readonly Facet[] = [iso.claimMessage, iso.settlePayments].map(({ kind: name }) => ({ kind: 'kind', name }))

/**
 * Page of payments, newest first. It reads a bounded number of blocks: a search for rare payments continues at its
 * cursor.
 */
function pageOfPayments(
  ctx: QueryContext,
  { submitter, account, ...page }: PaymentsQuery,
  lists: readonly Facet[],
  isAsked: (payment: DecidedPayment) => boolean = () => true,
): Promise<Page<PaymentItem> | undefined> {
  const events = new EntryEvents(ctx)
  const isOfParties = (one: DecidedPayment): boolean =>
    (submitter === undefined || one.submitter === submitter) &&
    (account === undefined || one.source === account || one.target === account)
  const asked = { ...page, kind: undefined, authority: undefined, definition: undefined, outcome: undefined }
  const itemsOf = async (placed: Placed) =>
    paymentsOf(placed, await events.of(placed), ctx.errorName, (one) => isOfParties(one) && isAsked(one)).map(
      (item) => [[item.height, item.index, item.position], item] as const,
    )
  return pageOfHistory(ctx, { ...asked, block: undefined }, itemsOf, lists)
}

export const paymentsQuery: QueryRun<PaymentsQuery, Page<PaymentItem>> = (ctx, query) => pageOfPayments(ctx, query, ALL)

export const paymentsByReferenceQuery: QueryRun<ReferenceQuery, Page<PaymentItem>> = (ctx, { reference, ...query }) => {
  const name = referenceKey(reference)
  return pageOfPayments(ctx, query, [{ kind: 'reference', name }], ({ details }) =>
    referencesOf(details).includes(name),
  )
}
