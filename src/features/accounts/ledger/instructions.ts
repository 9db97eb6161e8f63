/** Owns accounts: registering, labels, removing (docs/design/lanes.md 1, rows 7 to 9). */

import { accounts, accountUse } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import {
  claimLabel,
  createAccount,
  keylessFault,
  registrationFault,
  releaseLabel,
  removeAccount,
} from '../../../ledger/accounts.js'
import { countHolders, dismiss } from '../../../ledger/grants.js'
import { valuesToCome } from '../../../ledger/parameters.js'
import { forgetMultisig } from '../../../ledger/proposals.js'
import { accountRoles, domains, tokens } from '../../../ledger/tables.js'
import { type AccountId, keylessKind } from '../../../model/index.js'
import { FEE_SINK } from '../../fees/schema.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'

/** The account and its row, when the authority is the account or the owner of its domain. */
function ownRow(ctx: ExecContext, id: AccountId, what: string) {
  const row = ctx.get(accounts, id)
  if (row === undefined) return unknownAccount(ctx, id)
  if (ctx.authority === id || ctx.env.genesis) return row
  return ctx.get(domains, row.domain)?.owner === ctx.authority
    ? row
    : reject('not_permitted', `${what} is for itself and for the owner of its domain`)
}

export const execute = {
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
      if (row.label === label) return reject('bad_label', 'it has this label already')
      const refused = claimLabel(ctx, account, row.domain, label) ?? releaseLabel(ctx, account, row.domain, row.label)
      if (refused !== undefined) return refused
      ctx.set(accounts, account, { ...row, label })
      ctx.emit(events.labelChanged, { account, domain: row.domain, label })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
