/** Owns the income of a class: its issuer pays cash into the vault of the class, and owners of lots claim it. */
import { normalizeNumeric } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import {
  holderOf,
  INCOME_END,
  INCOME_PARTS,
  indexOf,
  ownerOf,
  quotient,
  unitsAt,
  whole,
  writeHolder,
} from '../../../ledger/lot-income.js'
import { type RwaClass, rwaClasses, rwaLots } from '../../../ledger/lot-tables.js'
import { type FoundClass, findClass, findLot, repeatedFault, settleIncome } from '../../../ledger/lots.js'
import { balanceOf } from '../../../ledger/money.js'
import { definitionOf, payAgreed } from '../../../ledger/moves.js'
import { requirePermission } from '../../../ledger/permissions.js'
import type { Definition } from '../../../ledger/tables.js'
import { openVault, vaultOf } from '../../../ledger/vaults.js'
import { type AccountId, parseLot } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { domainOfClass } from './classes.js'

/** Vault of the income of a class. */
const vaultKey = (id: string) => ({ feature: 'rwas', key: hash('rwa-income', Buffer.from(id, 'utf8')) })
export const incomeVault = (id: string): AccountId => vaultOf(vaultKey(id))

/** Fraction digits of the cash, or the rejection; income is shared in the smallest units of the cash. */
const scaleOf = ({ scale }: Definition, cash: string): number | Rejection =>
  scale ?? reject('bad_scale', `income is shared in the smallest units of its cash, but ${cash} has no scale`)

/** Class after income of some units of cash was added, or the rejection. */
function withIncome(found: FoundClass, cash: string, units: bigint, pool: bigint): RwaClass | Rejection {
  const total = unitsAt(found.definition.total, found.scale)
  if (total === 0n) return reject('bad_amount', `class ${found.id} has no lots`)
  const shared = units * INCOME_PARTS + (found.rwaClass.income?.carry.mantissa ?? 0n)
  const index = indexOf(found.rwaClass).mantissa + quotient(shared, total)
  if (index >= INCOME_END || pool * INCOME_PARTS >= INCOME_END) {
    return reject('overflow', `the income of class ${found.id} is too large to be shared exactly`)
  }
  return { ...found.rwaClass, income: { cash, index: whole(index), carry: whole(shared % total) } }
}

/** Pay the whole units of income owed to an account; false if less than one unit is owed. */
function payOwed(ctx: ExecContext, id: string, cash: string, scale: number, account: AccountId): boolean | Rejection {
  const row = holderOf(ctx, id, account)
  const units = quotient(row.owed.mantissa, INCOME_PARTS)
  if (units === 0n) return false
  const amount = normalizeNumeric({ mantissa: units, scale })
  if (amount === undefined) throw new Error(`income of class ${id} exceeds an amount`)
  writeHolder(ctx, id, account, { ...row, owed: whole(row.owed.mantissa - units * INCOME_PARTS) })
  const asset = { definition: cash, account: incomeVault(id) }
  const failed = payAgreed(ctx, { asset, to: account, amount }, { isVaultOpen: true })
  if (failed) return failed
  ctx.emit(events.rwaIncomeClaimed, { class: id, account, amount })
  return true
}

/** Settle lots of a class; returns their owners, or the rejection. */
function settledOwners(ctx: ExecContext, id: string, lots: readonly string[]): readonly AccountId[] | Rejection {
  const owners: AccountId[] = []
  for (const lot of lots) {
    if (parseLot(lot).definition !== id) return reject('lot_mismatch', `lot ${lot} is not of class ${id}`)
    const found = findLot(ctx, lot)
    if ('code' in found) return found
    settleIncome(ctx, found)
    ctx.set(rwaLots, found.key, { kind: 'live', value: { ...found.lot, incomeIndex: indexOf(found.rwaClass) } })
    owners.push(ownerOf(found.lot))
  }
  return owners
}

export const execute = {
  declareRwaIncome: {
    cost: { base: 300 },
    primaryDomain: domainOfClass,
    execute(ctx, { class: id, cash, amount }) {
      const found = findClass(ctx, id)
      if ('code' in found) return found
      const money = definitionOf(ctx, { definition: cash })
      if ('code' in money) return money
      const denied = requirePermission(ctx, 'declaring income', found.definition.owner)
      if (denied) return denied
      const scale = scaleOf(money, cash)
      if (typeof scale !== 'number') return scale
      const { income } = found.rwaClass
      if (income !== undefined && income.cash !== cash) {
        return reject('exists', `the income of class ${id} is paid in ${income.cash}`)
      }
      if (income === undefined) {
        const vault = openVault(ctx, { ...vaultKey(id), definition: id, beneficiary: found.definition.owner })
        if (typeof vault !== 'string') return vault
      }
      const to = incomeVault(id)
      const payment = { asset: { definition: cash, account: ctx.authority }, to, amount }
      const failed = payAgreed(ctx, payment, { isVaultOpen: true })
      if (failed) return failed
      const pool = unitsAt(balanceOf(ctx, { definition: cash, account: to }), scale)
      const next = withIncome(found, cash, unitsAt(amount, scale), pool)
      if ('code' in next) return next
      ctx.set(rwaClasses, id, next)
      ctx.emit(events.rwaIncomeDeclared, { class: id, cash, amount })
      return undefined
    },
  },

  claimRwaIncome: {
    cost: {
      base: 200,
      per: [{ teu: 160, item: 'lot and account', count: ({ lots, accounts }) => lots.length + accounts.length }],
    },
    primaryDomain: domainOfClass,
    execute(ctx, { class: id, lots, accounts }) {
      const found = findClass(ctx, id)
      if ('code' in found) return found
      const repeated = repeatedFault(lots)
      if (repeated) return repeated
      const { income } = found.rwaClass
      if (income === undefined) return reject('absent', `class ${id} has no income`)
      const money = definitionOf(ctx, { definition: income.cash })
      if ('code' in money) return money
      const scale = scaleOf(money, income.cash)
      if (typeof scale !== 'number') return scale
      const owners = settledOwners(ctx, id, lots)
      if ('code' in owners) return owners
      let isPaid = false
      for (const account of new Set([...owners, ...accounts])) {
        const paid = payOwed(ctx, id, income.cash, scale, account)
        if (typeof paid !== 'boolean') return paid
        isPaid ||= paid
      }
      return isPaid
        ? undefined
        : reject('not_enough', 'the named owners and accounts are owed less than one unit of cash')
    },
  },
} satisfies Partial<Executions<typeof instructions>>
