/** Owns the queries of assets and of their controls. */

import { accountOfCursor, assetOfCursor } from '../../../api/cursors.js'
import type { Page } from '../../../api/paging.js'
import type { ByIdQuery, PageQuery } from '../../../api/query-inputs.js'
import { accounts } from '../../../executor/accounts.js'
import { metadataBytes, metadataOf } from '../../../executor/metadata.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { capsOf, controlFault, controlOf } from '../../../ledger/controls.js'
import { accountBalanceKey, accountBalancesRange } from '../../../ledger/indexes.js'
import { FIRST_ACCOUNT, nowOf, prefixOf } from '../../../ledger/query.js'
import { limitOf, pageOfTable } from '../../../ledger/table-page.js'
import { balances, controls, type Definition, definitions } from '../../../ledger/tables.js'
import {
  type AccountId,
  type AssetId,
  domainOfDefinition,
  formatAddress,
  formatAsset,
  nameOfDefinition,
} from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { instructions } from '../schema/instructions.js'
import type * as views from '../schema/views.js'
import type { DefinitionView } from '../schema/views.js'

export const definitionViewOf = (state: StateReader, id: string, row: Definition): DefinitionView => ({
  id,
  name: nameOfDefinition(id),
  ownedBy: row.owner,
  scale: row.scale,
  mintable: row.mintable,
  totalQuantity: row.total,
  metadata: metadataOf(state, { kind: 'definition', value: id }),
})

export const definitionsQuery: QueryRun<PageQuery, Page<DefinitionView>> = (ctx, query) =>
  pageOfTable(
    ctx,
    definitions,
    query,
    (id, row) => definitionViewOf(ctx.reader, id, row),
    (value) => metadataBytes(ctx.reader, { kind: 'definition', value }),
  )

export const definitionQuery: QueryRun<ByIdQuery, DefinitionView> = async ({ reader }, { id }) => {
  const row = reader.get(definitions, id)
  return row === undefined ? undefined : definitionViewOf(reader, id, row)
}

/** Items of a page, from a list that was read one item beyond the limit. */
function pageOf<T>(ctx: QueryContext, found: readonly T[], limit: number, cursor: (last: T) => string): Page<T> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = found.length > limit && last !== undefined ? cursor(last) : undefined
  return { items, nextCursor, height: ctx.height }
}

/** Balances of one definition or of all, in table order. */
async function balanceRows(
  ctx: QueryContext,
  definition: string | undefined,
  after: AssetId | undefined,
  limit: number,
): Promise<views.AssetView[]> {
  const start = after ?? (definition === undefined ? undefined : { definition, account: FIRST_ACCOUNT })
  const rows = await ctx.rows(balances, { after: start, limit })
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
  const after = place === undefined ? undefined : assetOfCursor(place)
  const limit = limitOf(asked)
  const found =
    account === undefined
      ? await balanceRows(ctx, definition, after, limit + 1)
      : await balancesOf(ctx, account, after?.definition, limit + 1)
  return pageOf(ctx, found, limit, (last) => formatAsset(last, prefixOf(ctx)))
}

export const portfolioQuery: QueryRun<views.PortfolioQuery, views.Portfolio> = async (
  ctx,
  { limit: asked, after: place, account },
) => {
  const { reader } = ctx
  const owner = reader.get(accounts, account)
  if (owner === undefined) return undefined
  const limit = limitOf(asked)
  const after = place === undefined ? undefined : assetOfCursor(place)
  const found = await balancesOf(ctx, account, after?.definition, limit + 1)
  const nowMs = await nowOf(ctx)
  const { items, ...page } = pageOf(ctx, found, limit, (last) => formatAsset(last, prefixOf(ctx)))
  return {
    account,
    domain: owner.domain,
    label: owner.label,
    ...page,
    items: items.flatMap(({ definition, amount }) => {
      const row = reader.get(definitions, definition)
      if (row === undefined) return []
      const { frozen, blacklisted, usage } = controlViewOf(ctx, { definition, account }, nowMs)
      const named = { definition, name: nameOfDefinition(definition), scale: row.scale }
      return [{ ...named, amount, totalQuantity: row.total, frozen, blacklisted, usage }]
    }),
  }
}

function controlViewOf(ctx: QueryContext, key: views.ControlQuery, nowMs: number): views.ControlView {
  const { frozen = false, blacklisted = false, limits = [] } = controlOf(ctx.reader, key) ?? {}
  return { ...key, frozen, blacklisted, limits, usage: capsOf(ctx.reader, key, nowMs) }
}

export const controlQuery: QueryRun<views.ControlQuery, views.ControlView> = async (ctx, key) => {
  return ctx.reader.has(accounts, key.account) ? controlViewOf(ctx, key, await nowOf(ctx)) : undefined
}

export const controlsQuery: QueryRun<views.ControlsQuery, Page<views.ControlView>> = async (
  ctx,
  { definition, limit: asked, after: place },
) => {
  if (!ctx.reader.has(definitions, definition)) return undefined
  const start = (place === undefined ? undefined : accountOfCursor(place)) ?? FIRST_ACCOUNT
  const limit = limitOf(asked)
  const rows = await ctx.rows(controls, { after: { definition, account: start }, limit: limit + 1 })
  const own = rows.map((one) => one.key).filter((key) => key.definition === definition)
  const shown = own.slice(0, limit)
  const last = shown.at(-1)
  const nowMs = await nowOf(ctx)
  return {
    items: shown.map((key) => controlViewOf(ctx, key, nowMs)),
    nextCursor: own.length > limit && last !== undefined ? formatAddress(last.account, prefixOf(ctx)) : undefined,
    height: ctx.height,
  }
}

export const controlCheckQuery: QueryRun<views.ControlCheckQuery, views.ControlCheck> = async (
  ctx,
  { definition, account, to, amount },
) => {
  const { gate, reader } = ctx
  const { label } = instructions.transfer
  const nowMs = await nowOf(ctx)
  const fault =
    controlFault(reader, { definition, account }, to, amount, nowMs) ??
    gate?.instruction(reader, nowMs, account, domainOfDefinition(definition), label) ??
    gate?.wouldMove(reader, nowMs, { source: account, to, definition, amount, label })
  return { allowed: fault === undefined, code: fault?.code, message: fault?.message, height: ctx.height }
}
