/** Owns history queries: transactions and instructions by the activity index, newest first, and blocks. */

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
  type AccountId,
  type CommittedBlock,
  type EntryResult,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  HEIGHT_MAX,
  hashOfHeader,
  INSTRUCTION_REGISTRY,
  openEnvelope,
  outcomeNameOf,
  rejectionOf,
  type SignedTransaction,
  signedTransaction,
  unreadBody,
} from '../../../model/index.js'
import { TRAP, trapName } from '../../../vm/index.js'
import type * as views from '../schema/history.js'
import type { TransactionQuery } from '../schema/history.js'
import { activityAt, activityRange, type Facet } from './activity.js'

/** Maximum blocks and transactions read for one page: a rare filter continues at its cursor. */
const SCAN_MAX_BLOCKS = 1_000
const SCAN_MAX_TRANSACTIONS = 20_000
/**
 * Maximum bytes of records decoded for one page, not counting the first record. Decoding a mebibyte blocks the ledger
 * thread for at least 30 ms, and a block has nearly two.
 */
const SCAN_MAX_RECORD_BYTES = 512 * 1024
/** Maximum bytes of bodies read for one page, not counting the last body; a mebibyte takes a millisecond. */
const SCAN_MAX_BODY_BYTES = 16 * 1024 * 1024

/** Transaction in its block, with the fields known from the block, its results and the head of its record. */
export interface Found {
  readonly height: number
  readonly index: number
  readonly block: CommittedBlock
  readonly lane: number
  readonly dataspace: bigint
  readonly record: Uint8Array
  readonly authority: AccountId
  readonly result: EntryResult
}

/** Transaction with a decoded record. */
export interface Placed extends Found {
  readonly signed: SignedTransaction
}

/** Find the transactions of one block without decoding them; empty if this node does not store it. */
export async function openBlock(ctx: QueryContext, height: number): Promise<(index: number) => Found | undefined> {
  const [block, results] = [await ctx.block(height), await ctx.results(height)]
  const body = block === undefined ? undefined : unreadBody.decode(block.body, ctx.codec)
  return (index) => {
    const entry = body?.ok === true ? body.value.entries[index] : undefined
    const result = results?.[index]
    const head = entry && openEnvelope(entry.record)
    if (block === undefined || entry === undefined || result === undefined || head?.ok !== true) return undefined
    return { height, index, block, ...entry, authority: head.value.payload.value.authority, result }
  }
}

/** Decode the record of a transaction; undefined if the active ABI lacks one of its instructions. */
export function openFound({ codec }: QueryContext, found: Found): Placed | undefined {
  const decoded = signedTransaction.decode(found.record, codec)
  return decoded.ok ? { ...found, signed: decoded.value } : undefined
}

function itemOf(ctx: QueryContext, placed: Placed): views.TransactionItem {
  const { height, index, block, lane, dataspace, authority, result, signed } = placed
  const { outcome } = result
  return {
    hash: result.transactionId,
    height,
    index,
    timeMs: block.header.timeMs,
    authority,
    lane,
    dataspace,
    instructionCount: signed.payload.value.executable.value.length,
    teu: result.teu,
    outcome,
    rejection: errorOf(ctx, outcome),
    trap: outcome.kind === 'called' && outcome.value.trap !== TRAP.ok ? trapName(outcome.value.trap) : undefined,
  }
}

/** Blocks of several lists, newest first, each with the transactions in any of the lists. */
async function* activityOf(ctx: QueryContext, facets: readonly Facet[], from: number, to: number) {
  const limit = SCAN_MAX_BLOCKS + 1
  const lists = facets.map((facet) =>
    ctx.indexRange({ ...activityRange(facet, from, to), reverse: true, limit })[Symbol.asyncIterator](),
  )
  const read = async (list: (typeof lists)[number]) => {
    const next = await list.next()
    return next.done === true ? undefined : activityAt(...next.value)
  }
  try {
    const heads = await Promise.all(lists.map(read))
    for (;;) {
      const height = Math.max(...heads.map((head) => head?.height ?? 0))
      if (height === 0) return
      const found = heads.map((head) => (head?.height === height ? head.indexes : []))
      yield { height, indexes: [...new Set(found.flat())].sort((a, b) => a - b) }
      for (const [at, list] of lists.entries()) if (heads[at]?.height === height) heads[at] = await read(list)
    }
  } finally {
    for (const list of lists) await list.return?.()
  }
}

/** List of a query that has the fewest transactions to read. */
function facetOf({ authority, definition, kind, outcome }: views.HistoryQuery): Facet {
  if (authority !== undefined) return { kind: 'authority', account: authority }
  if (definition !== undefined) return { kind: 'definition', name: definition }
  if (outcome === 'rejected') return { kind: 'rejected' }
  return kind === undefined ? { kind: 'all' } : { kind: 'kind', name: kind }
}

/** Position in cursor form: height, transaction and, for instructions, index. */
const placeText = (...numbers: readonly number[]): string => numbers.join('.')

/**
 * True if a position precedes another position of the chain; a truncated position includes all positions that begin
 * with it.
 */
function isBefore(place: readonly number[], other: readonly number[]): boolean {
  for (const [at, number] of other.entries()) if (place[at] !== number) return (place[at] ?? 0) < number
  return false
}

/** Candidate transactions of a query, newest first, from its cursor; ends at the bounds of one page. */
async function* candidates(
  ctx: QueryContext,
  query: views.HistoryQuery,
  start: readonly number[] | undefined,
  lists: readonly Facet[],
): AsyncGenerator<Placed | { readonly stopped: string }> {
  const block = query.block === undefined ? undefined : Math.min(query.block, HEIGHT_MAX)
  if (block !== undefined) assertHeld(ctx, block)
  const to = Math.min(block ?? HEIGHT_MAX, start?.[0] ?? HEIGHT_MAX)
  const facets = lists.length === 0 ? [facetOf(query)] : lists
  const seen = { blocks: 0, transactions: 0, records: 0, bodies: 0 }
  for await (const { height, indexes } of activityOf(ctx, facets, block ?? FIRST_VOTED_HEIGHT, to)) {
    seen.blocks += 1
    if (
      seen.blocks > SCAN_MAX_BLOCKS ||
      seen.transactions > SCAN_MAX_TRANSACTIONS ||
      seen.bodies > SCAN_MAX_BODY_BYTES
    ) {
      yield { stopped: placeText(height + 1, 0, 0) }
      return
    }
    const open = await openBlock(ctx, height)
    let bodyBytes = 0
    for (const index of indexes.reverse()) {
      // An earlier page has read the whole block: decoding it again would use up the budget of the next.
      if (start !== undefined && !isBefore([height, index, 0], start)) continue
      const found = open(index)
      if (found === undefined) continue
      bodyBytes = found.block.body.length
      seen.transactions += 1
      if (!mayFit(query, found)) continue
      const { length } = found.record
      if (seen.records > 0 && seen.records + length > SCAN_MAX_RECORD_BYTES) {
        yield { stopped: placeText(height, index + 1, 0) }
        return
      }
      seen.records += length
      const placed = openFound(ctx, found)
      if (placed !== undefined && hasKind(query, placed)) yield placed
    }
    seen.bodies += bodyBytes
  }
}

/** True if a transaction may match, by the fields known before it is decoded. */
const mayFit = ({ authority, outcome }: views.HistoryQuery, found: Found): boolean =>
  (authority === undefined || authority === found.authority) &&
  (outcome === undefined || outcome === outcomeNameOf(found.result.outcome))

const hasKind = ({ kind }: views.HistoryQuery, { signed }: Placed): boolean =>
  kind === undefined || signed.payload.value.executable.value.some((one) => one.kind === kind)

/** Transactions of a block in a list. */
function namedBy(ctx: QueryContext, facet: Facet, height: number): readonly number[] {
  const { gte: key } = activityRange(facet, height, height)
  const value = ctx.indexGet(key)
  return value === undefined ? [] : activityAt(key, value).indexes
}

/** True if a list contains a transaction. */
export const hasActivity = (ctx: QueryContext, facet: Facet, height: number, index: number): boolean =>
  namedBy(ctx, facet, height).includes(index)

/**
 * True if instructions of the kind exist, and the account and the definition of a query exist or existed, so that
 * blocks may contain matches.
 */
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

/** Items of a transaction with their positions. */
type PlacedItems<T> = readonly (readonly [place: readonly number[], item: T])[]

/**
 * Page of the items that `itemsOf` derives from the transactions of a query.
 * @param lists a transaction must be in one of them, if the query names no list
 */
export async function pageOfHistory<T>(
  ctx: QueryContext,
  query: views.HistoryQuery,
  itemsOf: (placed: Placed) => PlacedItems<T> | Promise<PlacedItems<T>>,
  lists: readonly Facet[] = [],
): Promise<Page<T> | undefined> {
  if (!(await isKnown(ctx, query))) return undefined
  const limit = limitOf(query.limit)
  const start = query.after === undefined ? undefined : numbersOfCursor(query.after)
  const items: T[] = []
  const end = (nextCursor: string | undefined): Page<T> => ({ items, nextCursor, height: ctx.height })
  let last: readonly number[] = []
  let moved: { readonly height: number; readonly indexes: ReadonlySet<number> } | undefined
  for await (const placed of candidates(ctx, query, start, lists)) {
    if ('stopped' in placed) return end(placed.stopped)
    const { height, index } = placed
    if (query.definition !== undefined && query.authority !== undefined) {
      const facet: Facet = { kind: 'definition', name: query.definition }
      if (moved?.height !== height) moved = { height, indexes: new Set(namedBy(ctx, facet, height)) }
      if (!moved.indexes.has(index)) continue
    }
    for (const [place, item] of await itemsOf(placed)) {
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
  const { height, index, block, authority, result, signed } = placed
  const instruction = signed.payload.value.executable.value[position]
  if (instruction === undefined) return undefined
  const outcome = outcomeNameOf(result.outcome)
  const { timeMs } = block.header
  return { transactionHash: result.transactionId, height, index, position, timeMs, authority, outcome, instruction }
}

export const instructionsQuery: QueryRun<views.HistoryQuery, Page<views.InstructionItem>> = (ctx, query) =>
  pageOfHistory(ctx, query, (placed) => {
    const count = placed.signed.payload.value.executable.value.length
    return Array.from({ length: count }, (_, at) => count - 1 - at).flatMap((position) => {
      const item = instructionOf(placed, position)
      if (item === undefined || (query.kind !== undefined && item.instruction.kind !== query.kind)) return []
      return [[[placed.height, placed.index, position], item] as const]
    })
  })

/** Committed transaction by id. */
export async function findTransaction(ctx: QueryContext, hash: Uint8Array): Promise<Placed | undefined> {
  const place = ctx.indexGet(transactionKey(hash))
  if (place === undefined) return unknownTransaction(ctx)
  const found = (await openBlock(ctx, place.readUIntBE(0, 6)))(place.readUInt32BE(6))
  return found && openFound(ctx, found)
}

export const transactionDetailQuery: QueryRun<TransactionQuery, views.TransactionDetail> = async (ctx, { hash }) => {
  const placed = await findTransaction(ctx, hash)
  if (placed === undefined) return undefined
  const { payload, signatures } = placed.signed
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
  const results = header.transactionCount === 0 ? [] : await ctx.results(height)
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
