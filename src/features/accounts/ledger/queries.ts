/** Owns the queries of accounts. */

import { accountOfCursor } from '../../../api/cursors.js'
import { PAGE_LIMIT_MAX, type Page } from '../../../api/paging.js'
import type { ByIdQuery } from '../../../api/query-inputs.js'
import { accounts } from '../../../executor/accounts.js'
import { metadataBytes, metadataOf } from '../../../executor/metadata.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { QueryRun } from '../../../executor/reads.js'
import { admissions } from '../../../ledger/admission-tables.js'
import { accountBalancesRange, domainAccountsRange } from '../../../ledger/indexes.js'
import { prefixOf, resolveAccount } from '../../../ledger/query.js'
import { fittingAnswer, limitOf } from '../../../ledger/table-page.js'
import { balances, domains } from '../../../ledger/tables.js'
import { ACCOUNT_ADMISSION, type AccountId, formatAddress, keyString } from '../../../model/index.js'
import type * as views from '../schema/views.js'
import type { AccountQuery, AccountView } from '../schema/views.js'

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

export const accountsQuery: QueryRun<views.AccountsQuery, Page<views.AccountItem>> = async (
  ctx,
  { limit: asked, after: place, domain },
) => {
  const prefix = prefixOf(ctx)
  const after = place === undefined ? undefined : accountOfCursor(place)
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

export const admissionQuery: QueryRun<ByIdQuery, views.AdmissionView> = async ({ reader }, { id }) => {
  if (!reader.has(domains, id)) return undefined
  const policy = reader.get(admissions, id)
  const implicit = policy?.mode === 'implicit' && parameterOf(reader, ACCOUNT_ADMISSION).mode === 'implicit'
  return { domain: id, policy, implicit }
}
