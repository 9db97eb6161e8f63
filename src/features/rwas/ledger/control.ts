/** Owns the powers of an issuer over lots: freeze, hold, release, forced transfer. */
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { ASSET_PERMISSIONS } from '../../../ledger/asset-permissions.js'
import { rwaLots } from '../../../ledger/lot-tables.js'
import {
  type FoundClass,
  type FoundLot,
  findLot,
  holdsAt,
  moveLot,
  quantityFault,
  repeatedFault,
} from '../../../ledger/lots.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { formatLot, HOLDS_MAX, type LotHold, type LotHoldKind, type RwaFlag } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { domainOfLot, domainsOfLots } from './lots.js'

/** Rejection if a class does not have a power, or undefined. */
export const powerFault = ({ id, rwaClass }: FoundClass, flag: RwaFlag): Rejection | undefined =>
  rwaClass.flags[flag] ? undefined : reject('control_off', `class ${id} does not have the power ${flag}`)

const controlFault = (ctx: ExecContext, { id, definition }: FoundClass): Rejection | undefined =>
  requirePermission(ctx, 'controlling a lot', definition.owner, [ASSET_PERMISSIONS.CanControl, id])

/** Add a hold to a lot; its quantity can then not be moved. */
export function addHold(
  ctx: ExecContext,
  found: FoundLot,
  kind: LotHoldKind,
  { quantity, untilMs, reason }: Pick<LotHold, 'quantity' | 'untilMs' | 'reason'>,
): Rejection | undefined {
  const { key, lot } = found
  const held = holdsAt(lot, ctx.env.timeMs)
  const failed =
    quantityFault(ctx, found, quantity) ??
    (held.length >= HOLDS_MAX ? reject('lot_held', `a lot has at most ${HOLDS_MAX} holds`) : undefined)
  if (failed) return failed
  const hold = { id: lot.nextHold, kind, quantity, untilMs, reason }
  const value = { ...lot, holds: [...held, hold], nextHold: lot.nextHold + 1 }
  ctx.set(rwaLots, key, { kind: 'live', value })
  ctx.emit(events.rwaHeld, { lot: formatLot(key), hold })
  return undefined
}

/** Hold of a lot by its kind and id, or `absent`. */
export function findHold(ctx: ExecContext, { key, lot }: FoundLot, kind: LotHoldKind, id: number): LotHold | Rejection {
  const hold = holdsAt(lot, ctx.env.timeMs).find((one) => one.kind === kind && one.id === id)
  return hold ?? reject('absent', `lot ${formatLot(key)} has no ${kind} hold ${id}`)
}

/** Lot after the removal of a hold. */
export const withoutHold = (found: FoundLot, { id }: LotHold): FoundLot => ({
  ...found,
  lot: { ...found.lot, holds: found.lot.holds.filter((one) => one.id !== id) },
})

/** Remove a hold. */
export function dropHold(ctx: ExecContext, found: FoundLot, hold: LotHold, reason: string): void {
  ctx.set(rwaLots, found.key, { kind: 'live', value: withoutHold(found, hold).lot })
  ctx.emit(events.rwaReleased, { lot: formatLot(found.key), hold: hold.id, reason })
}

export const execute = {
  freezeRwa: {
    cost: { base: 160 },
    primaryDomain: domainOfLot,
    execute(ctx, { lot: id, frozen, reason }) {
      const found = findLot(ctx, id)
      if ('code' in found) return found
      // A lot that was frozen before the power was cleared can still be unfrozen.
      const failed = controlFault(ctx, found) ?? (frozen ? powerFault(found, 'freeze') : undefined)
      if (failed) return failed
      ctx.set(rwaLots, found.key, { kind: 'live', value: { ...found.lot, frozen } })
      ctx.emit(events.rwaFrozen, { lot: id, frozen, reason })
      return undefined
    },
  },

  holdRwa: {
    cost: { base: 160 },
    primaryDomain: domainOfLot,
    execute(ctx, { lot: id, ...hold }) {
      const found = findLot(ctx, id)
      if ('code' in found) return found
      return controlFault(ctx, found) ?? powerFault(found, 'hold') ?? addHold(ctx, found, 'legal', hold)
    },
  },

  releaseRwa: {
    cost: { base: 160 },
    primaryDomain: domainOfLot,
    execute(ctx, { lot: id, hold: number, reason }) {
      const found = findLot(ctx, id)
      if ('code' in found) return found
      const hold = findHold(ctx, found, 'legal', number)
      if ('code' in hold) return hold
      const denied = controlFault(ctx, found)
      if (denied) return denied
      dropHold(ctx, found, hold, reason)
      return undefined
    },
  },

  forceTransferRwa: {
    cost: { base: 0, per: [{ teu: 320, item: 'lot, at least one', count: ({ lots }) => Math.max(1, lots.length) }] },
    primaryDomain: domainsOfLots,
    execute(ctx, { lots, to, reason }) {
      if (lots.length === 0) return reject('bad_amount', 'expected at least one lot')
      const repeated = repeatedFault(lots)
      if (repeated) return repeated
      for (const id of lots) {
        const found = findLot(ctx, id)
        if ('code' in found) return found
        const failed =
          requirePermission(ctx, 'transferring a lot without its holder', found.definition.owner, [
            ASSET_PERMISSIONS.CanTransfer,
            found.id,
          ]) ?? powerFault(found, 'force')
        if (failed) return failed
        const moved = moveLot(ctx, found, { to }, { isForced: true, reason })
        if (typeof moved !== 'string') return moved
      }
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
