/** Owns the answer about where a committed transaction stands. */
import type { QueryRun } from '../../../executor/reads.js'
import { transactionKey } from '../../../ledger/indexes.js'
import { errorOf } from '../../../ledger/query.js'
import { blockBody, ERRORS, hashOfHeader, isErrorCode, rejectionOf } from '../../../model/index.js'
import type { TransactionQuery, TransactionView } from '../schema/history.js'

export const transactionByHashQuery: QueryRun<TransactionQuery, TransactionView> = async (ctx, query) => {
  const place = ctx.indexGet(transactionKey(query.hash))
  if (place === undefined) return undefined
  const height = place.readUIntBE(0, 6)
  const index = place.readUInt32BE(6)
  const block = await ctx.block(height)
  const outcome = await ctx.outcome(height)
  const result = outcome?.results[index]
  if (block === undefined || result === undefined) return undefined
  const body = blockBody.decode(block.body, ctx.codec)
  const entry = body.ok ? body.value.entries[index] : undefined
  if (entry === undefined) return undefined
  const { outcome: end } = result
  const { authority, executable } = entry.transaction.value.payload.value
  const rejection = errorOf(ctx, end)
  const repeats = rejection !== undefined && isErrorCode(rejection) && ERRORS[rejection].repeats === true
  const failed = repeats ? executable.value[rejectionOf(end)?.instruction ?? -1] : undefined
  return {
    hash: query.hash,
    height,
    blockHash: hashOfHeader(block.header),
    index,
    timeMs: block.header.timeMs,
    outcome: end,
    rejection,
    rejectionText: outcome?.texts.find(({ entry: of }) => of === index)?.text,
    supersededBy: failed === undefined ? undefined : ctx.supersededBy(failed),
    authority,
  }
}
