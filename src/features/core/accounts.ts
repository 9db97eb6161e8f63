/** Owns accounts: registering, labels, removing (design/ledger-lanes.md 1, rows 7 to 9). */

import { accounts, accountUse } from '../../executor/accounts.js'
import { type ExecContext, type ExecutableInstruction, type Rejection, reject } from '../../executor/contract.js'
import { dropMetadata, writeMetadata } from '../../executor/metadata.js'
import type { AccountId, Metadata } from '../../model/index.js'
import { isFeeSink } from './fees.js'
import { countHolders, dismiss } from './grants.js'
import { countMember } from './members.js'
import { PERMISSIONS, requirePermission } from './permissions.js'
import { forgetMultisig } from './proposals.js'
import { accountCreated, accountDeleted, labelChanged } from './schema/events.js'
import type { RegisterAccount } from './schema/instructions.js'
import * as schema from './schema/instructions.js'
import * as objects from './schema/objects.js'
import { accountRoles, aliases, domains, tokens } from './tables.js'

/** An account to be. */
export interface NewAccount {
  readonly id: AccountId
  readonly domain: string
  readonly label: string | undefined
  readonly metadata: Metadata
}

/** Claims an alias; a rejection when another account has it. */
function claim(ctx: ExecContext, id: AccountId, domain: string, label: string | undefined): Rejection | undefined {
  if (label === undefined) return undefined
  const alias = { domain, label }
  if (ctx.get(aliases, alias) !== undefined) return reject('bad_label', `${label}@${domain} is taken`)
  ctx.set(aliases, alias, id)
  return undefined
}

/** Writes an account into a domain that exists; who may do so was asked before. */
export function createAccount(ctx: ExecContext, { id, domain, label, metadata }: NewAccount): Rejection | undefined {
  if (ctx.get(accounts, id) !== undefined) return reject('exists', 'the account is registered')
  const refused = claim(ctx, id, domain, label) ?? writeMetadata(ctx, { kind: 'account', value: id }, metadata)
  if (refused !== undefined) return refused
  ctx.set(accounts, id, { domain, label, incarnation: ctx.incarnation(), watchers: 0 })
  countMember(ctx, domain, 1)
  ctx.emit({ kind: accountCreated.kind, value: { account: id, domain } })
  return undefined
}

/** Why the authority may not register accounts in a domain, or undefined. */
export function registrationFault(ctx: ExecContext, domain: string): Rejection | undefined {
  const home = ctx.get(domains, domain)
  if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
  return requirePermission(ctx, 'registering an account', home.owner, [PERMISSIONS.CanRegisterAccount, domain])
}

export const registerAccount: ExecutableInstruction<RegisterAccount> = {
  ...schema.registerAccount,
  cost: { base: 200 },
  primaryDomain: (value) => value.domain,
  execute: (ctx, value) => registrationFault(ctx, value.domain) ?? createAccount(ctx, value),
}

/** The account and its row, when the authority is the account or the owner of its domain. */
function ownRow(ctx: ExecContext, id: AccountId, what: string) {
  const row = ctx.get(accounts, id)
  if (row === undefined) return reject('unknown_account', 'the account is not registered')
  if (ctx.authority === id || ctx.env.genesis) return row
  return ctx.get(domains, row.domain)?.owner === ctx.authority
    ? row
    : reject('not_permitted', `${what} is for itself and for the owner of its domain`)
}

export const unregisterAccount: ExecutableInstruction<objects.UnregisterAccount> = {
  ...objects.unregisterAccount,
  cost: { base: 150 },
  execute(ctx, { id }) {
    const row = ownRow(ctx, id, 'removing an account')
    if ('code' in row) return row
    forgetMultisig(ctx, id)
    const use = ctx.get(accountUse, id)
    if (use !== undefined) {
      return reject(
        'not_empty',
        `it has ${use.balances} balances and ${use.objects} domains, definitions, NFTs, triggers, sponsorships and open proposals`,
      )
    }
    if (isFeeSink(ctx, id)) return reject('not_empty', 'fees are paid to it')
    for (const role of ctx.get(accountRoles, id) ?? []) {
      const last = dismiss(ctx, id, role)
      if (last !== undefined) return last
    }
    const last = countHolders(ctx, ctx.get(tokens, id) ?? [], -1)
    if (last !== undefined) return last
    ctx.delete(tokens, id)
    if (row.label !== undefined) ctx.delete(aliases, { domain: row.domain, label: row.label })
    ctx.delete(accounts, id)
    dropMetadata(ctx, { kind: 'account', value: id })
    countMember(ctx, row.domain, -1)
    ctx.emit({ kind: accountDeleted.kind, value: { account: id, domain: row.domain } })
    return undefined
  },
}

export const setLabel: ExecutableInstruction<objects.SetLabel> = {
  ...objects.setLabel,
  cost: { base: 150 },
  execute(ctx, { account, label }) {
    const row = ownRow(ctx, account, 'setting a label')
    if ('code' in row) return row
    if (row.label === label) return reject('bad_label', 'it has this label already')
    const taken = claim(ctx, account, row.domain, label)
    if (taken !== undefined) return taken
    if (row.label !== undefined) ctx.delete(aliases, { domain: row.domain, label: row.label })
    ctx.set(accounts, account, { ...row, label })
    ctx.emit({ kind: labelChanged.kind, value: { account, domain: row.domain, label } })
    return undefined
  },
}

export const ACCOUNT_INSTRUCTIONS = [registerAccount, unregisterAccount, setLabel]
