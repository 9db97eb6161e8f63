/** Owns the permissions to change metadata. */

import type { Permission } from '../../../executor/permission.js'
import { onAccount, onDefinition, onDomain, onNft, onTrigger } from '../../../ledger/permission-kinds.js'

export const METADATA_PERMISSIONS = {
  CanModifyDomainMetadata: onDomain('CanModifyDomainMetadata'),
  CanModifyAccountMetadata: onAccount('CanModifyAccountMetadata'),
  CanModifyDefinitionMetadata: onDefinition('CanModifyDefinitionMetadata'),
  CanModifyNftMetadata: onNft('CanModifyNftMetadata', 'domainOwner'),
  CanModifyTriggerMetadata: onTrigger('CanModifyTriggerMetadata'),
} as const satisfies Record<string, Permission>
