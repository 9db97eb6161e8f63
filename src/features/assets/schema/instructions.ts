/** Owns the records of the instructions about assets (docs/design/lanes.md 1). */

import { type Infer, list, numeric, option, struct, u8 } from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  assetId,
  BATCH_MAX,
  defineInstruction,
  metadata,
  mintable,
} from '../../../model/index.js'
import { ASSET_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterAssetDefinition extends Infer<typeof registerAssetDefinition_> {}
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
export interface Amount extends Infer<typeof mint_> {}
const mint_ = struct('Mint', { asset: assetId, amount: numeric })
export const mint = defineInstruction<Amount>(ID.mint, 'mint', 'asset::mint', mint_)
const burn_ = struct('Burn', { asset: assetId, amount: numeric })
export const burn = defineInstruction<Amount>(ID.burn, 'burn', 'asset::burn', burn_)

export interface Transfer extends Infer<typeof transferRecord> {}
export const transferRecord = struct('Transfer', {
  /** Source balance. */
  asset: assetId,
  to: accountId,
  amount: numeric,
})

export const transfer = defineInstruction<Transfer>(ID.transfer, 'transfer', 'asset::transfer', transferRecord)

export interface UnregisterAssetDefinition extends Infer<typeof unregisterAssetDefinition_> {}
const unregisterAssetDefinition_ = struct('UnregisterAssetDefinition', { id: assetDefinitionId })
export const unregisterAssetDefinition = defineInstruction<UnregisterAssetDefinition>(
  ID.unregisterAssetDefinition,
  'unregisterAssetDefinition',
  'asset_definition::unregister',
  unregisterAssetDefinition_,
)

export interface TransferBatch extends Infer<typeof transferBatch_> {}
const transferBatch_ = struct('TransferBatch', {
  /** All of them or none. */
  transfers: list(transferRecord, BATCH_MAX),
})
export const transferBatch = defineInstruction<TransferBatch>(
  ID.transferBatch,
  'transferBatch',
  'asset::transfer_batch',
  transferBatch_,
)
