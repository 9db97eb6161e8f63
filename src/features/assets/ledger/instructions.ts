/** Owns the asset instructions: register a definition, mint, burn, transfer (docs/design/lanes.md 1, rows 10 to 15). */

import { countUse } from '../../../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { dropMetadata } from '../../../executor/metadata.js'
import { valuesToCome } from '../../../executor/parameters.js'
import { ASSET_PERMISSIONS, assetObject } from '../../../ledger/asset-permissions.js'
import { registerDefinition } from '../../../ledger/definitions.js'
import { removeClass } from '../../../ledger/lots.js'
import { countMember } from '../../../ledger/members.js'
import { burnAs, definitionOf, heldDefinition, mintAs, transferAs } from '../../../ledger/moves.js'
import { holds, requirePermission, tokenFor } from '../../../ledger/permissions.js'
import { definitions } from '../../../ledger/tables.js'
import { domainOfDefinition } from '../../../model/index.js'
import { FEE_ASSET } from '../../fees/schema.js'
import { events } from '../schema/events.js'
import type { instructions, Transfer } from '../schema/instructions.js'

/** Execute one transfer. Controls apply unless it is forced under the licence of the definition's owner. */
function pay(ctx: ExecContext, transfer: Transfer): Rejection | undefined {
  const { asset } = transfer
  const found = heldDefinition(ctx, asset)
  if ('code' in found) return found
  if (asset.account === ctx.authority) return transferAs(ctx, found, transfer)
  const denied = requirePermission(
    ctx,
    'transferring',
    asset.account,
    [ASSET_PERMISSIONS.CanTransfer, asset.definition],
    [ASSET_PERMISSIONS.CanTransferAsset, assetObject(asset)],
  )
  if (denied) return denied
  const isForced = holds(ctx, ctx.authority, tokenFor(ctx, ASSET_PERMISSIONS.CanTransfer, asset.definition))
  return transferAs(ctx, found, transfer, { isForced })
}

/** Units of one transfer beside its record, rows and events; a plain transfer is then metered at no more than 240. */
const TRANSFER_TEU = 38
/** Units of a transfer in a batch; 256 transfers with the longest names are then metered at no more than 60,000. */
const BATCHED_TRANSFER_TEU = 144

export const execute = {
  registerAssetDefinition: {
    cost: { base: 200 },
    primaryDomain: (value) => domainOfDefinition(value.id),
    execute: registerDefinition,
  },

  unregisterAssetDefinition: {
    cost: { base: 150 },
    primaryDomain: (value) => domainOfDefinition(value.id),
    execute(ctx, { id }) {
      const row = ctx.get(definitions, id)
      if (row === undefined) return reject('absent', `asset definition ${id} does not exist`)
      const denied = requirePermission(ctx, 'removing an asset definition', row.owner)
      if (denied) return denied
      if (row.total.mantissa > 0n) return reject('not_empty', `accounts still hold units of ${id}`)
      if (valuesToCome(ctx, FEE_ASSET).includes(id)) return reject('not_empty', `fees are paid in ${id}`)
      const kept = row.mintable.kind === 'lots' ? removeClass(ctx, id) : undefined
      if (kept) return kept
      ctx.delete(definitions, id)
      dropMetadata(ctx, { kind: 'definition', value: id })
      countUse(ctx, row.owner, 'objects', -1)
      countMember(ctx, domainOfDefinition(id), -1)
      ctx.emit(events.definitionDeleted, { definition: id })
      return undefined
    },
  },

  mint: {
    cost: { base: 150 },
    primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
    execute(ctx, { asset, amount }) {
      const found = definitionOf(ctx, asset)
      if ('code' in found) return found
      const denied = requirePermission(
        ctx,
        'minting',
        found.owner,
        [ASSET_PERMISSIONS.CanMint, asset.definition],
        [ASSET_PERMISSIONS.CanMintAsset, assetObject(asset)],
      )
      return denied ?? mintAs(ctx, found, asset, amount)
    },
  },

  burn: {
    cost: { base: 150 },
    primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
    execute(ctx, { asset, amount }) {
      const found = heldDefinition(ctx, asset)
      if ('code' in found) return found
      const denied =
        asset.account === ctx.authority
          ? undefined
          : requirePermission(
              ctx,
              'burning',
              found.owner,
              [ASSET_PERMISSIONS.CanBurn, asset.definition],
              [ASSET_PERMISSIONS.CanBurnAsset, assetObject(asset)],
            )
      return denied ?? burnAs(ctx, found, asset, amount)
    },
  },

  transfer: {
    cost: { base: TRANSFER_TEU },
    primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
    execute: pay,
  },

  transferBatch: {
    cost: {
      base: 0,
      per: [
        {
          teu: BATCHED_TRANSFER_TEU,
          item: 'transfer, at least one',
          count: ({ transfers }) => Math.max(1, transfers.length),
        },
      ],
    },
    primaryDomain: ({ transfers }) => [...new Set(transfers.map(({ asset }) => domainOfDefinition(asset.definition)))],
    execute(ctx, { transfers }) {
      if (transfers.length === 0) return reject('bad_amount', 'a batch must have at least one transfer')
      for (const one of transfers) {
        const failed = pay(ctx, one)
        if (failed) return failed
      }
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
