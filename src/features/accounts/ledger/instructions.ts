/** Owns accounts: registering, labels, removing (docs/design/lanes.md 1, rows 7 to 9). */

import { accounts, accountUse } from '../../../executor/accounts.js'
import { type ExecContext, type Execution, reject } from '../../../executor/contract.js'
import { dropMetadata } from '../../../executor/metadata.js'
import { claim, createAccount, registrationFault } from '../../../ledger/accounts.js'
import { countHolders, dismiss } from '../../../ledger/grants.js'
import { countMember } from '../../../ledger/members.js'
import { valuesToCome } from '../../../ledger/parameters.js'
import { forgetMultisig } from '../../../ledger/proposals.js'
import { accountRoles, aliases, domains, tokens } from '../../../ledger/tables.js'
import type { AccountId } from '../../../model/index.js'
import { FEE_SINK } from '../../fees/schema/parameters.js'
import { accountDeleted, labelChanged } from '../schema/events.js'
import type * as objects from '../schema/instructions.js'
import type { RegisterAccount } from '../schema/instructions.js'

export const registerAccount: Execution<RegisterAccount> = {
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

export const unregisterAccount: Execution<objects.UnregisterAccount> = {
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
    const isFeeSink = valuesToCome(ctx, FEE_SINK).some((sink) => sink.kind === 'account' && sink.value === id)
    if (isFeeSink) return reject('not_empty', 'fees are paid to it')
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

export const setLabel: Execution<objects.SetLabel> = {
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
