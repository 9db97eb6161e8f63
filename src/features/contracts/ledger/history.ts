/** Owns the history of contracts: what they told, who called them, and what that came to by hour and day. */
import type { Page } from '../../../api/paging.js'
import type { QueryContext, QueryRun } from '../../../executor/contract.js'
import { limitOf } from '../../../ledger/table-page.js'
import {
  type AccountId,
  type BlockOutcome,
  blockBody,
  type CommittedBlock,
  type EventOf,
  rejectionOf,
} from '../../../model/index.js'
import { contractEvent } from '../schema/events.js'
import { type ContractCall, contractCall } from '../schema/instructions.js'
import * as views from '../schema/views.js'
import { contractRange, type Place } from './indexes.js'

/** Calls that rollups look at, and events: each may stand in a block of its own, which is read for it. */
const ROLLUP_CALLS_MAX = 500

const placeText = ({ height, entry, position }: Place): string => `${height}:${entry}:${position}`
function placeOfText(text: string): Place {
  const [height = 0, entry = 0, position = 0] = text.split(':').map(Number)
  return { height, entry, position }
}

/** Reads blocks and outcomes once each while a list goes over them. */
class Blocks {
  private height = -1
  private held: { block: CommittedBlock | undefined; outcome: BlockOutcome | undefined } = {
    block: undefined,
    outcome: undefined,
  }
  constructor(private readonly ctx: QueryContext) {}
  async at(height: number) {
    if (height !== this.height) {
      this.held = { block: await this.ctx.block(height), outcome: await this.ctx.outcome(height) }
      this.height = height
    }
    return this.held
  }
}

/** Newest first: what is made of each place of an index, until `limit`. */
async function listed<T>(
  ctx: QueryContext,
  range: {
    readonly index: 'events' | 'calls'
    readonly address: AccountId
    readonly after: string | undefined
    readonly limit: number
  },
  make: (blocks: Blocks, place: Place) => Promise<T | undefined>,
): Promise<{ items: T[]; last: Place | undefined; isWhole: boolean }> {
  const { index, address, after, limit } = range
  const { placeOf, ...bounds } = contractRange(index, address, after === undefined ? undefined : placeOfText(after))
  const blocks = new Blocks(ctx)
  const items: T[] = []
  let seen = 0
  let last: Place | undefined
  for await (const [key] of ctx.indexRange({ ...bounds, reverse: true, limit: limit + 1 })) {
    seen += 1
    if (seen > limit) break
    last = placeOf(key)
    const item = await make(blocks, last)
    if (item !== undefined) items.push(item)
  }
  return { items, last, isWhole: seen <= limit }
}

async function page<T>(
  ctx: QueryContext,
  index: 'events' | 'calls',
  { address, after, limit }: views.HistoryQuery,
  make: (blocks: Blocks, place: Place) => Promise<T | undefined>,
): Promise<Page<T>> {
  const { items, last, isWhole } = await listed(ctx, { index, address, after, limit: limitOf(limit) }, make)
  return { items, nextCursor: isWhole || last === undefined ? undefined : placeText(last), height: ctx.height }
}

export const eventsRun: QueryRun<views.HistoryQuery, Page<views.EventItem>> = (ctx, query) =>
  page(ctx, 'events', query, async (blocks, place) => {
    const { outcome } = await blocks.at(place.height)
    const recorded = outcome?.events[place.position]
    if (recorded?.event.kind !== contractEvent.kind) return undefined
    const { topic, data } = recorded.event.value as EventOf<typeof contractEvent>
    return { ...place, topic, data }
  })

async function callAt(ctx: QueryContext, blocks: Blocks, place: Place): Promise<views.ActivityItem | undefined> {
  const { block, outcome } = await blocks.at(place.height)
  const result = outcome?.results[place.entry]
  const body = block === undefined ? undefined : blockBody.decode(block.body, ctx.codec)
  const entry = body?.ok === true ? body.value.entries[place.entry] : undefined
  if (block === undefined || result === undefined || entry === undefined) return undefined
  const { authority, executable } = entry.transaction.value.payload.value
  const instruction = executable.value[place.position]
  if (instruction?.kind !== contractCall.kind) return undefined
  const called = result.outcome.kind === 'called' ? result.outcome.value : undefined
  return {
    ...place,
    timeMs: block.header.timeMs,
    transaction: result.transactionId,
    caller: authority,
    entrypoint: (instruction.value as ContractCall).entrypoint,
    approved: rejectionOf(result.outcome) === undefined,
    trap: called?.trap ?? 0,
    gasUsed: called?.gasUsed ?? 0,
  }
}

export const activityRun: QueryRun<views.HistoryQuery, Page<views.ActivityItem>> = (ctx, query) =>
  page(ctx, 'calls', query, (blocks, place) => callAt(ctx, blocks, place))

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
  const all = { address, after: undefined, limit: ROLLUP_CALLS_MAX }
  const calls = await listed(ctx, { ...all, index: 'calls' }, (blocks, place) => callAt(ctx, blocks, place))
  for (const { timeMs, approved, gasUsed, caller } of calls.items) {
    const window = at(timeMs)
    window.calls += 1
    window.failures += approved ? 0 : 1
    window.gasUsed += gasUsed
    window.callers.add(caller)
  }
  await listed(ctx, { ...all, index: 'events' }, async (blocks, place) => {
    const { block } = await blocks.at(place.height)
    if (block !== undefined) at(block.header.timeMs).events += 1
    return undefined
  })
  const newest = [...windows.values()].sort((a, b) => b.startMs - a.startMs).slice(0, views.ROLLUPS_MAX)
  return {
    windows: newest.map(({ callers, ...window }) => ({ ...window, callers: callers.size })),
    calls: calls.items.length,
    height: ctx.height,
  }
}
