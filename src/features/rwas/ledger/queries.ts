/** Owns the queries of real-world assets. Times are relative to the last block. */
import { accountOfCursor } from '../../../api/cursors.js'
import type { Page } from '../../../api/paging.js'
import type { ByIdQuery, PageQuery } from '../../../api/query-inputs.js'
import { type Numeric, normalizeNumeric } from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { earnedBy, INCOME_PARTS, quotient } from '../../../ledger/lot-income.js'
import { type RwaHolder, rwaClasses, rwaHolders, rwaLots } from '../../../ledger/lot-tables.js'
import { type FoundClass, findClass, heldAt, holdsAt } from '../../../ledger/lots.js'
import { balanceOf, ZERO } from '../../../ledger/money.js'
import { FIRST_ACCOUNT, nowOf, prefixOf } from '../../../ledger/query.js'
import { fittingAnswer, limitOf, pageOfTable, SCAN_MAX, scanRowsFor } from '../../../ledger/table-page.js'
import { definitions } from '../../../ledger/tables.js'
import {
  type AccountId,
  formatAddress,
  formatLot,
  type Lot,
  type LotKey,
  lotPapers,
  parseLot,
  sameIncarnation,
  subtract,
} from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import * as views from '../schema/views.js'
import { incomeVault } from './income.js'
import { changesBefore, type LotList, lotsOf } from './indexes.js'

/** Size of the attributes and the lists of a lot, in bytes. */
const bytesOf = ({ attributes, parents, holds }: views.LotItem): number =>
  (attributes === undefined ? 0 : lotPapers.attributes.encode(attributes).length) +
  LOT_PART_BYTES * (1 + parents.length + holds.length)
/** Bytes of the fields of a lot, of a parent or of a hold. */
const LOT_PART_BYTES = 512

/** Whole units of income as an amount of the cash of a class. */
function wholeUnits(state: StateReader, { rwaClass }: Pick<FoundClass, 'rwaClass'>, parts: bigint): Numeric {
  const cash = rwaClass.income?.cash
  const scale = (cash === undefined ? undefined : state.get(definitions, cash)?.scale) ?? 0
  return normalizeNumeric({ mantissa: quotient(parts, INCOME_PARTS), scale }) ?? ZERO
}

function classViewOf(state: StateReader, id: string): views.ClassView | undefined {
  const found = findClass(state, id)
  if ('code' in found) return undefined
  const { definition, scale, rwaClass } = found
  const { nextLot, income, holders, flags, paused, ...terms } = rwaClass
  const vault = incomeVault(id)
  return {
    id,
    ownedBy: definition.owner,
    scale,
    ...terms,
    flags,
    paused,
    totalQuantity: definition.total,
    holders,
    lots: nextLot - 1,
    income: income && {
      cash: income.cash,
      vault,
      unclaimed: balanceOf(state, { definition: income.cash, account: vault }),
    },
  }
}

export const classQuery: QueryRun<ByIdQuery, views.ClassView> = async ({ reader }, { id }) => classViewOf(reader, id)

export const classesQuery: QueryRun<PageQuery, Page<views.ClassView>> = (ctx, query) =>
  pageOfTable(ctx, rwaClasses, query, (id) => {
    const view = classViewOf(ctx.reader, id)
    if (view === undefined) throw new Error(`class ${id} has no definition`)
    return view
  })

const parentsOf = ({ definition }: LotKey, { value: { parents } }: Lot) =>
  parents.map(({ number, quantity }) => ({ lot: formatLot({ definition, number }), quantity }))

const GONE = {
  holder: undefined,
  beneficiary: undefined,
  quantity: undefined,
  free: undefined,
  frozen: undefined,
  grade: undefined,
  documentHash: undefined,
  expiresMs: undefined,
  attributes: undefined,
  earned: undefined,
}

function lotViewOf(state: StateReader, key: LotKey, row: Lot, nowMs: number): views.LotItem {
  const { definition, number } = key
  const named = {
    id: formatLot(key),
    class: definition,
    number,
    status: row.kind,
    reference: row.value.reference,
    parents: parentsOf(key, row),
  }
  if (row.kind === 'spent') {
    return { ...named, ...GONE, spentHeight: row.value.height, cause: row.value.cause, holds: [] }
  }
  const found = findClass(state, definition)
  if ('code' in found) throw new Error(`lot ${formatLot(key)} has no class`)
  const { nextHold: _next, incomeIndex: _index, parents: _parents, ...shown } = row.value
  return {
    ...shown,
    ...named,
    spentHeight: undefined,
    cause: undefined,
    holds: holdsAt(row.value, nowMs),
    free: subtract(row.value.quantity, heldAt(row.value, nowMs)),
    earned: wholeUnits(state, found, earnedBy(row.value, found.rwaClass, found.scale)),
  }
}

export const lotQuery: QueryRun<views.LotQuery, views.LotView> = async (ctx, { class: definition, number }) => {
  const key = { definition, number }
  const row = ctx.reader.get(rwaLots, key)
  return row && { ...lotViewOf(ctx.reader, key, row, await nowOf(ctx)), height: ctx.height }
}

/** Narrowest index that the filter of a list allows. */
function listOf({ holder, reference }: views.LotsQuery): LotList {
  if (holder !== undefined) return { kind: 'account', account: holder }
  return reference === undefined ? { kind: 'class' } : { kind: 'reference', reference }
}

export const lotsQuery: QueryRun<views.LotsQuery, Page<views.LotItem>> = async (ctx, query) => {
  const { class: definition, reference, frozen } = query
  const list = listOf(query)
  const limit = limitOf(query.limit)
  const nowMs = await nowOf(ctx)
  const { items, after } = await scanRowsFor<LotKey, LotKey, views.LotItem>(
    { limit, after: query.after === undefined ? undefined : parseLot(query.after) },
    (place, count) => lotsOf(ctx, list, { definition, after: place, limit: count }),
    (key) => key,
    (key) => {
      const row = ctx.reader.get(rwaLots, key)
      if (row?.kind !== 'live') throw new Error('the index names a lot that is not live')
      const isWanted =
        (reference === undefined || row.value.reference === reference) &&
        (frozen === undefined || row.value.frozen === frozen)
      return isWanted ? lotViewOf(ctx.reader, key, row, nowMs) : undefined
    },
  )
  const shown = fittingAnswer(items, bytesOf)
  const next = shown.length < items.length ? shown.at(-1)?.id : after && formatLot(after)
  return { items: shown, nextCursor: next, height: ctx.height }
}

/** True if an account is eligible at a time. */
function isEligible(state: StateReader, found: FoundClass, account: AccountId, row: RwaHolder, nowMs: number): boolean {
  const { eligible } = row
  if (!found.rwaClass.flags.eligibleOnly) return true
  return (
    eligible !== undefined &&
    nowMs < eligible.untilMs &&
    sameIncarnation(eligible.class, found.definition.incarnation) &&
    sameIncarnation(eligible.account, state.get(accounts, account)?.incarnation)
  )
}

export const holdersQuery: QueryRun<views.HoldersQuery, Page<views.HolderView>> = async (ctx, query) => {
  const { reader } = ctx
  const found = findClass(reader, query.id)
  if ('code' in found) return undefined
  const start = (query.after === undefined ? undefined : accountOfCursor(query.after)) ?? FIRST_ACCOUNT
  const limit = limitOf(query.limit)
  const rows = await ctx.rows(rwaHolders, { after: { definition: query.id, account: start }, limit: limit + 1 })
  const own = rows.filter(({ key }) => key.definition === query.id)
  const shown = own.slice(0, limit)
  const last = shown.at(-1)?.key
  const nowMs = await nowOf(ctx)
  return {
    items: shown.map(({ key: { account }, value }) => ({
      account,
      lots: value.lots,
      eligibleUntilMs: value.eligible?.untilMs,
      eligible: isEligible(reader, found, account, value, nowMs),
      owed: wholeUnits(reader, found, value.owed.mantissa),
    })),
    nextCursor: own.length > limit && last !== undefined ? formatAddress(last.account, prefixOf(ctx)) : undefined,
    height: ctx.height,
  }
}

/** First index in an ascending list whose number is not below the given one. */
function placeOf(ascending: readonly number[], number: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Ancestors of a lot in descending order, since the number of a lot is above the numbers of its parents. At most
 * `SCAN_MAX` are read.
 */
function* ancestorsOf(state: StateReader, { definition, number }: LotKey): Generator<readonly [LotKey, Lot]> {
  // Ascending; limited to the largest numbers, since at most that many are still read.
  const waiting: number[] = []
  let left = SCAN_MAX
  const expect = (row: Lot | undefined): void => {
    for (const parent of row?.value.parents ?? []) {
      const at = placeOf(waiting, parent.number)
      if (waiting[at] === parent.number) continue
      waiting.splice(at, 0, parent.number)
      if (waiting.length > left) waiting.shift()
    }
  }
  expect(state.get(rwaLots, { definition, number }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    left -= 1
    const key = { definition, number: next }
    const row = state.get(rwaLots, key)
    if (row === undefined) throw new Error(`lot ${formatLot(key)} is missing`)
    expect(row)
    yield [key, row]
  }
}

export const ancestorsQuery: QueryRun<views.AncestorsQuery, Page<views.AncestorView>> = async (ctx, query) => {
  const { reader } = ctx
  const lot = { definition: query.class, number: query.number }
  if (!reader.has(rwaLots, lot)) return undefined
  const below = query.after === undefined ? Number.POSITIVE_INFINITY : parseLot(query.after).number
  const limit = limitOf(query.limit, views.ANCESTORS_MAX)
  const found: views.AncestorView[] = []
  for (const [key, row] of ancestorsOf(reader, lot)) {
    if (key.number >= below) continue
    const end = row.kind === 'spent' ? row.value : undefined
    found.push({
      lot: formatLot(key),
      status: row.kind,
      reference: row.value.reference,
      parents: parentsOf(key, row),
      cause: end?.cause,
      spentHeight: end?.height,
    })
    if (found.length > limit) break
  }
  const items = fittingAnswer(found.slice(0, limit), ({ parents }) => 256 * (parents.length + 1))
  return { items, nextCursor: found.length > items.length ? items.at(-1)?.lot : undefined, height: ctx.height }
}

/** Change at a place; undefined for a block that this node no longer stores. */
async function changeAt(
  ctx: QueryContext,
  { height, index }: { readonly height: number; readonly index: number },
): Promise<views.ChangeView | undefined> {
  const outcome = await ctx.outcome(height)
  const recorded = outcome?.events[index]
  const transaction = recorded && outcome?.results[recorded.entry]?.transactionId
  if (recorded === undefined || transaction === undefined) return undefined
  return { height, timeMs: (await ctx.header(height))?.timeMs ?? 0, transaction, event: recorded.event }
}

export const changesQuery: QueryRun<views.ChangesQuery, Page<views.ChangeView>> = async (ctx, query) => {
  const lot = { definition: query.class, number: query.number }
  if (!ctx.reader.has(rwaLots, lot)) return undefined
  const before = query.after === undefined ? undefined : views.changeOfCursor(query.after)
  const limit = limitOf(query.limit)
  const places = await changesBefore(ctx, lot, { before, limit: limit + 1 })
  const shown = places.slice(0, limit)
  const items = await Promise.all(shown.map((place) => changeAt(ctx, place)))
  const last = shown.at(-1)
  return {
    items: items.filter((one) => one !== undefined),
    nextCursor: places.length > limit && last !== undefined ? `${last.height}.${last.index}` : undefined,
    height: ctx.height,
  }
}
