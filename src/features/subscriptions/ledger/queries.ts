/** Owns the queries of plans and subscriptions. Times are relative to the last block. */
import type { Page } from '../../../api/paging.js'
import { roomForRuns, scheduledRun } from '../../../executor/due-runs/index.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { nowOf, prefixOf } from '../../../ledger/query.js'
import { limitOf, type ScanFrom, type Scanned, scanRowsFor, scanTable } from '../../../ledger/table-page.js'
import { type AccountId, formatAddress } from '../../../model/index.js'
import { type Invoice, type PlanKey, planHashOf } from '../schema/records.js'
import * as views from '../schema/views.js'
import { isEntitled, openingOf } from './billing.js'
import { chargeRun } from './charge.js'
import { invoicesOf, subscriptionsOf } from './indexes.js'
import { type PlanRow, plans, type SubscriptionRow, subscriptions } from './tables.js'

const planView = (key: PlanKey, { terms, isOpen }: PlanRow, chargesLeft?: number): views.PlanView => ({
  ...key,
  planHash: planHashOf(key, terms),
  isOpen,
  terms,
  chargesLeft,
})

/** Free due runs of a provider in the hour of the next charge of a new subscriber. */
function chargesLeft({ reader }: QueryContext, { provider }: PlanKey, plan: PlanRow, nowMs: number): number {
  const { trialMs } = plan.terms
  const dueMs = trialMs > 0 ? nowMs + trialMs : openingOf(plan, nowMs, nowMs).period.endMs
  return roomForRuns(reader, provider, dueMs)
}

interface FoundPlan {
  readonly key: PlanKey
  readonly value: PlanRow
}

/** Plans after a position, of one provider or of all providers. */
async function planRows(
  ctx: QueryContext,
  provider: AccountId | undefined,
  place: PlanKey | undefined,
  limit: number,
): Promise<readonly FoundPlan[]> {
  if (provider === undefined) return ctx.rows(plans, { after: place, limit })
  // Lowest plan name. A range excludes its first key, so that this row is read separately.
  const first = { provider, plan: '0' }
  const lowest = place === undefined ? ctx.reader.get(plans, first) : undefined
  const rows = await ctx.rows(plans, { after: place ?? first, limit })
  const own = rows.filter(({ key }) => key.provider === provider)
  return lowest === undefined ? own : [{ key: first, value: lowest }, ...own]
}

export const plansQuery: QueryRun<views.PlansQuery, Page<views.PlanView>> = async (ctx, query) => {
  const { provider, plan: name } = query
  if (provider !== undefined && name !== undefined) {
    const key = { provider, plan: name }
    const row = ctx.reader.get(plans, key)
    const items = row === undefined ? [] : [planView(key, row, chargesLeft(ctx, key, row, await nowOf(ctx)))]
    return { items, nextCursor: undefined, height: ctx.height }
  }
  const from = {
    limit: limitOf(query.limit),
    after: query.after === undefined ? undefined : views.planOfCursor(query.after),
  }
  const { items, after } = await scanRowsFor(
    from,
    (place, limit) => planRows(ctx, provider, place, limit),
    ({ key }) => key,
    ({ key, value }) => (name === undefined || key.plan === name ? planView(key, value) : undefined),
  )
  return {
    items,
    nextCursor: after && `${formatAddress(after.provider, prefixOf(ctx))}/${after.plan}`,
    height: ctx.height,
  }
}

function planRowOf({ reader }: QueryContext, { plan: key }: SubscriptionRow): PlanRow {
  const plan = reader.get(plans, key)
  if (plan === undefined) throw new Error(`plan ${key.plan} of a subscription is missing`)
  return plan
}

/** View of a subscription. */
function stateOf({ reader }: QueryContext, id: Uint8Array, row: SubscriptionRow) {
  const { plan, open: _open, last: _last, ...shown } = row
  return { id, ...plan, ...shown, runMs: scheduledRun(reader, chargeRun, id)?.dueMs }
}

const invoiceView = ({ errorName }: QueryContext, invoice: Invoice): views.InvoiceView => ({
  invoice,
  reason: invoice.error === undefined ? undefined : errorName(invoice.error),
})

export const subscriptionQuery: QueryRun<views.SubscriptionQuery, views.SubscriptionView> = async (
  ctx,
  { subscription: id },
) => {
  const row = ctx.reader.get(subscriptions, id)
  if (row === undefined) return undefined
  const plan = planRowOf(ctx, row)
  const invoice = row.open ?? row.last
  return {
    subscription: stateOf(ctx, id, row),
    invoice: invoice && invoiceView(ctx, invoice),
    plan: planView(row.plan, plan),
    entitled: isEntitled(row, plan, await nowOf(ctx)),
    height: ctx.height,
  }
}

const bytesOf = (hex: string | undefined): Uint8Array | undefined =>
  hex === undefined ? undefined : Buffer.from(hex, 'hex')

/** Subscriptions of a query: of one party, from its index, or of all parties. */
async function scan(
  ctx: QueryContext,
  { provider, ownedBy, limit, after }: views.SubscriptionsQuery,
  itemOf: (id: Uint8Array, row: SubscriptionRow) => views.SubscriptionItem | undefined,
): Promise<Scanned<Uint8Array, views.SubscriptionItem>> {
  const from: ScanFrom<Uint8Array> = { limit: limitOf(limit), after: bytesOf(after) }
  const [role, account] =
    ownedBy === undefined ? (['byProvider', provider] as const) : (['bySubscriber', ownedBy] as const)
  if (account === undefined) return scanTable(ctx, subscriptions, from, itemOf)
  return scanRowsFor(
    from,
    (place, count) => subscriptionsOf(ctx, role, account, { after: place, limit: count }),
    (id) => id,
    (id) => {
      const row = ctx.reader.get(subscriptions, id)
      if (row === undefined) throw new Error('the index names a subscription that is not on the ledger')
      return itemOf(id, row)
    },
  )
}

export const subscriptionsQuery: QueryRun<views.SubscriptionsQuery, Page<views.SubscriptionItem>> = async (
  ctx,
  query,
) => {
  const { provider, ownedBy, status } = query
  const nowMs = await nowOf(ctx)
  const isWanted = ({ plan, subscriber, status: is }: SubscriptionRow): boolean =>
    (provider === undefined || plan.provider === provider) &&
    (ownedBy === undefined || subscriber === ownedBy) &&
    (status === undefined || is === status)
  const { items, after } = await scan(ctx, query, (id, row) =>
    isWanted(row) ? { ...stateOf(ctx, id, row), entitled: isEntitled(row, planRowOf(ctx, row), nowMs) } : undefined,
  )
  return { items, nextCursor: after && Buffer.from(after).toString('hex'), height: ctx.height }
}

export const invoicesQuery: QueryRun<views.InvoicesQuery, Page<views.InvoiceView>> = async (ctx, query) => {
  const row = ctx.reader.get(subscriptions, query.subscription)
  if (row === undefined) return undefined
  const limit = limitOf(query.limit)
  const below = query.after === undefined ? row.counter + 1 : Number(query.after)
  const paid = await invoicesOf(ctx, query.subscription, below, limit + 1)
  const shown = paid.slice(0, limit)
  const isFirstPage = query.after === undefined && row.open !== undefined
  const items = isFirstPage ? [row.open, ...shown].slice(0, limit) : shown
  return {
    items: items.flatMap((one) => (one === undefined ? [] : [invoiceView(ctx, one)])),
    nextCursor: paid.length + (isFirstPage ? 1 : 0) > limit ? String(items.at(-1)?.number ?? 1) : undefined,
    height: ctx.height,
  }
}
