/** Owns the permissions on roles and ownership. */

import type { Permission } from '../../../executor/permission.js'
import { global, onNft } from '../../../ledger/permission-kinds.js'

export const GRANT_PERMISSIONS = {
  CanManageRoles: global('CanManageRoles'),
  CanTransferNft: onNft('CanTransferNft', 'owner'),
} as const satisfies Record<string, Permission>
