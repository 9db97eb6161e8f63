/** Owns the permissions of assets. */

import type { Permission } from '../../../executor/contract.js'
import { onAsset, onDefinition, onDomain } from '../../../ledger/permission-kinds.js'

export const ASSET_PERMISSIONS = {
  CanRegisterAssetDefinition: onDomain('CanRegisterAssetDefinition'),
  CanMint: onDefinition('CanMint'),
  CanBurn: onDefinition('CanBurn'),
  CanTransfer: onDefinition('CanTransfer'),
  CanControl: onDefinition('CanControl'),
  CanMintAsset: onAsset('CanMintAsset', 'definitionOwner'),
  CanBurnAsset: onAsset('CanBurnAsset', 'definitionOwner'),
  CanTransferAsset: onAsset('CanTransferAsset', 'holder'),
} as const satisfies Record<string, Permission>
