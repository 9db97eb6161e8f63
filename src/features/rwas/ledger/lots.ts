/** Owns the instructions that issue, transfer, split and merge lots. */
import type { Numeric } from '../../../codec/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import { ASSET_PERMISSIONS, assetObject } from '../../../ledger/asset-permissions.js'
import {
  addLot,
  childOf,
  type FoundLot,
  findClass,
  findLot,
  frozenFault,
  heldAt,
  moveLot,
  newHolderFault,
  pausedFault,
  quantityFault,
  reduceLot,
  repeatedFault,
  settleIncome,
} from '../../../ledger/lots.js'
import { amountFault, ZERO } from '../../../ledger/money.js'
import { mintAs } from '../../../ledger/moves.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { add, domainOfDefinition, formatLot, lotEvents, lotPapers, parseLot, subtract } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { IssueRwa, instructions } from '../schema/instructions.js'
import { domainOfClass } from './classes.js'

/** Domain of a lot. */
export const domainOfLot = ({ lot }: { readonly lot: string }): string => domainOfDefinition(parseLot(lot).definition)

/** Domains of lots. */
export const domainsOfLots = ({ lots }: { readonly lots: readonly string[] }): readonly string[] => [
  ...new Set(lots.map((lot) => domainOfLot({ lot }))),
]

/** Bytes of the papers of a lot. */
const papersBytes = ({ attributes, grade, reference }: IssueRwa): number =>
  lotPapers.attributes.encode(attributes).length + Buffer.byteLength(grade) + Buffer.byteLength(reference)

/** Reason why the parts of a split are invalid, or undefined; checks each part, then their sum. */
function partsFault(ctx: ExecContext, found: FoundLot, parts: readonly Numeric[]): Rejection | undefined {
  if (parts.length === 0) return reject('bad_amount', 'a lot must be split into at least one part')
  for (const part of parts) {
    const fault = amountFault(part, found.scale)
    if (fault !== undefined) return fault
  }
  const sum = sumOf(parts)
  return sum === undefined ? reject('overflow', 'the sum of the parts is too large') : quantityFault(ctx, found, sum)
}

/** Sum of quantities; undefined above 512 bits. */
function sumOf(quantities: readonly Numeric[]): Numeric | undefined {
  let sum: Numeric | undefined = ZERO
  for (const one of quantities) sum = sum === undefined ? undefined : add(sum, one)
  return sum
}

/** Lots to merge, or the rejection of the first one that cannot be merged. */
function mergedLots(ctx: ExecContext, ids: readonly string[]): readonly [FoundLot, ...FoundLot[]] | Rejection {
  const repeated = repeatedFault(ids)
  if (repeated !== undefined) return repeated
  const lots: FoundLot[] = []
  for (const id of ids) {
    const found = findLot(ctx, id)
    if ('code' in found) return found
    lots.push(found)
  }
  const [first, ...rest] = lots
  if (first === undefined || rest.length === 0) return reject('bad_amount', 'expected at least two lots')
  for (const check of [mergerFault, pausedFault, frozenFault, heldFault]) {
    for (const one of lots) {
      const fault = check(one, ctx)
      if (fault !== undefined) return fault
    }
  }
  const isAlike = rest.every(
    ({ id, lot }) => id === first.id && lot.grade === first.lot.grade && lot.expiresMs === first.lot.expiresMs,
  )
  return isAlike ? [first, ...rest] : reject('lot_mismatch', 'merged lots must have the same class, grade and expiry')
}

const mergerFault = ({ lot }: FoundLot, ctx: ExecContext): Rejection | undefined =>
  requirePermission(ctx, 'merging lots', lot.holder)

const heldFault = ({ key, lot }: FoundLot, ctx: ExecContext): Rejection | undefined =>
  heldAt(lot, ctx.env.timeMs).mantissa > 0n ? reject('lot_held', `a part of lot ${formatLot(key)} is held`) : undefined

export const execute = {
  issueRwa: {
    cost: { base: 260, per: [perContent('papers', papersBytes)] },
    primaryDomain: domainOfClass,
    execute(ctx, { class: id, to, quantity, ...papers }) {
      const found = findClass(ctx, id)
      if ('code' in found) return found
      const failed =
        requirePermission(ctx, 'issuing a lot', found.definition.owner, [ASSET_PERMISSIONS.CanMint, id]) ??
        pausedFault(found) ??
        amountFault(quantity, found.scale) ??
        newHolderFault(ctx, found, to) ??
        mintAs(ctx, found.definition, { definition: id, account: to }, quantity, { isLots: true })
      if (failed) return failed
      const key = addLot(ctx, found, {
        ...papers,
        holder: to,
        beneficiary: undefined,
        quantity,
        frozen: false,
        parents: [],
        holds: [],
        nextHold: 1,
      })
      ctx.emit(events.rwaIssued, { lot: formatLot(key), holder: to, quantity, reference: papers.reference })
      return undefined
    },
  },

  transferRwa: {
    cost: { base: 320 },
    primaryDomain: domainOfLot,
    execute(ctx, { lot, quantity, to }) {
      const found = findLot(ctx, lot)
      if ('code' in found) return found
      const { holder } = found.lot
      const denied = requirePermission(ctx, 'transferring a lot', holder, [
        ASSET_PERMISSIONS.CanTransferAsset,
        assetObject({ definition: found.id, account: holder }),
      ])
      if (denied) return denied
      const moved = moveLot(ctx, found, { to, quantity })
      return typeof moved === 'string' ? undefined : moved
    },
  },

  splitRwa: {
    cost: { base: 200, per: [{ teu: 160, item: 'part', count: ({ quantities }) => quantities.length }] },
    primaryDomain: domainOfLot,
    execute(ctx, { lot: id, quantities }) {
      const found = findLot(ctx, id)
      if ('code' in found) return found
      const { lot } = found
      const failed =
        requirePermission(ctx, 'splitting a lot', lot.holder) ??
        pausedFault(found) ??
        frozenFault(found) ??
        partsFault(ctx, found, quantities)
      if (failed) return failed
      settleIncome(ctx, found)
      let rest = lot.quantity
      for (const quantity of quantities) {
        rest = subtract(rest, quantity) ?? ZERO
        const child = formatLot(addLot(ctx, found, childOf(found, quantity, lot)))
        ctx.emit(lotEvents.rwaSplit, { lot: child, parent: id, from: lot.holder, to: lot.holder, quantity, rest })
      }
      reduceLot(ctx, found, rest, 'split')
      return undefined
    },
  },

  mergeRwa: {
    cost: { base: 200, per: [{ teu: 360, item: 'lot', count: ({ lots }) => lots.length }] },
    primaryDomain: domainsOfLots,
    execute(ctx, { lots }) {
      const found = mergedLots(ctx, lots)
      if ('code' in found) return found
      const [first] = found
      const { holder } = first.lot
      const quantity = sumOf(found.map(({ lot }) => lot.quantity))
      if (quantity === undefined) throw new Error(`lots of ${first.id} exceed its total`)
      for (const one of found) settleIncome(ctx, one)
      const parents = found.map(({ key, lot }) => ({ number: key.number, quantity: lot.quantity }))
      const key = addLot(ctx, first, { ...childOf(first, quantity, first.lot), parents })
      for (const one of found) reduceLot(ctx, one, ZERO, 'merged')
      ctx.emit(events.rwaMerged, { lot: formatLot(key), parents: lots, holder, quantity })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
