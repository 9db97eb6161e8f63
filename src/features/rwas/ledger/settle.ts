/** Owns delivery of a lot against payment, with the events and receipts of settlements of lanes. */
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { findLot, moveLot } from '../../../ledger/lots.js'
import { ZERO } from '../../../ledger/money.js'
import { heldDefinition, transferAs } from '../../../ledger/moves.js'
import { laneFault, recordReceipt, sourceFault } from '../../../ledger/settlements.js'
import { domainOfDefinition, parseLot } from '../../../model/index.js'
import { events as laneEvents } from '../../lanes/schema/events.js'
import { type instructions, lotSettlementObject, type SettleRwaDvp } from '../schema/instructions.js'
import { lotSettlements } from './tables.js'

/** Move the lot to the buyer. */
function deliver(ctx: ExecContext, terms: SettleRwaDvp): Rejection | undefined {
  const { lot, quantity, to } = terms.delivery
  const found = findLot(ctx, lot)
  if ('code' in found) return found
  const denied = sourceFault(ctx, found.lot.holder, (source) => lotSettlementObject(terms, source))
  if (denied) return denied
  const moved = moveLot(ctx, found, { to, quantity })
  return typeof moved === 'string' ? undefined : moved
}

/** Move the cash to the seller. */
function pay(ctx: ExecContext, terms: SettleRwaDvp): Rejection | undefined {
  const { payment } = terms
  const definition = heldDefinition(ctx, payment.asset)
  if ('code' in definition) return definition
  return (
    sourceFault(ctx, payment.asset.account, (source) => lotSettlementObject(terms, source)) ??
    transferAs(ctx, definition, payment)
  )
}

/** Write a receipt of each leg in the unit of settlement. */
function record(ctx: ExecContext, { delivery, payment }: SettleRwaDvp): Rejection | undefined {
  const unit = { definition: payment.asset.definition, amount: payment.amount }
  const delivered = { definition: parseLot(delivery.lot).definition, amount: delivery.quantity }
  for (const local of [delivered, unit]) {
    const fault = recordReceipt(
      ctx,
      {
        localDefinition: local.definition,
        localAmount: local.amount,
        unitDefinition: unit.definition,
        unitDue: unit.amount,
        unitAfterHaircut: unit.amount,
        unitVariance: ZERO,
      },
      undefined,
    )
    if (fault) return fault
  }
  return undefined
}

export const execute = {
  settleRwaDvp: {
    cost: { base: 700 },
    primaryDomain: ({ payment }) => domainOfDefinition(payment.asset.definition),
    settles: ({ payment }) => payment.asset.definition,
    execute(ctx, terms) {
      const { id } = terms
      if (ctx.get(lotSettlements, id) !== undefined) return reject('exists', `settlement ${id} already exists`)
      const failed = laneFault(ctx) ?? deliver(ctx, terms) ?? pay(ctx, terms)
      if (failed) return failed
      ctx.set(lotSettlements, id, { transactionHash: ctx.transaction.id, height: ctx.env.height })
      ctx.emit(laneEvents.settled, { id })
      return record(ctx, terms)
    },
  },
} satisfies Partial<Executions<typeof instructions>>
