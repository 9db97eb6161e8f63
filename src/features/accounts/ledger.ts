/**
 * Owns the execution of accounts: permissions, registration, labels, removal, admission, read indexes, queries
 * (docs/design/lanes.md 1, rows 7 to 9; 5, row 47).
 */

import { accountOfCursor } from '../../api/cursors.js'
import { PAGE_LIMIT_MAX, type Page } from '../../api/paging.js'
import type { AccountQuery, ByIdQuery } from '../../api/query-inputs.js'
import { accounts, accountUse } from '../../executor/accounts.js'
import { unknownAccount } from '../../executor/addresses.js'
import { type ExecContext, reject } from '../../executor/contract.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import { metadataBytes, metadataOf } from '../../executor/metadata.js'
import { parameterOf, valuesToCome } from '../../executor/parameters.js'
import type { Permission } from '../../executor/permission.js'
import type { IndexRun, QueryRun } from '../../executor/reads.js'
import {
  CAN_REGISTER_ACCOUNT,
  claimLabel,
  createAccount,
  keylessFault,
  registrationFault,
  releaseLabel,
  removeAccount,
} from '../../ledger/accounts.js'
import { OWNERS_MANAGE_DEFAULT_ROLES, roleFault } from '../../ledger/admission.js'
import { admissionCount, admissions } from '../../ledger/admission-tables.js'
import { countHolders, dismiss } from '../../ledger/grants.js'
import {
  accountBalancesRange,
  changedRows,
  domainAccountKey,
  domainAccountsRange,
  PRESENT,
} from '../../ledger/indexes.js'
import { requirePermission } from '../../ledger/permissions.js'
import { removeMultisig } from '../../ledger/proposals.js'
import { prefixOf, resolveAccount } from '../../ledger/query.js'
import { fittingAnswer, limitOf } from '../../ledger/table-page.js'
import { accountRoles, aliases, balances, domains, roles, tokens } from '../../ledger/tables.js'
import { ACCOUNT_ADMISSION, type AccountId, formatAddress, isEvent, keylessKind, keyString } from '../../model/index.js'
import { FEE_SINK } from '../fees/schema.js'
import {
  type AccountItem,
  type AccountsQuery,
  type AccountView,
  type AdmissionView,
  events as accountEvents,
  accountSchema,
  type instructions,
} from './schema.js'

const ACCOUNT_PERMISSIONS = {
  CanRegisterAccount: CAN_REGISTER_ACCOUNT,
} as const satisfies Record<string, Permission>

/** Row of an account, or a rejection unless the authority is the account or the owner of its domain. */
function ownRow(ctx: ExecContext, id: AccountId, what: string) {
  const row = ctx.get(accounts, id)
  if (row === undefined) return unknownAccount(ctx, id)
  if (ctx.authority === id || ctx.env.genesis) return row
  return ctx.get(domains, row.domain)?.owner === ctx.authority
    ? row
    : reject('not_permitted', `only the account itself or the owner of its domain can do this: ${what}`)
}

const execute = {
  registerAccount: {
    cost: { base: 200 },
    primaryDomain: (value) => value.domain,
    execute: (ctx, value) =>
      keylessFault(value.id) ?? registrationFault(ctx, value.domain) ?? createAccount(ctx, value),
  },

  unregisterAccount: {
    cost: { base: 150 },
    execute(ctx, { id }) {
      const row = ownRow(ctx, id, 'removing an account')
      if ('code' in row) return row
      const kept = keylessFault(id)
      if (kept !== undefined) return kept
      removeMultisig(ctx, id)
      const use = ctx.get(accountUse, id)
      if (use !== undefined) {
        return reject(
          'not_empty',
          `the account still has ${use.balances} balances and ${use.objects} domains, definitions, NFTs, triggers, sponsorships and open proposals`,
        )
      }
      const isFeeSink = valuesToCome(ctx, FEE_SINK).some((sink) => sink.kind === 'account' && sink.value === id)
      if (isFeeSink) return reject('not_empty', 'the account receives fees')
      for (const role of ctx.get(accountRoles, id) ?? []) {
        const last = dismiss(ctx, id, role)
        if (last !== undefined) return last
      }
      const last = countHolders(ctx, ctx.get(tokens, id) ?? [], -1)
      if (last !== undefined) return last
      ctx.delete(tokens, id)
      return removeAccount(ctx, id, row)
    },
  },

  setLabel: {
    cost: { base: 150 },
    execute(ctx, { account, label }) {
      const row = ownRow(ctx, account, 'setting a label')
      if ('code' in row) return row
      if (keylessKind(account) === 'contract') {
        return reject('not_permitted', 'the alias of a contract is bound and unbound by instructions of contracts')
      }
      if (row.label === label) return reject('bad_label', 'the account already has this label')
      const refused = claimLabel(ctx, account, row.domain, label) ?? releaseLabel(ctx, account, row.domain, row.label)
      if (refused !== undefined) return refused
      ctx.set(accounts, account, { ...row, label })
      ctx.emit(accountEvents.labelChanged, { account, domain: row.domain, label })
      return undefined
    },
  },

  setAdmission: {
    cost: { base: 96 },
    primaryDomain: (value) => value.domain,
    execute(ctx, { domain, policy }) {
      const home = ctx.get(domains, domain)
      if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
      const denied = requirePermission(ctx, 'setting the admission of a domain', home.owner)
      if (denied) return denied
      if (policy.minimum !== undefined && policy.minimum.mantissa < 0n) {
        return reject('bad_amount', 'the minimum amount must not be negative')
      }
      if (policy.defaultRole !== undefined) {
        const role = ctx.get(roles, policy.defaultRole)
        if (role === undefined) return reject('absent', `role ${policy.defaultRole} does not exist`)
        const fault = roleFault(ctx, role, home.owner)
        if (fault !== undefined) return fault
      }
      ctx.set(admissions, domain, policy)
      ctx.emit(accountEvents.admissionChanged, { domain, implicit: policy.mode === 'implicit' })
      return undefined
    },
  },
} satisfies Executions<typeof instructions>

/** Index changes of one block. Removals are written before additions. */
const accountIndexes: IndexRun = ({ rows, events }) => {
  const put = [...changedRows(accounts, rows)].map(({ key, value }): [Uint8Array, Uint8Array] => [
    domainAccountKey(value.domain, key),
    PRESENT,
  ])
  const del = events.flatMap(({ event }) => {
    if (!isEvent(event, accountEvents.accountDeleted)) return []
    const { account, domain } = event.value
    return [domainAccountKey(domain, account)]
  })
  return { put, del }
}

const accountByIdQuery: QueryRun<AccountQuery, AccountView> = async (ctx, query) => {
  const id = await resolveAccount(ctx, query)
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

const accountsQuery: QueryRun<AccountsQuery, Page<AccountItem>> = async (
  ctx,
  { limit: asked, after: place, domain },
) => {
  const prefix = prefixOf(ctx)
  const after = place === undefined ? undefined : accountOfCursor(place)
  const limit = limitOf(asked)
  const ids: AccountId[] = []
  if (domain === undefined) {
    const rows = await ctx.rows(accounts, { after, limit: limit + 1 })
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

const admissionQuery: QueryRun<ByIdQuery, AdmissionView> = async ({ reader }, { id }) => {
  if (!reader.has(domains, id)) return undefined
  const policy = reader.get(admissions, id)
  const implicit = policy?.mode === 'implicit' && parameterOf(reader, ACCOUNT_ADMISSION).mode === 'implicit'
  return { domain: id, policy, implicit }
}

export const accountLedger = defineLedger(accountSchema, {
  tables: [accounts, accountUse, admissionCount, admissions, aliases],
  execute,
  queries: { account: accountByIdQuery, accounts: accountsQuery, admission: admissionQuery },
  permissions: Object.values(ACCOUNT_PERMISSIONS),
  rules: [OWNERS_MANAGE_DEFAULT_ROLES],
  indexes: accountIndexes,
})
