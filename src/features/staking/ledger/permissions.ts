/** Owns the permission to cancel slashes. */
import type { Permission } from '../../../executor/permission.js'
import { newGlobal } from '../../../ledger/permission-kinds.js'

export const STAKING_PERMISSIONS = {
  CanCancelSlash: newGlobal('CanCancelSlash'),
} as const satisfies Record<string, Permission>
