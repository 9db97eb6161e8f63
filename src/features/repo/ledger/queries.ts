/** Owns the queries of repos. */
import type { Page } from '../../../api/paging.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { businessDate, dayOf, shift, startOfDayMs } from '../../../ledger/business-days.js'
import { nowOf } from '../../../ledger/query.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf, scanTable } from '../../../ledger/table-page.js'
import { dateOfDay } from '../../../model/index.js'
import type { RepoRow } from '../schema/records.js'
import * as views from '../schema/views.js'
import { agreementsOf, changesOf } from './indexes.js'
import { vaultOfRepo } from './items.js'
import { agreements, calendars, prices } from './tables.js'
import {
  amountOf,
  coverOf,
  daysSince,
  freshPrices,
  haircutOf,
  isCallable,
  isOfPoster,
  maturityMsOf,
  owedAt,
  priceOf,
  worthOf,
} from './valuation.js'

const HAS_VAULT: ReadonlySet<string> = new Set(['open', 'late', 'defaulted'])

function viewOf(id: Uint8Array, row: RepoRow, nowMs: number): views.AgreementItem {
  const { reference, seller, buyer, custodian, proposer, termsHash } = row.value
  const shared = { id, reference, seller, buyer, custodian, proposer, termsHash }
  if (row.kind === 'closed') {
    const { cause, atMs, cash, paid, shortfall } = row.value
    return { ...shared, status: 'closed', live: undefined, closed: { cause, atMs, cash, paid, shortfall } }
  }
  const repo = row.value
  const { status, terms, consents, proposedMs, items, cashMargin, call, failure, defaulted, early } = repo
  const live = {
    terms,
    consents,
    proposedMs,
    items,
    cashMargin,
    call,
    failure,
    defaulted,
    opensMs: repo.accruedFromMs,
    maturityMs: maturityMsOf(repo),
    vault: HAS_VAULT.has(status) ? vaultOfRepo(id) : undefined,
    early: early?.day === daysSince(repo, nowMs) ? early.by : undefined,
  }
  return { ...shared, status, live, closed: undefined }
}

export const repoQuery: QueryRun<views.RepoQuery, views.AgreementView> = async (ctx, { id }) => {
  const row = ctx.reader.get(agreements, id)
  return row && { ...viewOf(id, row, await nowOf(ctx)), height: ctx.height }
}

interface FoundRow {
  readonly key: Uint8Array
  readonly value: RepoRow
  readonly bytes: number
}

/** At most `limit` rows after a position, of one party or of all. */
async function rowsAfter(
  ctx: QueryContext,
  { party }: views.AgreementsQuery,
  after: Uint8Array | undefined,
  limit: number,
): Promise<readonly FoundRow[]> {
  if (party === undefined) return ctx.rows(agreements, { after, limit, maxBytes: ANSWER_BYTES_MAX })
  const ids = await agreementsOf(ctx, party, { after, limit })
  return ids.map((key) => {
    const value = ctx.reader.get(agreements, key)
    if (value === undefined) throw new Error('the index names an agreement that is not on the ledger')
    return { key, value, bytes: agreements.value.encode(value, ctx.codec).length }
  })
}

export const reposQuery: QueryRun<views.AgreementsQuery, Page<views.AgreementItem>> = async (ctx, query) => {
  const { status, reference } = query
  const limit = limitOf(query.limit)
  const rows = await rowsAfter(
    ctx,
    query,
    query.after === undefined ? undefined : views.idOfPlace(query.after),
    limit + 1,
  )
  // A filtered page reads as many agreements as an unfiltered one; its cursor continues after them.
  const shown = fittingAnswer(rows.slice(0, limit), ({ bytes }) => bytes)
  const last = shown.at(-1)?.key
  const nowMs = await nowOf(ctx)
  return {
    items: shown
      .map(({ key, value }) => viewOf(key, value, nowMs))
      .filter((one) => status === undefined || one.status === status)
      .filter((one) => reference === undefined || one.reference === reference),
    nextCursor: rows.length > shown.length && last !== undefined ? Buffer.from(last).toString('hex') : undefined,
    height: ctx.height,
  }
}

export const exposureQuery: QueryRun<views.RepoQuery, views.ExposureView> = async (ctx, { id }) => {
  const row = ctx.reader.get(agreements, id)
  if (row === undefined || row.kind === 'closed') return undefined
  const repo = row.value
  const { terms, digits, items } = repo
  const atMs = await nowOf(ctx)
  const owed = owedAt(repo, atMs)
  const cover = coverOf(ctx.reader, repo, atMs)
  const exposure = typeof cover === 'bigint' ? owed - cover : undefined
  return {
    id,
    atMs,
    days: daysSince(repo, atMs),
    owed: amountOf(owed, digits),
    cover: typeof cover === 'bigint' ? amountOf(cover, digits) : undefined,
    exposure: exposure === undefined ? undefined : amountOf(exposure, digits),
    callable: repo.status === 'open' && exposure !== undefined && isCallable(repo, exposure),
    definitions: items.map(({ definition, amount }) => {
      const median = priceOf(ctx.reader, terms, definition, atMs)
      const price = 'code' in median ? undefined : median
      const haircutPpm = haircutOf(terms, definition)
      return {
        definition,
        amount,
        haircutPpm,
        price,
        value: price && amountOf(worthOf(amount, price, haircutPpm, digits), digits),
        prices: freshPrices(ctx.reader, terms, definition, atMs).map((one) => ({ ...one, ageMs: atMs - one.atMs })),
      }
    }),
    height: ctx.height,
  }
}

export const historyQuery: QueryRun<views.ChangesQuery, Page<views.RepoChangeView>> = async (ctx, query) => {
  const { id } = query
  if (!ctx.reader.has(agreements, id)) return undefined
  const limit = limitOf(query.limit)
  const before = query.after === undefined ? undefined : views.changeOfPlace(query.after)
  const found = await changesOf(ctx, id, { before, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(({ height, atMs, event }) => ({ height, atMs, event })),
    nextCursor: found.length > limit && last !== undefined ? `${last.height}.${last.index}` : undefined,
    height: ctx.height,
  }
}

export const pricesQuery: QueryRun<views.PricesQuery, Page<views.PriceItem>> = async (ctx, query) => {
  const { poster, definition } = query
  const from = {
    limit: limitOf(query.limit),
    after: query.after === undefined ? undefined : views.priceOfPlace(query.after),
  }
  const { items, after } = await scanTable(ctx, prices, from, (key, row): views.PriceItem | undefined =>
    isOfPoster(ctx.reader, key.poster, row) &&
    (poster === undefined || key.poster === poster) &&
    (definition === undefined || key.definition === definition)
      ? { ...key, price: row.price, atMs: row.atMs }
      : undefined,
  )
  return { items, nextCursor: after && views.placeOfPrice(after), height: ctx.height }
}

export const calendarQuery: QueryRun<views.CalendarQuery, views.CalendarView> = async (ctx, { name }) => {
  const row = ctx.reader.get(calendars, name)
  if (row === undefined) return undefined
  const { owner, offsetMinutes, cutoffMinute, weekend, holidays } = row
  const nowMs = await nowOf(ctx)
  const today = businessDate(row, nowMs)
  return {
    calendar: name,
    owner,
    offsetMinutes,
    cutoffMinute,
    weekend,
    holidays: holidays.map(dateOfDay),
    businessDate: dateOfDay(today),
    nextBusinessDate: dateOfDay(shift(row, today, 1)),
    cutoffMs: startOfDayMs(row, dayOf(row, nowMs) + 1),
    height: ctx.height,
  }
}
