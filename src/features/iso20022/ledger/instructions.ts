/** Owns the execution of the bridge's instructions (docs/design/iso20022.md 2). */

import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { hasRule } from '../../../executor/rules.js'
import { currencies, currencyTimes, definitionOfCurrency, ibans } from '../../../ledger/iso-bindings.js'
import { amountFault } from '../../../ledger/money.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { definitions, domains } from '../../../ledger/tables.js'
import type { AccountId } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { claimMessage } from './claims.js'
import { ISO_PERMISSIONS } from './permissions.js'
import { ISO_RULES } from './rules.js'
import { settlePayments } from './settle.js'
import { submitterOf } from './submitters.js'
import { type Submitter, submitters, submitterTimes } from './tables.js'

/** Rejection unless the authority manages the home domain of an account. */
function manages(ctx: ExecContext, account: AccountId, what: string): Rejection | undefined {
  const row = ctx.get(accounts, account)
  if (row === undefined) return unknownAccount(ctx, account)
  return managesDomain(ctx, row.domain, what)
}

function managesDomain(ctx: ExecContext, domain: string, what: string): Rejection | undefined {
  const row = ctx.get(domains, domain)
  if (row === undefined) return reject('absent', `domain ${domain} does not exist`)
  return requirePermission(ctx, what, row.owner, [ISO_PERMISSIONS.CanManageIso, domain])
}

const managesCurrencies = (ctx: ExecContext): Rejection | undefined =>
  requirePermission(ctx, 'binding a currency', undefined, [ISO_PERMISSIONS.CanManageIsoCurrencies, undefined])

type Debtor = Submitter['debtor']

const TEU_PER_DEBTOR = 4

/** Rejection unless the authority manages all accounts that may be debited. */
function debtorFault(ctx: ExecContext, debtor: Debtor): Rejection | undefined {
  if (debtor.kind === 'domain') return managesDomain(ctx, debtor.value, 'setting a submitter')
  for (const account of debtor.value) {
    const denied = manages(ctx, account, 'setting a submitter')
    if (denied) return denied
  }
  return undefined
}

/** Existing accounts among those that may be debited; removed ones need no permission. */
function presentOf(ctx: ExecContext, debtor: Debtor): Debtor {
  if (debtor.kind === 'accounts') {
    ctx.take(TEU_PER_DEBTOR * debtor.value.length)
    return { kind: 'accounts', value: debtor.value.filter((account) => ctx.has(accounts, account)) }
  }
  return ctx.has(domains, debtor.value) ? debtor : { kind: 'accounts', value: [] }
}

/**
 * Rejection if the authority may not replace the row of a submitter, or may not create a row without debtors. The
 * manager of the submitter may do both; any other authority must manage the current and the new debtors, and there must
 * be at least one.
 */
function replacementFault(ctx: ExecContext, submitter: AccountId, debtor: Debtor): Rejection | undefined {
  const denied = manages(ctx, submitter, 'setting a submitter')
  if (denied === undefined) return undefined
  if (debtor.kind === 'accounts' && debtor.value.length === 0) return denied
  const before = submitterOf(ctx, submitter)
  return before && debtorFault(ctx, presentOf(ctx, before.debtor))
}

export const execute = {
  bindIban: {
    cost: { base: 96 },
    execute(ctx, value) {
      const denied = manages(ctx, value.account, 'binding an IBAN')
      if (denied) return denied
      const bound = ctx.get(ibans, value.iban)
      // Binding it to the same account again has no effect and succeeds.
      if (bound === value.account) return undefined
      if (bound !== undefined) return reject('exists', `IBAN ${value.iban} is bound to another account`)
      ctx.set(ibans, value.iban, value.account)
      ctx.emit(events.ibanBound, value)
      return undefined
    },
  },

  unbindIban: {
    cost: { base: 96 },
    execute(ctx, value) {
      const bound = ctx.get(ibans, value.iban)
      if (bound === undefined) return reject('absent', `IBAN ${value.iban} is not bound`)
      const denied = manages(ctx, bound, 'unbinding an IBAN')
      // The ledger does not know which bank an IBAN belongs to, so an authority over the whole ledger decides
      // conflicts.
      const isDecided = hasRule(ctx, ISO_RULES.decidedIbans) && managesCurrencies(ctx) === undefined
      if (denied && !isDecided) return denied
      ctx.delete(ibans, value.iban)
      ctx.emit(events.ibanUnbound, value)
      return undefined
    },
  },

  bindCurrency: {
    cost: { base: 96 },
    execute(ctx, value) {
      const denied = managesCurrencies(ctx)
      if (denied) return denied
      if (ctx.get(definitions, value.definition) === undefined) {
        return reject('absent', `asset definition ${value.definition} does not exist`)
      }
      const isDated = hasRule(ctx, ISO_RULES.datedCurrencies)
      const bound = isDated ? definitionOfCurrency(ctx, value.currency) : ctx.get(currencies, value.currency)
      if (bound === value.definition) return undefined
      if (bound !== undefined) return reject('exists', `${value.currency} is bound to ${bound}`)
      ctx.set(currencies, value.currency, value.definition)
      if (isDated) ctx.set(currencyTimes, value.currency, ctx.incarnation())
      ctx.emit(events.currencyBound, value)
      return undefined
    },
  },

  unbindCurrency: {
    cost: { base: 96 },
    execute(ctx, value) {
      const denied = managesCurrencies(ctx)
      if (denied) return denied
      if (ctx.get(currencies, value.currency) === undefined) return reject('absent', `${value.currency} is not bound`)
      ctx.delete(currencies, value.currency)
      if (hasRule(ctx, ISO_RULES.datedCurrencies)) ctx.delete(currencyTimes, value.currency)
      ctx.emit(events.currencyUnbound, value)
      return undefined
    },
  },

  setSubmitter: {
    // Each account that it may debit is read.
    cost: {
      base: 128,
      per: [
        {
          teu: TEU_PER_DEBTOR,
          item: 'account that it may debit',
          count: ({ debtor }) => (debtor.kind === 'accounts' ? debtor.value.length : 1),
        },
      ],
    },
    execute(ctx, value) {
      if (ctx.get(accounts, value.submitter) === undefined) {
        return unknownAccount(ctx, value.submitter, 'submitter')
      }
      const denied =
        debtorFault(ctx, value.debtor) ??
        (hasRule(ctx, ISO_RULES.replacement) ? replacementFault(ctx, value.submitter, value.debtor) : undefined)
      if (denied) return denied
      const twice = new Set(value.limits.map((one) => one.definition)).size < value.limits.length
      if (twice) return reject('bad_amount', 'a definition can have only one limit')
      for (const { definition, perPayment, perDay } of value.limits) {
        const row = ctx.get(definitions, definition)
        if (row === undefined) return reject('absent', `asset definition ${definition} does not exist`)
        for (const amount of [perPayment, perDay]) {
          const fault = amount === undefined ? undefined : amountFault(amount, row.scale)
          if (fault) return fault
        }
      }
      const { bics, debtor, limits } = value
      ctx.set(submitters, value.submitter, { bics, debtor, limits })
      if (hasRule(ctx, ISO_RULES.datedSubmitters)) ctx.set(submitterTimes, value.submitter, ctx.incarnation())
      ctx.emit(events.submitterSet, { submitter: value.submitter })
      return undefined
    },
  },

  claimMessage,
  settlePayments,
} satisfies Partial<Executions<typeof instructions>>
