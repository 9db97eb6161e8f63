/** Owns the queries of the bridge: resolution of payments, and results of messages. */

import type { Numeric } from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { payerFault, receiverFault } from '../../../ledger/controls.js'
import { accountOfIban, definitionOfCurrency } from '../../../ledger/iso-bindings.js'
import { ZERO } from '../../../ledger/money.js'
import { definitions } from '../../../ledger/tables.js'
import { type AccountId, add, domainOfDefinition } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import { instructions as assets } from '../../assets/schema/instructions.js'
import { claimKey, paymentKey } from '../schema/instructions.js'
import {
  type LedgerMessage,
  type LedgerMessages,
  type LedgerPayment,
  type LedgerPayments,
  MESSAGES_MAX,
  type MessageHead,
  type MessagesQuery,
  PAYMENTS_PER_ANSWER,
  type PaymentOutcome,
  type PaymentsQuery,
} from '../schema/messages.js'
import type { Resolution, ResolveAllQuery, ResolveQuery } from '../schema/views.js'
import { messageAt, messageRange, type RejectedMessage } from './indexes.js'
import { limitFault } from './limits.js'
import { mayDebit, submitterOf } from './submitters.js'
import { claims, headRefusals, heads, payments, type Submitter } from './tables.js'

export const isoResolve: QueryRun<ResolveQuery, Resolution> = async (ctx, query) => resolve(ctx, query, undefined)

/** Resolve payments in the order in which they would be made, because earlier payments count towards the limits. */
export const isoResolveAll: QueryRun<ResolveAllQuery, { readonly items: readonly Resolution[] }> = async (
  ctx,
  { items, open },
) => {
  const planned = new Map(open.map(({ definition, amount }) => [definition, amount]))
  return {
    items: items.map((query) => {
      const found = resolve(ctx, query, planned)
      const { definition, payerRefusal, receiverRefusal } = found
      if (definition === undefined || payerRefusal !== undefined || receiverRefusal !== undefined) return found
      const sum = add(planned.get(definition) ?? ZERO, query.amount)
      if (sum !== undefined) planned.set(definition, sum)
      return found
    }),
  }
}

/** Resolve the parties of a payment; `planned`: totals by definition of the payments before it. */
function resolve(
  ctx: Pick<QueryContext, 'reader' | 'gate'>,
  query: ResolveQuery,
  planned: ReadonlyMap<string, Numeric> | undefined,
): Resolution {
  const { reader } = ctx
  const account = (text: string, pinned: string | undefined): string | undefined => {
    const bound = pinned ?? accountOfIban(reader, text)
    return bound !== undefined && reader.get(accounts, bound) !== undefined ? bound : undefined
  }
  const source = account(query.debtorIban, query.source)
  const target = account(query.creditorIban, query.target)
  const definition = query.definition ?? definitionOfCurrency(reader, query.currency)
  const row = definition === undefined ? undefined : reader.get(definitions, definition)
  const submitter = submitterOf(reader, query.submitter)
  return {
    source,
    target,
    definition: row === undefined ? undefined : definition,
    scale: row?.scale,
    submitterKnown: submitter !== undefined,
    mayDebit: submitter !== undefined && source !== undefined && mayDebit(reader, query.submitter, submitter, source),
    bics: (submitter?.bics ?? []).join(' '),
    ...refusalsOf(ctx, query, submitter, source, target, definition, planned),
  }
}

/** Codes of the controls and limits that forbid the payment, by party. */
function refusalsOf(
  { reader, gate }: Pick<QueryContext, 'reader' | 'gate'>,
  { submitter: id, amount, timeMs }: ResolveQuery,
  submitter: Submitter | undefined,
  source: AccountId | undefined,
  target: AccountId | undefined,
  definition: string | undefined,
  planned: ReadonlyMap<string, Numeric> | undefined,
): Pick<Resolution, 'payerRefusal' | 'receiverRefusal'> {
  if (source === undefined || target === undefined || definition === undefined || submitter === undefined) {
    return { payerRefusal: undefined, receiverRefusal: undefined }
  }
  const { label } = assets.transfer
  const payer =
    limitFault(reader, id, submitter, { definition, amount, open: planned?.get(definition) }, timeMs) ??
    payerFault(reader, { definition, account: source }, amount, timeMs) ??
    gate?.instruction(reader, timeMs, id, domainOfDefinition(definition), label) ??
    gate?.wouldMove(reader, timeMs, { source, to: target, definition, amount, label })
  return { payerRefusal: payer?.code, receiverRefusal: receiverFault(reader, definition, target)?.code }
}

/** Messages by id: the settled payment, otherwise the last rejection. */
export const isoMessages: QueryRun<MessagesQuery, LedgerMessages> = async (ctx, { messageId, submitter }) => {
  const items: LedgerMessage[] = []
  const found: MessageHead[] = []
  const { submitterAt, ...range } = messageRange(messageId, submitter)
  for await (const [key, value] of ctx.indexRange({ ...range, limit: MESSAGES_MAX })) {
    const entry = messageAt(key, value, submitterAt)
    const of = claimKey(entry.submitter, entry.family, messageId)
    if (entry.kept === 'entry') items.push(rejectedMessage(ctx, entry.rejected))
    else if (entry.kept === 'claim') items.push({ ...rowThatIs(ctx, claims, of), rejection: undefined })
    else if (entry.kept === 'rejection') items.push(rejectedMessage(ctx, rejectionOf(rowThatIs(ctx, payments, of))))
    else found.push(rowThatIs(ctx, heads, of))
  }
  return { items, heads: found }
}

/** Payments of a message with several payments. */
export const isoPayments: QueryRun<PaymentsQuery, LedgerPayments> = async (
  ctx,
  { submitter, family, messageId, after },
) => {
  const { reader } = ctx
  const key = claimKey(submitter, family, messageId)
  const head = reader.get(heads, key)
  if (head === undefined) return { head, items: [] }
  const reasons = new Map((reader.get(headRefusals, key) ?? []).map(({ place, reason }) => [place, reason]))
  const last = Math.min(head.payments, after + PAYMENTS_PER_ANSWER)
  const items = Array.from({ length: Math.max(0, last - after) }, (_, index): LedgerPayment => {
    const place = after + index + 1
    const row = reader.get(payments, paymentKey(key, head.payments, place))
    if (row === undefined) return { place, outcome: undefined, refused: reasons.get(place) }
    const outcome = row.code === undefined ? { ...row, rejection: undefined } : rejectedMessage(ctx, rejectionOf(row))
    return { place, outcome, refused: undefined }
  })
  return { head, items }
}

/** Row that an index entry refers to. */
function rowThatIs<V>({ reader }: Pick<QueryContext, 'reader'>, table: TableDef<Uint8Array, V>, key: Uint8Array): V {
  const row = reader.get(table, key)
  if (row === undefined) throw new Error(`the index names a row of ${table.name} that is not on the ledger`)
  return row
}

function rejectionOf({ code, ...row }: PaymentOutcome): RejectedMessage {
  if (code === undefined) throw new Error('a rejected payment has no error number')
  return { ...row, code }
}

const rejectedMessage = ({ errorName }: QueryContext, { code, ...message }: RejectedMessage): LedgerMessage => ({
  ...message,
  rejection: errorName(code) ?? `error_${code}`,
})
