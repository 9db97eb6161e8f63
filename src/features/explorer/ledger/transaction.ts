/** Owns the answer about where a committed transaction stands. */
import type { QueryRun } from '../../../executor/reads.js'
import { transactionKey } from '../../../ledger/indexes.js'
import { errorOf } from '../../../ledger/query.js'
import { ERRORS, hashOfHeader, isErrorCode, rejectionOf } from '../../../model/index.js'
import type { TransactionQuery, TransactionView } from '../schema/history.js'
import { openBlock, openFound } from './history.js'

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
  // Clients ask again and again what became of theirs: only of one that repeats another the instructions are read.
  const { executable } = (repeats ? openFound(ctx, found)?.signed.payload.value : undefined) ?? {}
  const failed = executable?.value[rejectionOf(end)?.instruction ?? -1]
  const texts = rejection === undefined ? undefined : (await ctx.outcome(height))?.texts
  return {
    hash: query.hash,
    height,
    blockHash: hashOfHeader(block.header),
    index,
    timeMs: block.header.timeMs,
    outcome: end,
    rejection,
    rejectionText: texts?.find(({ entry: of }) => of === index)?.text,
    supersededBy: failed === undefined ? undefined : ctx.supersededBy(failed),
    authority,
  }
}
