/** Owns the instructions of plans, and the checks of a plan and a mandate before a subscription. */

import { sameBytes } from '../../../base/bytes.js'
import { NUMERIC_MAX_SCALE, type Numeric } from '../../../codec/index.js'
import { countUse } from '../../../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { amountFault } from '../../../ledger/money.js'
import { definitionOf } from '../../../ledger/moves.js'
import { exceeds } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { CreatePlan, instructions } from '../schema/instructions.js'
import { type Mandate, type PlanKey, type PlanTerms, planHashOf, UNITS_MAX } from '../schema/records.js'
import { isWithin } from './amounts.js'
import { type PlanRow, plans } from './tables.js'

const tooLarge = (what: string): Rejection => reject('bad_amount', `${what} exceeds ${UNITS_MAX} units`)

/** Reject an amount that is not positive, has too many digits or exceeds the bound of charges. */
export function boundedFault(amount: Numeric, scale: number | undefined, what: string): Rejection | undefined {
  return amountFault(amount, scale) ?? (isWithin(amount) ? undefined : tooLarge(what))
}

function termsFault({ fixed, usage }: PlanTerms, scale: number): Rejection | undefined {
  if (fixed === undefined && usage === undefined)
    return reject('bad_amount', 'a plan must have a price of a period or a price of usage')
  const fault = fixed === undefined ? undefined : boundedFault(fixed, scale, 'the price of a period')
  if (fault !== undefined || usage === undefined) return fault
  // A unit may cost less than the last digit of the asset: charges are rounded, prices are not.
  const { unitPrice, included } = usage
  if (included.mantissa < 0n) return reject('bad_amount', 'the included quantity must not be negative')
  return (
    boundedFault(unitPrice, undefined, 'the unit price') ??
    (isWithin(included) ? undefined : tooLarge('the included quantity'))
  )
}

/** Plan for a subscription, which must be open and have the signed hash; otherwise a rejection. */
export function agreedPlan(ctx: ExecContext, key: PlanKey, planHash: Uint8Array): PlanRow | Rejection {
  const plan = ctx.get(plans, key)
  if (plan === undefined) return absentPlan(key)
  if (!plan.isOpen) return reject('plan_closed', `plan ${key.plan} is closed to new subscribers`)
  return sameBytes(planHashOf(key, plan.terms), planHash)
    ? plan
    : reject('plan_changed', `the hash of plan ${key.plan} differs from the signed one`)
}

export const absentPlan = ({ plan }: PlanKey): Rejection => reject('absent', `plan ${plan} does not exist`)

/** Reject a mandate that does not cover a period of a plan or ends before its first charge. */
export function mandateFault(
  { maxPerPeriod, totalMax, untilMs }: Mandate,
  { terms }: PlanRow,
  firstMs: number,
): Rejection | undefined {
  const bad =
    boundedFault(maxPerPeriod, undefined, 'max_per_period') ??
    (totalMax === undefined ? undefined : boundedFault(totalMax, undefined, 'total_max'))
  if (bad !== undefined) return bad
  const { fixed } = terms
  const isBelow = (limit: Numeric | undefined): boolean =>
    fixed !== undefined && limit !== undefined && exceeds(fixed, limit)
  if (isBelow(maxPerPeriod)) return reject('mandate_too_small', 'max_per_period is less than the price of a period')
  if (isBelow(totalMax)) return reject('mandate_too_small', 'total_max is less than the price of a period')
  return untilMs !== undefined && untilMs <= firstMs
    ? reject('mandate_too_small', 'the mandate ends before the first charge')
    : undefined
}

export const execute = {
  createPlan: {
    cost: { base: 300 },
    execute(ctx, { plan, terms }: CreatePlan) {
      const provider = ctx.authority
      const key = { provider, plan }
      if (ctx.has(plans, key)) return reject('exists', `plan ${plan} of the account already exists`)
      const found = definitionOf(ctx, { definition: terms.asset })
      if ('code' in found) return found
      const scale = found.scale ?? NUMERIC_MAX_SCALE
      const fault = termsFault(terms, scale)
      if (fault !== undefined) return fault
      ctx.set(plans, key, { terms, scale, assetIncarnation: found.incarnation, isOpen: true })
      countUse(ctx, provider, 'objects', 1)
      ctx.emit(events.subscriptionPlanCreated, { ...key, planHash: planHashOf(key, terms) })
      return undefined
    },
  },

  closePlan: {
    cost: { base: 96 },
    execute(ctx, { plan }) {
      const key = { provider: ctx.authority, plan }
      const row = ctx.get(plans, key)
      if (row === undefined) return absentPlan(key)
      if (!row.isOpen) return reject('plan_closed', `plan ${plan} is already closed`)
      ctx.set(plans, key, { ...row, isOpen: false })
      countUse(ctx, key.provider, 'objects', -1)
      ctx.emit(events.subscriptionPlanClosed, key)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
