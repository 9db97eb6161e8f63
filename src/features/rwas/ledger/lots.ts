/** Owns the instructions by which lots appear and move: issue, transfer. */
import type { ExecContext, Rejection } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import { ASSET_PERMISSIONS, assetObject } from '../../../ledger/asset-permissions.js'
import {
  addLot,
  type FoundLot,
  findClass,
  findLot,
  moveLot,
  newHolderFault,
  pausedFault,
} from '../../../ledger/lots.js'
import { amountFault } from '../../../ledger/money.js'
import { mintAs } from '../../../ledger/moves.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domainOfDefinition, formatLot, lotPapers, parseLot } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { IssueRwa, instructions } from '../schema/instructions.js'

/** Domain of a lot. */
export const domainOfLot = ({ lot }: { readonly lot: string }): string => domainOfDefinition(parseLot(lot).definition)

/** Bytes of the papers of a lot. */
const papersBytes = ({ attributes, grade, reference }: IssueRwa): number =>
  lotPapers.attributes.encode(attributes).length + Buffer.byteLength(grade) + Buffer.byteLength(reference)

/** Why the authority may not move a lot as its holder, or undefined. */
export const holderFault = (ctx: ExecContext, { id, lot }: FoundLot): Rejection | undefined =>
  requirePermission(ctx, 'moving a lot', lot.holder, [
    ASSET_PERMISSIONS.CanTransferAsset,
    assetObject({ definition: id, account: lot.holder }),
  ])

export const execute = {
  issueRwa: {
    cost: { base: 260, per: [perContent('papers', papersBytes)] },
    primaryDomain: ({ class: id }) => domainOfDefinition(id),
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
        ...{ holder: to, beneficiary: undefined, quantity, frozen: false, parents: [], holds: [], nextHold: 1 },
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
      const denied = holderFault(ctx, found)
      if (denied) return denied
      const moved = moveLot(ctx, found, { to, quantity })
      return typeof moved === 'string' ? undefined : moved
    },
  },
} satisfies Partial<Executions<typeof instructions>>
