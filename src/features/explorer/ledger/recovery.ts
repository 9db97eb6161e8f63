/** Owns the recovery query: a stored block with the outcomes of its transactions. */
import type { QueryRun } from '../../../executor/reads.js'
import { assertHeld, errorOf } from '../../../ledger/query.js'
import { limitOf } from '../../../ledger/table-page.js'
import { GENESIS_HEIGHT, hashOfHeader, outcomeNameOf, signedHash } from '../../../model/index.js'
import type { BlockRecovery, RecoveryQuery } from '../schema/recovery.js'
import { openBlock } from './history.js'

/** Undefined if this node does not store the block. */
export const recoveryQuery: QueryRun<RecoveryQuery, BlockRecovery> = async (ctx, { block: height, limit, after }) => {
  if (height < GENESIS_HEIGHT || height > ctx.height) return undefined
  assertHeld(ctx, height)
  const block = await ctx.block(height)
  if (block === undefined) return undefined
  const { header } = block
  const open = await openBlock(ctx, height)
  const first = after === undefined ? 0 : Number(after) + 1
  const end = Math.min(header.transactionCount, first + limitOf(limit))
  const items = Array.from({ length: Math.max(0, end - first) }, (_, at) => open(first + at)).flatMap((found) => {
    if (found === undefined) return []
    const { index, lane, dataspace, record, authority, result } = found
    const { outcome } = result
    return [
      {
        index,
        hash: result.transactionId,
        signedHash: signedHash(record),
        bytes: record.length,
        authority,
        lane,
        dataspace,
        teu: result.teu,
        outcome: outcomeNameOf(outcome),
        rejection: errorOf(ctx, outcome),
      },
    ]
  })
  return {
    blockHeight: height,
    blockHash: hashOfHeader(header),
    parentHash: header.parentHash,
    timeMs: header.timeMs,
    payloadHash: header.payloadHash,
    payloadBytes: header.payloadBytes,
    transactions: header.transactionCount,
    transactionsRoot: header.transactionsRoot,
    resultsRoot: header.resultsRoot,
    stateRoot: header.stateRoot,
    laneCommitmentRoot: header.laneCommitmentRoot,
    items,
    nextCursor: end < header.transactionCount ? String(end - 1) : undefined,
    height: ctx.height,
  }
}
