/** Owns the queries of the bridge: what a payment resolves to, and what became of a message. */

import { accounts } from '../../../executor/accounts.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { payerFault, receiverFault } from '../../../ledger/controls.js'
import { definitions } from '../../../ledger/tables.js'
import { type AccountId, domainOfDefinition } from '../../../model/index.js'
import type { StateReader, TableDef } from '../../../state/index.js'
import { claimKey } from '../schema/instructions.js'
import { type LedgerMessage, type LedgerMessages, MESSAGES_MAX, type MessagesQuery } from '../schema/messages.js'
import type { Resolution, ResolveQuery } from '../schema/views.js'
import { messageAt, messageRange, type RejectedMessage } from './indexes.js'
import { definitionOfCurrency, mayDebit, submitterOf } from './instructions.js'
import { limitFault } from './limits.js'
import { claims, currencies, ibans, type Submitter } from './tables.js'

/** The row of a text; none where the text is no key of the table. */
const rowOf = <V>(reader: StateReader, table: TableDef<string, V>, text: string): V | undefined =>
  table.key.fromJson(text).ok ? reader.get(table, text) : undefined

const currencyDefinition = (reader: StateReader, text: string): string | undefined =>
  currencies.key.fromJson(text).ok ? definitionOfCurrency(reader, text) : undefined

export const isoResolve: QueryRun<ResolveQuery, Resolution> = async (ctx, query) => {
  const { reader } = ctx
  const account = (text: string, pinned: string | undefined): string | undefined => {
    const bound = pinned ?? rowOf(reader, ibans, text)
    return bound !== undefined && reader.get(accounts, bound) !== undefined ? bound : undefined
  }
  const source = account(query.debtorIban, query.source)
  const target = account(query.creditorIban, query.target)
  const definition = query.definition ?? currencyDefinition(reader, query.currency)
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
    ...refusalsOf(ctx, query, submitter, source, target, definition),
  }
}

/** Codes of the controls and limits that stand in the way, by the party that they bar. */
function refusalsOf(
  { reader, gate }: Pick<QueryContext, 'reader' | 'gate'>,
  { submitter: id, amount, timeMs }: ResolveQuery,
  submitter: Submitter | undefined,
  source: AccountId | undefined,
  target: AccountId | undefined,
  definition: string | undefined,
): Pick<Resolution, 'payerRefusal' | 'receiverRefusal'> {
  if (source === undefined || target === undefined || definition === undefined || submitter === undefined) {
    return { payerRefusal: undefined, receiverRefusal: undefined }
  }
  const payer =
    limitFault(reader, id, submitter, { definition, amount }, timeMs) ??
    payerFault(reader, { definition, account: source }, amount, timeMs) ??
    gate?.instruction(reader, id, domainOfDefinition(definition)) ??
    gate?.movement(reader, source, definition)
  return { payerRefusal: payer?.code, receiverRefusal: receiverFault(reader, definition, target)?.code }
}

/** A message by its identity: what was paid, else what a block rejected last. */
export const isoMessages: QueryRun<MessagesQuery, LedgerMessages> = async (ctx, { messageId, submitter }) => {
  const items: LedgerMessage[] = []
  const { submitterAt, ...range } = messageRange(messageId, submitter)
  for await (const [key, value] of ctx.indexRange({ ...range, limit: MESSAGES_MAX })) {
    const found = messageAt(key, value, submitterAt)
    items.push(found.rejected === undefined ? paidMessage(ctx, messageId, found) : rejectedMessage(ctx, found.rejected))
  }
  return { items }
}

function paidMessage(
  { reader }: QueryContext,
  messageId: string,
  { submitter, family }: Pick<LedgerMessage, 'submitter' | 'family'>,
): LedgerMessage {
  const row = reader.get(claims, claimKey(submitter, family, messageId))
  if (row === undefined) throw new Error(`the index names a claim of ${messageId} that is not on the ledger`)
  return { ...row, rejection: undefined }
}

const rejectedMessage = ({ errorName }: QueryContext, { code, ...message }: RejectedMessage): LedgerMessage => ({
  ...message,
  rejection: errorName(code) ?? `error_${code}`,
})
