/** Owns the queries of the core: domains, definitions, accounts with balances, transactions. */

import { PAGE_LIMIT_MAX, type Page } from '../../api/paging.js'
import type { PageQuery } from '../../api/query-inputs.js'
import { accounts } from '../../executor/accounts.js'
import type { QueryRun } from '../../executor/contract.js'
import { metadataBytes, metadataOf } from '../../executor/metadata.js'
import { accountBalancesRange, transactionKey } from '../../ledger/indexes.js'
import { resolveAccount } from '../../ledger/query.js'
import { pageOfTable } from '../../ledger/table-page.js'
import { balances, type Definition, type Domain, definitions, domains } from '../../ledger/tables.js'
import { blockBody, hashOfHeader, nameOfDefinition } from '../../model/index.js'
import type { StateReader } from '../../state/index.js'
import type {
  AccountQuery,
  AccountView,
  DefinitionView,
  DomainView,
  TransactionQuery,
  TransactionView,
} from './schema/views.js'

export const domainViewOf = (state: StateReader, id: string, row: Domain): DomainView => ({
  id,
  ownedBy: row.owner,
  metadata: metadataOf(state, { kind: 'domain', value: id }),
})

export const definitionViewOf = (state: StateReader, id: string, row: Definition): DefinitionView => ({
  id,
  name: nameOfDefinition(id),
  ownedBy: row.owner,
  scale: row.scale,
  mintable: row.mintable,
  totalQuantity: row.total,
  metadata: metadataOf(state, { kind: 'definition', value: id }),
})

export const domainsQuery: QueryRun<PageQuery, Page<DomainView>> = (ctx, query) =>
  pageOfTable(
    ctx,
    domains,
    query,
    (id, row) => domainViewOf(ctx.reader, id, row),
    (value) => metadataBytes(ctx.reader, { kind: 'domain', value }),
  )

export const definitionsQuery: QueryRun<PageQuery, Page<DefinitionView>> = (ctx, query) =>
  pageOfTable(
    ctx,
    definitions,
    query,
    (id, row) => definitionViewOf(ctx.reader, id, row),
    (value) => metadataBytes(ctx.reader, { kind: 'definition', value }),
  )

export const accountByIdQuery: QueryRun<AccountQuery, AccountView> = async (ctx, query) => {
  const id = resolveAccount(ctx, query)
  const row = id === undefined ? undefined : ctx.reader.get(accounts, id)
  if (id === undefined || row === undefined) return undefined
  const held: { definition: string; amount: AccountView['balances'][number]['amount'] }[] = []
  const range = accountBalancesRange(id)
  for await (const [key] of ctx.indexRange({ ...range, limit: PAGE_LIMIT_MAX + 1 })) {
    const definition = key.subarray(range.gte.length).toString('utf8')
    const amount = ctx.reader.get(balances, { definition, account: id })
    if (amount !== undefined) held.push({ definition, amount })
  }
  return {
    id,
    domain: row.domain,
    label: row.label,
    metadata: metadataOf(ctx.reader, { kind: 'account', value: id }),
    balances: held.slice(0, PAGE_LIMIT_MAX),
    moreBalances: held.length > PAGE_LIMIT_MAX ? true : undefined,
  }
}

export const transactionByHashQuery: QueryRun<TransactionQuery, TransactionView> = async (ctx, query) => {
  const place = ctx.indexGet(transactionKey(query.hash))
  if (place === undefined) return undefined
  const height = place.readUIntBE(0, 6)
  const index = place.readUInt32BE(6)
  const block = await ctx.block(height)
  const outcome = await ctx.outcome(height)
  const result = outcome?.results[index]
  if (block === undefined || result === undefined) return undefined
  const body = blockBody.decode(block.body, ctx.codec)
  const entry = body.ok ? body.value.entries[index] : undefined
  if (entry === undefined) return undefined
  return {
    hash: query.hash,
    height,
    blockHash: hashOfHeader(block.header),
    index,
    timeMs: block.header.timeMs,
    outcome: result.outcome,
    rejection: result.outcome.kind === 'rejected' ? ctx.errorName(result.outcome.value.code) : undefined,
    authority: entry.transaction.value.payload.value.authority,
  }
}
