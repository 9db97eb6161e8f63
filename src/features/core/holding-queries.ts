/** Owns the queries of single domains and definitions, of accounts and of balances: by table order or by an index. */

import type { Page } from '../../api/paging.js'
import { accountOfPlace, assetOfPlace } from '../../api/places.js'
import type { ByIdQuery } from '../../api/query-inputs.js'
import { accounts } from '../../executor/accounts.js'
import type { QueryContext, QueryRun } from '../../executor/contract.js'
import { metadataBytes, metadataOf } from '../../executor/metadata.js'
import { accountBalanceKey, accountBalancesRange, domainAccountsRange } from '../../ledger/indexes.js'
import { FIRST_ACCOUNT, prefixOf } from '../../ledger/query.js'
import { fittingAnswer, limitOf } from '../../ledger/table-page.js'
import { balances, definitions, domains } from '../../ledger/tables.js'
import { type AccountId, type AssetId, formatAddress, formatAsset, keyString } from '../../model/index.js'
import { definitionViewOf, domainViewOf } from './queries.js'
import type * as views from './schema/holdings.js'
import type { DefinitionView, DomainView } from './schema/views.js'

export const domainQuery: QueryRun<ByIdQuery, DomainView> = async ({ reader }, { id }) => {
  const row = reader.get(domains, id)
  return row === undefined ? undefined : domainViewOf(reader, id, row)
}

export const definitionQuery: QueryRun<ByIdQuery, DefinitionView> = async ({ reader }, { id }) => {
  const row = reader.get(definitions, id)
  return row === undefined ? undefined : definitionViewOf(reader, id, row)
}

/** The first items of a list that was read one further than its page. */
function pageOf<T>(ctx: QueryContext, found: readonly T[], limit: number, cursor: (last: T) => string): Page<T> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = found.length > limit && last !== undefined ? cursor(last) : undefined
  return { items, nextCursor, height: ctx.height }
}

export const accountsQuery: QueryRun<views.AccountsQuery, Page<views.AccountItem>> = async (
  ctx,
  { limit: asked, after: place, domain },
) => {
  const prefix = prefixOf(ctx)
  const after = place === undefined ? undefined : accountOfPlace(place)
  const limit = limitOf(asked)
  const ids: AccountId[] = []
  if (domain === undefined) {
    const rows = await ctx.rows(accounts, { ...(after === undefined ? {} : { after }), limit: limit + 1 })
    ids.push(...rows.map(({ key }) => key))
  } else {
    if (!ctx.reader.has(domains, domain)) return undefined
    const { idAt, ...range } = domainAccountsRange(domain, after)
    for await (const [key] of ctx.indexRange({ ...range, limit: limit + 1 })) ids.push(keyString(key.subarray(idAt)))
  }
  const shown = fittingAnswer(ids.slice(0, limit), (value) => metadataBytes(ctx.reader, { kind: 'account', value }))
  const last = shown.at(-1)
  const items = shown.flatMap((id) => {
    const row = ctx.reader.get(accounts, id)
    if (row === undefined) return []
    const metadata = metadataOf(ctx.reader, { kind: 'account', value: id })
    return [{ id, domain: row.domain, label: row.label, metadata }]
  })
  const nextCursor = ids.length > shown.length && last !== undefined ? formatAddress(last, prefix) : undefined
  return { items, nextCursor, height: ctx.height }
}

/** Balances of one definition, or of all of them, in the order of the table. */
async function balanceRows(
  ctx: QueryContext,
  definition: string | undefined,
  after: AssetId | undefined,
  limit: number,
): Promise<views.AssetView[]> {
  const start = after ?? (definition === undefined ? undefined : { definition, account: FIRST_ACCOUNT })
  const rows = await ctx.rows(balances, { ...(start === undefined ? {} : { after: start }), limit })
  return rows
    .filter(({ key }) => definition === undefined || key.definition === definition)
    .map(({ key, value }) => ({ ...key, amount: value }))
}

/** Balances of one account, by the index. */
async function balancesOf(
  ctx: QueryContext,
  account: AccountId,
  after: string | undefined,
  limit: number,
): Promise<views.AssetView[]> {
  const { gte, lt } = accountBalancesRange(account)
  const start = after === undefined ? gte : Buffer.concat([accountBalanceKey(account, after), Buffer.of(0)])
  const found: views.AssetView[] = []
  for await (const [key] of ctx.indexRange({ gte: start, lt, limit })) {
    const definition = key.toString('utf8', gte.length)
    const amount = ctx.reader.get(balances, { definition, account })
    if (amount !== undefined) found.push({ definition, account, amount })
  }
  return found
}

export const assetsQuery: QueryRun<views.AssetsQuery, Page<views.AssetView>> = async (
  ctx,
  { limit: asked, after: place, definition, account },
) => {
  if (definition !== undefined && !ctx.reader.has(definitions, definition)) return undefined
  if (account !== undefined && !ctx.reader.has(accounts, account)) return undefined
  if (definition !== undefined && account !== undefined) {
    const amount = ctx.reader.get(balances, { definition, account })
    const items = amount === undefined ? [] : [{ definition, account, amount }]
    return { items, nextCursor: undefined, height: ctx.height }
  }
  const after = place === undefined ? undefined : assetOfPlace(place)
  const limit = limitOf(asked)
  const found =
    account === undefined
      ? await balanceRows(ctx, definition, after, limit + 1)
      : await balancesOf(ctx, account, after?.definition, limit + 1)
  return pageOf(ctx, found, limit, (last) => formatAsset(last, prefixOf(ctx)))
}
