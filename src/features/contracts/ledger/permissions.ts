/** Owns the permissions of contracts. */
import type { Permission } from '../../../executor/permission.js'
import { newGlobal, onDomain } from '../../../ledger/permission-kinds.js'

export const CONTRACT_PERMISSIONS = {
  CanDeployContract: newGlobal('CanDeployContract'),
  CanManageContractAlias: onDomain('CanManageContractAlias'),
} as const satisfies Record<string, Permission>
