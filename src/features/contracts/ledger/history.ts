/** Owns the history of contracts: events, callers, and sums by hour and day, without reading blocks. */
import type { Page } from '../../../api/paging.js'
import type { Schema } from '../../../codec/index.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { limitOf } from '../../../ledger/table-page.js'
import type { AccountId } from '../../../model/index.js'
import { StateFault } from '../../../state/index.js'
import * as views from '../schema/views.js'
import { type ContractIndex, contractRange, type Place } from './indexes.js'

/** Maximum calls, and events, that rollups read. */
const ROLLUP_CALLS_MAX = 500

const placeText = ({ height, entry, position }: Place): string => `${height}:${entry}:${position}`
function placeOfText(text: string): Place {
  const [height = 0, entry = 0, position = 0] = text.split(':').map(Number)
  return { height, entry, position }
}

/** List of one contract. */
interface Listed<T> {
  readonly index: ContractIndex
  readonly schema: Schema<T>
  readonly address: AccountId
  readonly after: string | undefined
  readonly limit: number
}

/** Entries of an index, newest first, up to `limit`. */
async function listed<T>(ctx: QueryContext, { index, schema, address, after, limit }: Listed<T>) {
  const { placeOf, ...bounds } = contractRange(index, address, after === undefined ? undefined : placeOfText(after))
  const items: (Place & T)[] = []
  for await (const [key, value] of ctx.indexRange({ ...bounds, reverse: true, limit: limit + 1 })) {
    const decoded = schema.decode(value)
    if (!decoded.ok) throw new StateFault(`the index of contracts is damaged: ${decoded.fault.message}`)
    items.push({ ...placeOf(key), ...decoded.value })
  }
  return { items: items.slice(0, limit), isWhole: items.length <= limit }
}

async function page<T>(
  ctx: QueryContext,
  index: ContractIndex,
  schema: Schema<T>,
  { address, after, limit }: views.HistoryQuery,
): Promise<Page<Place & T>> {
  const { items, isWhole } = await listed(ctx, { index, schema, address, after, limit: limitOf(limit) })
  const last = items.at(-1)
  return { items, nextCursor: isWhole || last === undefined ? undefined : placeText(last), height: ctx.height }
}

export const eventsRun: QueryRun<views.HistoryQuery, Page<views.EventItem>> = (ctx, query) =>
  page(ctx, 'events', views.indexedEvent, query)

export const activityRun: QueryRun<views.HistoryQuery, Page<views.ActivityItem>> = (ctx, query) =>
  page(ctx, 'calls', views.indexedCall, query)

interface Window {
  startMs: number
  calls: number
  failures: number
  gasUsed: number
  events: number
  readonly callers: Set<AccountId>
}

export const rollupsRun: QueryRun<views.RollupQuery, views.RollupView> = async (ctx, { address, windowMs }) => {
  const windows = new Map<number, Window>()
  const at = (timeMs: number): Window => {
    const startMs = timeMs - (timeMs % Math.max(1, windowMs))
    let window = windows.get(startMs)
    if (window === undefined) {
      window = { startMs, calls: 0, failures: 0, gasUsed: 0, events: 0, callers: new Set() }
      windows.set(startMs, window)
    }
    return window
  }
  const newest = { address, after: undefined, limit: ROLLUP_CALLS_MAX }
  const calls = await listed(ctx, { ...newest, index: 'calls', schema: views.indexedCall })
  for (const { timeMs, approved, gasUsed, caller } of calls.items) {
    const window = at(timeMs)
    window.calls += 1
    window.failures += approved ? 0 : 1
    window.gasUsed += gasUsed
    window.callers.add(caller)
  }
  const events = await listed(ctx, { ...newest, index: 'events', schema: views.indexedEvent })
  for (const { timeMs } of events.items) at(timeMs).events += 1
  const shown = [...windows.values()].sort((a, b) => b.startMs - a.startMs).slice(0, views.ROLLUPS_MAX)
  return {
    windows: shown.map(({ callers, ...window }) => ({ ...window, callers: callers.size })),
    calls: calls.items.length,
    height: ctx.height,
  }
}
