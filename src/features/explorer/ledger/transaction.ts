/** Owns the status of a committed transaction. */
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { transactionKey } from '../../../ledger/indexes.js'
import { errorOf } from '../../../ledger/query.js'
import {
  type BlockOutcome,
  ERRORS,
  eventsOfEntry,
  hashOfHeader,
  isErrorCode,
  rejectionOf,
} from '../../../model/index.js'
import { sharedOutcomes } from '../../iso20022/schema/claimed.js'
import { instructions as iso } from '../../iso20022/schema/instructions.js'
import type { SharedPayment, TransactionQuery, TransactionView } from '../schema/history.js'
import type { Facet } from './activity.js'
import { type Found, hasActivity, openBlock, openFound } from './history.js'

export const transactionByHashQuery: QueryRun<TransactionQuery, TransactionView> = async (ctx, query) => {
  const place = ctx.indexGet(transactionKey(query.hash))
  if (place === undefined) return undefined
  const height = place.readUIntBE(0, 6)
  const index = place.readUInt32BE(6)
  const found = (await openBlock(ctx, height))(index)
  if (found === undefined) return undefined
  const { block, authority, result } = found
  const { outcome: end } = result
  const rejection = errorOf(ctx, end)
  const repeats = rejection !== undefined && isErrorCode(rejection) && ERRORS[rejection].repeats === true
  // Clients poll their transactions: instructions are read only for a rejection that repeats another transaction.
  const { executable } = (repeats ? openFound(ctx, found)?.signed.payload.value : undefined) ?? {}
  const failed = executable?.value[rejectionOf(end)?.instruction ?? -1]
  const isShared = rejection === undefined && hasActivity(ctx, SHARED, height, index)
  const blockOutcome = rejection === undefined && !isShared ? undefined : await ctx.outcome(height)
  return {
    hash: query.hash,
    height,
    blockHash: hashOfHeader(block.header),
    index,
    timeMs: block.header.timeMs,
    outcome: end,
    rejection,
    rejectionText:
      rejection === undefined ? undefined : blockOutcome?.texts.find(({ entry: of }) => of === index)?.text,
    supersededBy: failed === undefined ? undefined : ctx.supersededBy(failed),
    authority,
    payments: isShared ? paymentsOf(ctx, found, blockOutcome) : [],
  }
}

/** List of transactions with several message payments. */
const SHARED: Facet = { kind: 'kind', name: iso.settlePayments.kind }

/** Outcomes of the payments of a transaction. */
function paymentsOf(ctx: QueryContext, found: Found, blockOutcome: BlockOutcome | undefined): SharedPayment[] {
  const payload = openFound(ctx, found)?.signed.payload.value
  if (payload === undefined) return []
  const events = eventsOfEntry(blockOutcome?.events ?? [], found.index)
  return sharedOutcomes(payload, events).map(([{ submitter, family, messageId, bodyHash }, { place }, { code }]) => ({
    submitter,
    family,
    messageId,
    bodyHash,
    place,
    code,
  }))
}
