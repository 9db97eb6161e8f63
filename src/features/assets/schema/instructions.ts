/** Owns the records of the instructions about assets (docs/design/lanes.md 1). */

import { list, type Numeric, numeric, option, type Schema, struct, u8 } from '../../../codec/index.js'
import {
  type AccountId,
  type AssetId,
  accountId,
  assetDefinitionId,
  assetId,
  BATCH_MAX,
  defineInstruction,
  type Metadata,
  type Mintable,
  metadata,
  mintable,
} from '../../../model/index.js'
import { ASSET_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterAssetDefinition {
  readonly id: string
  readonly scale: number | undefined
  readonly mintable: Mintable
  readonly metadata: Metadata
}
const registerAssetDefinition_ = struct('RegisterAssetDefinition', {
  id: assetDefinitionId,
  scale: option(u8),
  mintable,
  metadata,
})
export const registerAssetDefinition = defineInstruction<RegisterAssetDefinition>(
  ID.registerAssetDefinition,
  'registerAssetDefinition',
  'asset_definition::register',
  registerAssetDefinition_,
)

/** A balance and the amount to add to it or take from it. */
export interface Amount {
  readonly asset: AssetId
  readonly amount: Numeric
}
const mint_ = struct('Mint', { asset: assetId, amount: numeric })
export const mint = defineInstruction<Amount>(ID.mint, 'mint', 'asset::mint', mint_)
const burn_ = struct('Burn', { asset: assetId, amount: numeric })
export const burn = defineInstruction<Amount>(ID.burn, 'burn', 'asset::burn', burn_)

export interface Transfer {
  /** Source balance. */
  readonly asset: AssetId
  readonly to: AccountId
  readonly amount: Numeric
}
const transfer_ = struct('Transfer', { asset: assetId, to: accountId, amount: numeric })
export const transferRecord: Schema<Transfer> = transfer_

export const transfer = defineInstruction<Transfer>(ID.transfer, 'transfer', 'asset::transfer', transferRecord)

export interface UnregisterAssetDefinition {
  readonly id: string
}
const unregisterAssetDefinition_ = struct('UnregisterAssetDefinition', { id: assetDefinitionId })
export const unregisterAssetDefinition = defineInstruction<UnregisterAssetDefinition>(
  ID.unregisterAssetDefinition,
  'unregisterAssetDefinition',
  'asset_definition::unregister',
  unregisterAssetDefinition_,
)

export interface TransferBatch {
  /** All of them or none. */
  readonly transfers: readonly Transfer[]
}
const transferBatch_ = struct('TransferBatch', { transfers: list(transferRecord, BATCH_MAX) })
export const transferBatch = defineInstruction<TransferBatch>(
  ID.transferBatch,
  'transferBatch',
  'asset::transfer_batch',
  transferBatch_,
)
