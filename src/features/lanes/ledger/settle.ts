/** Owns settlement: delivery against payment, payment against payment, recorded receipts (docs/design/lanes.md 1 and 7, rows 41 to 43). */
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import type { SettlementFigures } from '../../../lanes/index.js'
import { ZERO } from '../../../ledger/money.js'
import { heldDefinition, transferAs } from '../../../ledger/moves.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { laneFault, recordReceipt, sourceFault } from '../../../ledger/settlements.js'
import { definitions } from '../../../ledger/tables.js'
import { domainOfDefinition } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type * as schema from '../schema/instructions.js'
import { type instructions, settlementObject } from '../schema/instructions.js'
import { LANE_PERMISSIONS } from './permissions.js'
import { settlements } from './tables.js'

/** Move both legs or none, and record a receipt of each in the unit of settlement. */
function settle(
  ctx: ExecContext,
  id: string,
  legs: readonly [schema.SettlementLeg, schema.SettlementLeg],
  unit: schema.SettlementLeg,
): Rejection | undefined {
  if (ctx.get(settlements, id) !== undefined) return reject('exists', `settlement ${id} already exists`)
  const outside = laneFault(ctx)
  if (outside) return outside
  for (const leg of legs) {
    const failed = moveLeg(ctx, id, legs, leg)
    if (failed) return failed
  }
  ctx.set(settlements, id, { transactionHash: ctx.transaction.id, height: ctx.env.height })
  ctx.emit(events.settled, { id })
  for (const leg of legs) {
    const figures: SettlementFigures = {
      localDefinition: leg.asset.definition,
      localAmount: leg.amount,
      unitDefinition: unit.asset.definition,
      unitDue: unit.amount,
      unitAfterHaircut: unit.amount,
      unitVariance: ZERO,
    }
    const fault = recordReceipt(ctx, figures, undefined)
    if (fault) return fault
  }
  return undefined
}

function moveLeg(
  ctx: ExecContext,
  id: string,
  legs: readonly schema.SettlementLeg[],
  { asset, to, amount }: schema.SettlementLeg,
): Rejection | undefined {
  const definition = heldDefinition(ctx, asset)
  if ('code' in definition) return definition
  const source = asset.account
  if (to === source) return reject('self_transfer', 'source and destination of a leg are the same account')
  const denied = sourceFault(ctx, source, (account) => settlementObject(id, legs, account))
  if (denied) return denied
  return transferAs(ctx, definition, { asset, to, amount })
}

const SETTLE_COST = { base: 400 }

export const execute = {
  settleDvp: {
    cost: SETTLE_COST,
    primaryDomain: ({ payment }) => domainOfDefinition(payment.asset.definition),
    settles: ({ payment }) => payment.asset.definition,
    execute: (ctx, { id, delivery, payment }) => settle(ctx, id, [delivery, payment], payment),
  },

  settlePvp: {
    cost: SETTLE_COST,
    primaryDomain: ({ first }) => domainOfDefinition(first.asset.definition),
    settles: ({ first }) => first.asset.definition,
    execute: (ctx, { id, first, second }) => settle(ctx, id, [first, second], first),
  },

  recordSettlement: {
    cost: { base: 200 },
    primaryDomain: ({ receipt }) => domainOfDefinition(receipt.unitDefinition),
    settles: ({ receipt }) => receipt.unitDefinition,
    execute(ctx, { lane, receipt, swap }) {
      const refused = requirePermission(ctx, 'recording a settlement', undefined, [
        LANE_PERMISSIONS.CanRecordSettlement,
        String(lane),
      ])
      if (refused) return refused
      if (ctx.transaction.lane !== lane) {
        return reject(
          'lane_mismatch',
          `the receipt is for lane ${lane}, the transaction is in lane ${ctx.transaction.lane}`,
        )
      }
      for (const definition of [receipt.localDefinition, receipt.unitDefinition]) {
        if (!ctx.has(definitions, definition)) return reject('absent', `asset definition ${definition} does not exist`)
      }
      return recordReceipt(ctx, receipt, swap)
    },
  },
} satisfies Partial<Executions<typeof instructions>>
