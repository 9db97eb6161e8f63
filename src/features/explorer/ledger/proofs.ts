/** Owns proofs of headers, records and transactions against the genesis hash. */

import {
  type FinalityProof,
  type HeaderView,
  HISTORY_MAX,
  type Page,
  ROSTER_STEPS_MAX,
  type RosterStep,
  type StateRecordProof,
  type TransactionProof,
} from '../../../api/index.js'
import type { HeightsQuery } from '../../../api/query-inputs.js'
import { merkleProof } from '../../../crypto/index.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { rosterKey, transactionKey } from '../../../ledger/indexes.js'
import { assertHeld } from '../../../ledger/query.js'
import { epochOfIndex, rosterList } from '../../../ledger/roster-index.js'
import { pageOfHeights } from '../../../ledger/table-page.js'
import {
  entryResultLeaf,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  hashOfHeader,
  signedHash,
  unreadBody,
} from '../../../model/index.js'
import type { FinalityQuery, StateProofQuery, TransactionProofQuery } from '../schema/queries.js'

export const headersQuery: QueryRun<HeightsQuery, Page<HeaderView>> = (ctx, query) =>
  pageOfHeights(
    ctx,
    query,
    { newest: ctx.height, oldest: GENESIS_HEIGHT, most: HISTORY_MAX },
    async (height): Promise<HeaderView | undefined> => {
      const header = await ctx.header(height)
      if (header === undefined) return undefined
      const certified = height === GENESIS_HEIGHT ? undefined : await ctx.certified(height)
      return { hash: hashOfHeader(header), header, certificate: certified?.certificate }
    },
  )

/** Rosters whose first height is in a range; undefined if a proof cannot hold them, or if they are not stored. */
async function rosterSteps(ctx: QueryContext, first: number, last: number): Promise<RosterStep[] | undefined> {
  const steps: RosterStep[] = []
  const range = { gte: rosterKey(first), lt: rosterKey(last + 1), limit: ROSTER_STEPS_MAX + 1 }
  const found: (readonly [Buffer, Buffer])[] = []
  for await (const one of ctx.indexRange(range)) found.push(one)
  if (found.length > ROSTER_STEPS_MAX) return undefined
  for (const [key, value] of found) {
    const height = key.readUIntBE(key.length - 6, 6)
    const roster = rosterList.decode(value)
    const first = await ctx.certified(height)
    const before = height === FIRST_VOTED_HEIGHT ? undefined : await ctx.certified(height - 1)
    if (!roster.ok || first === undefined) return undefined
    const epoch = epochOfIndex((one) => ctx.indexGet(one), height)
    steps.push({ height, roster: roster.value, epoch, before, first })
  }
  return steps
}

/** Proof that the block of a height is final, from genesis or a lower block; undefined if this node lacks the data. */
async function finalityAt(
  ctx: QueryContext,
  height: number,
  from: number | undefined,
): Promise<FinalityProof | undefined> {
  if (height < FIRST_VOTED_HEIGHT || height > ctx.height) return undefined
  if (from !== undefined && (from < FIRST_VOTED_HEIGHT || from > height)) return undefined
  const genesis = await ctx.block(GENESIS_HEIGHT)
  const block = await ctx.certified(height)
  const rosters = await rosterSteps(ctx, from === undefined ? FIRST_VOTED_HEIGHT : from + 1, height)
  if (genesis === undefined || block === undefined || rosters === undefined) return undefined
  // A node that started from a snapshot lacks the earlier rosters.
  if (from === undefined && rosters[0]?.height !== FIRST_VOTED_HEIGHT) return undefined
  return { genesisHeader: genesis.header, genesisPayload: genesis.body, rosters, block }
}

export const finalityQuery: QueryRun<FinalityQuery, FinalityProof> = (ctx, { height, from }) =>
  finalityAt(ctx, height, from)

export const stateProofQuery: QueryRun<StateProofQuery, StateRecordProof> = async (ctx, { table, key, from }) => {
  const proven = ctx.prove(table, key)
  if (proven === undefined) return undefined
  const finality = await finalityAt(ctx, proven.height, from)
  return finality === undefined ? undefined : { ...proven, finality }
}

export const transactionProofQuery: QueryRun<TransactionProofQuery, TransactionProof> = async (
  ctx,
  { height, hash, from },
) => {
  assertHeld(ctx, height)
  const place = ctx.indexGet(transactionKey(hash))
  if (place === undefined || place.readUIntBE(0, 6) !== height) return undefined
  const index = place.readUInt32BE(6)
  const [block, results] = [await ctx.block(height), await ctx.results(height)]
  const body = block === undefined ? undefined : unreadBody.decode(block.body, ctx.codec)
  const entry = body?.ok === true ? body.value.entries[index] : undefined
  const result = results?.[index]
  const finality = await finalityAt(ctx, height, from)
  if (body?.ok !== true || entry === undefined || result === undefined || results === undefined) return undefined
  if (finality === undefined) return undefined
  const leaves = body.value.entries.map((one) => signedHash(one.record))
  return {
    height,
    transactionHash: hash,
    transaction: entry.record,
    transactionProof: merkleProof(leaves, index),
    result,
    resultProof: merkleProof(results.map(entryResultLeaf), index),
    finality,
  }
}
