/** Owns history queries: transactions and instructions by the index of activity, newest first, and blocks. */

import { numbersOfCursor } from '../../../api/cursors.js'
import { PAGE_LIMIT_MAX, type Page } from '../../../api/paging.js'
import type { PageQuery } from '../../../api/query-inputs.js'
import { accounts } from '../../../executor/accounts.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { transactionKey } from '../../../ledger/indexes.js'
import { assertHeld, errorOf, unknownTransaction } from '../../../ledger/query.js'
import { limitOf, pageOfHeights } from '../../../ledger/table-page.js'
import { definitions } from '../../../ledger/tables.js'
import {
  type BlockEntry,
  type BlockOutcome,
  blockBody,
  type CommittedBlock,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  HEIGHT_MAX,
  hashOfHeader,
  INSTRUCTION_REGISTRY,
  rejectionOf,
} from '../../../model/index.js'
import { TRAP, trapName } from '../../../vm/index.js'
import type * as views from '../schema/history.js'
import type { TransactionQuery } from '../schema/history.js'
import { activityAt, activityRange, type Facet } from './activity.js'

/** Blocks, and transactions of them, that one page looks at: a filter that is rare goes on at its cursor. */
const SCAN_MAX_BLOCKS = 1_000
const SCAN_MAX_TRANSACTIONS = 20_000

/** A transaction in its block, opened. */
export interface Placed {
  readonly height: number
  readonly index: number
  readonly block: CommittedBlock
  readonly entry: BlockEntry
  readonly result: BlockOutcome['results'][number]
}

/** Opens the transactions of one block: none where this node does not hold it. */
export async function openBlock(ctx: QueryContext, height: number): Promise<(index: number) => Placed | undefined> {
  const [block, outcome] = [await ctx.block(height), await ctx.outcome(height)]
  const body = block === undefined ? undefined : blockBody.decode(block.body, ctx.codec)
  return (index) => {
    const entry = body?.ok === true ? body.value.entries[index] : undefined
    const result = outcome?.results[index]
    if (block === undefined || entry === undefined || result === undefined) return undefined
    return { height, index, block, entry, result }
  }
}

function itemOf(ctx: QueryContext, { height, index, block, entry, result }: Placed): views.TransactionItem {
  const { authority, executable } = entry.transaction.value.payload.value
  const { outcome } = result
  return {
    hash: result.transactionId,
    height,
    index,
    timeMs: block.header.timeMs,
    authority,
    lane: entry.lane,
    dataspace: entry.dataspace,
    instructionCount: executable.value.length,
    teu: result.teu,
    outcome,
    rejection: errorOf(ctx, outcome),
    trap: outcome.kind === 'called' && outcome.value.trap !== TRAP.ok ? trapName(outcome.value.trap) : undefined,
  }
}

/** The list that leaves least to look at, by what a query asks for. */
function facetOf({ authority, definition, kind, outcome }: views.HistoryQuery): Facet {
  if (authority !== undefined) return { kind: 'authority', account: authority }
  if (definition !== undefined) return { kind: 'definition', name: definition }
  if (outcome === 'rejected') return { kind: 'rejected' }
  return kind === undefined ? { kind: 'all' } : { kind: 'kind', name: kind }
}

/** A place as cursors write it: height, transaction and, in lists of instructions, position. */
const placeText = (...numbers: readonly number[]): string => numbers.join('.')

/** True when a place lies before another in the chain; one that is cut short stands for all that it begins. */
function isBefore(place: readonly number[], other: readonly number[]): boolean {
  for (const [at, number] of other.entries()) if (place[at] !== number) return (place[at] ?? 0) < number
  return false
}

/** Transactions that a query may mean, newest first, from where its cursor stands; ends at the bounds of one page. */
async function* candidates(
  ctx: QueryContext,
  query: views.HistoryQuery,
  start: readonly number[] | undefined,
): AsyncGenerator<Placed | { readonly stopped: string }> {
  const block = query.block === undefined ? undefined : Math.min(query.block, HEIGHT_MAX)
  if (block !== undefined) assertHeld(ctx, block)
  const to = Math.min(block ?? HEIGHT_MAX, start?.[0] ?? HEIGHT_MAX)
  const range = activityRange(facetOf(query), block ?? FIRST_VOTED_HEIGHT, to)
  let blocks = 0
  let looked = 0
  for await (const [key, value] of ctx.indexRange({ ...range, reverse: true, limit: SCAN_MAX_BLOCKS + 1 })) {
    const { height, indexes } = activityAt(key, value)
    blocks += 1
    if (blocks > SCAN_MAX_BLOCKS || looked > SCAN_MAX_TRANSACTIONS) {
      yield { stopped: placeText(height + 1, 0, 0) }
      return
    }
    looked += indexes.length
    const open = await openBlock(ctx, height)
    for (const index of indexes.reverse()) {
      const placed = open(index)
      if (placed !== undefined) yield placed
    }
  }
}

function fits(query: views.HistoryQuery, { entry, result }: Placed): boolean {
  const { authority, executable } = entry.transaction.value.payload.value
  if (query.authority !== undefined && query.authority !== authority) return false
  if (query.outcome !== undefined && query.outcome !== result.outcome.kind) return false
  return query.kind === undefined || executable.value.some((one) => one.kind === query.kind)
}

/** Transactions of a block that moved a definition, by the index. */
async function movedBy(ctx: QueryContext, definition: string, height: number): Promise<ReadonlySet<number>> {
  const range = activityRange({ kind: 'definition', name: definition }, height, height)
  for await (const [key, value] of ctx.indexRange({ ...range, limit: 1 }))
    return new Set(activityAt(key, value).indexes)
  return new Set()
}

/** True when instructions of the kind exist, and the account and the definition of a query do, or did: then blocks tell of them. */
async function isKnown(ctx: QueryContext, { authority, kind, definition }: views.HistoryQuery): Promise<boolean> {
  const wasActive = async (facet: Facet): Promise<boolean> => {
    for await (const _ of ctx.indexRange({ ...activityRange(facet, FIRST_VOTED_HEIGHT, HEIGHT_MAX), limit: 1 }))
      return true
    return false
  }
  if (kind !== undefined && ctx.codec.registries?.[INSTRUCTION_REGISTRY]?.byKind(kind) === undefined) return false
  if (authority !== undefined && !ctx.reader.has(accounts, authority)) {
    if (!(await wasActive({ kind: 'authority', account: authority }))) return false
  }
  if (definition === undefined || ctx.reader.has(definitions, definition)) return true
  return wasActive({ kind: 'definition', name: definition })
}

/** One page of what `itemsOf` makes of the transactions that a query asks for, each with its place. */
export async function pageOfHistory<T>(
  ctx: QueryContext,
  query: views.HistoryQuery,
  itemsOf: (placed: Placed) => readonly (readonly [place: readonly number[], item: T])[],
): Promise<Page<T> | undefined> {
  if (!(await isKnown(ctx, query))) return undefined
  const limit = limitOf(query.limit)
  const start = query.after === undefined ? undefined : numbersOfCursor(query.after)
  const items: T[] = []
  const end = (nextCursor: string | undefined): Page<T> => ({ items, nextCursor, height: ctx.height })
  let last: readonly number[] = []
  let moved: { readonly height: number; readonly indexes: ReadonlySet<number> } | undefined
  for await (const placed of candidates(ctx, query, start)) {
    if ('stopped' in placed) return end(placed.stopped)
    if (!fits(query, placed)) continue
    const { height, index } = placed
    if (query.definition !== undefined && query.authority !== undefined) {
      if (moved?.height !== height) moved = { height, indexes: await movedBy(ctx, query.definition, height) }
      if (!moved.indexes.has(index)) continue
    }
    for (const [place, item] of itemsOf(placed)) {
      if (start !== undefined && !isBefore(place, start)) continue
      if (items.length === limit) return end(placeText(...last))
      items.push(item)
      last = place
    }
  }
  return end(undefined)
}

export const transactionsQuery: QueryRun<views.HistoryQuery, Page<views.TransactionItem>> = (ctx, query) =>
  pageOfHistory(ctx, query, (placed) => [[[placed.height, placed.index], itemOf(ctx, placed)]] as const)

function instructionOf(placed: Placed, position: number): views.InstructionItem | undefined {
  const { height, index, block, entry, result } = placed
  const { authority, executable } = entry.transaction.value.payload.value
  const instruction = executable.value[position]
  if (instruction === undefined) return undefined
  const outcome = rejectionOf(result.outcome) === undefined ? 'approved' : 'rejected'
  const { timeMs } = block.header
  return { transactionHash: result.transactionId, height, index, position, timeMs, authority, outcome, instruction }
}

export const instructionsQuery: QueryRun<views.HistoryQuery, Page<views.InstructionItem>> = (ctx, query) =>
  pageOfHistory(ctx, query, (placed) => {
    const count = placed.entry.transaction.value.payload.value.executable.value.length
    return Array.from({ length: count }, (_, at) => count - 1 - at).flatMap((position) => {
      const item = instructionOf(placed, position)
      if (item === undefined || (query.kind !== undefined && item.instruction.kind !== query.kind)) return []
      return [[[placed.height, placed.index, position], item] as const]
    })
  })

/** A committed transaction by its id. */
export async function findTransaction(ctx: QueryContext, hash: Uint8Array): Promise<Placed | undefined> {
  const place = ctx.indexGet(transactionKey(hash))
  if (place === undefined) return unknownTransaction(ctx)
  return (await openBlock(ctx, place.readUIntBE(0, 6)))(place.readUInt32BE(6))
}

export const transactionDetailQuery: QueryRun<TransactionQuery, views.TransactionDetail> = async (ctx, { hash }) => {
  const placed = await findTransaction(ctx, hash)
  if (placed === undefined) return undefined
  const { payload, signatures } = placed.entry.transaction.value
  const { createdAtMs, ttlMs, nonce, metadata, executable } = payload.value
  return {
    ...itemOf(ctx, placed),
    blockHash: hashOfHeader(placed.block.header),
    createdAtMs,
    ttlMs,
    nonce,
    metadata,
    instructions: executable.value,
    signatures,
  }
}

export const instructionQuery: QueryRun<views.InstructionPlaceQuery, views.InstructionItem> = async (
  ctx,
  { hash, position },
) => {
  const placed = await findTransaction(ctx, hash)
  return placed === undefined ? undefined : instructionOf(placed, position)
}

async function blockAt(ctx: QueryContext, height: number): Promise<views.BlockView | undefined> {
  const header = await ctx.header(height)
  if (header === undefined) return undefined
  const certified = height === GENESIS_HEIGHT ? undefined : await ctx.certified(height)
  const results = header.transactionCount === 0 ? [] : (await ctx.outcome(height))?.results
  return {
    height,
    hash: hashOfHeader(header),
    parentHash: header.parentHash,
    timeMs: header.timeMs,
    proposer: header.originProposer,
    view: certified?.certificate.view,
    transactions: header.transactionCount,
    rejected: results?.slice(0, header.transactionCount).filter(({ outcome }) => rejectionOf(outcome) !== undefined)
      .length,
    payloadBytes: header.payloadBytes,
    stateRoot: header.stateRoot,
  }
}

export const blocksQuery: QueryRun<PageQuery, Page<views.BlockView>> = (ctx, query) =>
  pageOfHeights(ctx, query, { newest: ctx.height, oldest: GENESIS_HEIGHT, most: PAGE_LIMIT_MAX }, (height) =>
    blockAt(ctx, height),
  )

export const blockQuery: QueryRun<views.BlockQuery, views.BlockView> = async (ctx, { height, hash }) => {
  const found = hash === undefined ? height : ctx.heightOf(hash)
  return found === undefined ? undefined : blockAt(ctx, found)
}
