/** Owns the redemption of lots: the holder offers a quantity, the issuer burns or releases it. */
import type { Executions } from '../../../executor/feature.js'
import { ASSET_PERMISSIONS } from '../../../ledger/asset-permissions.js'
import { findLot, frozenFault, pausedFault, reduceLot, settleIncome } from '../../../ledger/lots.js'
import { ZERO } from '../../../ledger/money.js'
import { burnAs } from '../../../ledger/moves.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { subtract } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { addHold, dropHold, findHold, powerFault, withoutHold } from './control.js'
import { domainOfLot } from './lots.js'

export const execute = {
  requestRwaRedemption: {
    cost: { base: 200 },
    primaryDomain: domainOfLot,
    execute(ctx, { lot: id, quantity }) {
      const found = findLot(ctx, id)
      if ('code' in found) return found
      return (
        requirePermission(ctx, 'offering a lot for redemption', found.lot.holder) ??
        powerFault(found, 'redeem') ??
        pausedFault(found) ??
        frozenFault(found) ??
        addHold(ctx, found, 'redemption', { quantity, untilMs: undefined, reason: '' })
      )
    },
  },

  settleRwaRedemption: {
    cost: { base: 220 },
    primaryDomain: domainOfLot,
    execute(ctx, { lot: id, hold: number, accept }) {
      const found = findLot(ctx, id)
      if ('code' in found) return found
      const hold = findHold(ctx, found, 'redemption', number)
      if ('code' in hold) return hold
      const { holder } = found.lot
      const isOwn = !accept && ctx.authority === holder
      const denied = isOwn
        ? undefined
        : requirePermission(ctx, 'settling a redemption', found.definition.owner, [ASSET_PERMISSIONS.CanBurn, found.id])
      if (denied) return denied
      if (!accept) {
        dropHold(ctx, found, hold, '')
        return undefined
      }
      const { quantity } = hold
      const failed =
        pausedFault(found) ??
        frozenFault(found) ??
        burnAs(ctx, found.definition, { definition: found.id, account: holder }, quantity, { isLots: true })
      if (failed) return failed
      settleIncome(ctx, found)
      const rest = subtract(found.lot.quantity, quantity) ?? ZERO
      reduceLot(ctx, withoutHold(found, hold), rest, 'redeemed')
      ctx.emit(events.rwaRedeemed, { lot: id, hold: hold.id, holder, quantity, rest })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
