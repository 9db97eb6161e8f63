/** Owns permissions of the core: the names, who may grant them, and the one question that instructions ask. */

import type { Permission } from '../../executor/contract.js'
import { CAN_REGISTER_ACCOUNT } from '../../ledger/accounts.js'
import { global, onAccount, onAsset, onDefinition, onDomain, onNft, onTrigger } from '../../ledger/permission-kinds.js'

export const PERMISSIONS = {
  CanManagePeers: global('CanManagePeers'),
  CanManageConsensusKeys: global('CanManageConsensusKeys'),
  CanRegisterDomain: global('CanRegisterDomain'),
  CanSetParameters: global('CanSetParameters'),
  CanManageRoles: global('CanManageRoles'),
  CanManageRuntimeUpgrades: global('CanManageRuntimeUpgrades'),
  CanWatchEvents: global('CanWatchEvents'),
  CanUnregisterDomain: onDomain('CanUnregisterDomain'),
  CanRegisterNft: onDomain('CanRegisterNft'),
  CanRegisterAccount: CAN_REGISTER_ACCOUNT,
  CanRegisterAssetDefinition: onDomain('CanRegisterAssetDefinition'),
  CanModifyDomainMetadata: onDomain('CanModifyDomainMetadata'),
  CanModifyAccountMetadata: onAccount('CanModifyAccountMetadata'),
  CanModifyDefinitionMetadata: onDefinition('CanModifyDefinitionMetadata'),
  CanMint: onDefinition('CanMint'),
  CanBurn: onDefinition('CanBurn'),
  CanTransfer: onDefinition('CanTransfer'),
  CanControl: onDefinition('CanControl'),
  CanMintAsset: onAsset('CanMintAsset', 'definitionOwner'),
  CanBurnAsset: onAsset('CanBurnAsset', 'definitionOwner'),
  CanTransferAsset: onAsset('CanTransferAsset', 'holder'),
  CanTransferNft: onNft('CanTransferNft', 'owner'),
  CanModifyNftMetadata: onNft('CanModifyNftMetadata', 'domainOwner'),
  CanRegisterTrigger: onAccount('CanRegisterTrigger'),
  CanManageTrigger: onTrigger('CanManageTrigger'),
  CanExecuteTrigger: onTrigger('CanExecuteTrigger'),
  CanModifyTriggerMetadata: onTrigger('CanModifyTriggerMetadata'),
} as const satisfies Record<string, Permission>
