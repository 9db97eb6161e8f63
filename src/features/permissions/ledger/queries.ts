/** Owns the queries of permissions and roles. */

import type { Page } from '../../../api/paging.js'
import type { AccountQuery, ByIdQuery, PageQuery } from '../../../api/query-inputs.js'
import { accounts } from '../../../executor/accounts.js'
import type { QueryRun } from '../../../executor/reads.js'
import { managersOf } from '../../../ledger/grants.js'
import { tokenFor } from '../../../ledger/permissions.js'
import { resolveAccount } from '../../../ledger/query.js'
import { limitOf, pageOfTable, scanRowsFor } from '../../../ledger/table-page.js'
import { accountRoles, type Role, roles, tokens } from '../../../ledger/tables.js'
import { hasToken } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import type * as views from '../schema.js'
import { holderOfBytes, holdersRange } from './indexes.js'

const roleOf = (state: StateReader, id: string, row: Role): views.RoleView => ({
  id,
  permissions: row.tokens,
  managers: managersOf(state, row),
  members: row.members,
})

export const rolesQuery: QueryRun<PageQuery, Page<views.RoleView>> = (ctx, query) =>
  pageOfTable(ctx, roles, query, (id, row) => roleOf(ctx.reader, id, row))

export const roleQuery: QueryRun<ByIdQuery, views.RoleView> = async ({ reader }, { id }) => {
  const row = reader.get(roles, id)
  return row === undefined ? undefined : roleOf(reader, id, row)
}

export const accountGrantsQuery: QueryRun<AccountQuery, views.AccountGrantsView> = async (ctx, query) => {
  const { reader } = ctx
  const account = await resolveAccount(ctx, query)
  if (account === undefined || !reader.has(accounts, account)) return undefined
  const held = (reader.get(accountRoles, account) ?? []).flatMap((id) => {
    const row = reader.get(roles, id)
    return row === undefined ? [] : [roleOf(reader, id, row)]
  })
  return { account, permissions: reader.get(tokens, account) ?? [], roles: held }
}

/**
 * Holders of a permission, directly or by a role, for an owner to check before a revocation. Entries of removed holders
 * are skipped within a page: a node that started from a snapshot does not have them, and clients would not follow empty
 * pages indefinitely.
 */
export const permissionHoldersQuery: QueryRun<views.HoldersQuery, Page<views.HolderItem>> = async (
  { permissions, reader, height, indexRange },
  { name, object, limit: asked, after },
) => {
  const limit = limitOf(asked)
  const def = permissions.get(name)
  const token = def === undefined ? undefined : tokenFor(reader, def, object)
  if (token === undefined) return undefined
  const from = { limit, after: after === undefined ? undefined : Buffer.from(after, 'hex') }
  const holdersAfter = async (place: Buffer | undefined, rows: number): Promise<Buffer[]> => {
    const { holderAt, ...range } = holdersRange(name, object, place)
    const found: Buffer[] = []
    for await (const [key] of indexRange({ ...range, limit: rows })) found.push(key.subarray(holderAt))
    return found
  }
  const found = await scanRowsFor(
    from,
    holdersAfter,
    (bytes) => bytes,
    (bytes): views.HolderItem | undefined => {
      const holder = holderOfBytes(bytes)
      const held =
        holder.kind === 'account' ? reader.get(tokens, holder.value) : reader.get(roles, holder.value)?.tokens
      return hasToken(held ?? [], token) ? { holder, permission: token } : undefined
    },
  )
  return { items: found.items, nextCursor: found.after?.toString('hex'), height }
}
