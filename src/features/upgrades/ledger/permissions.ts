/** Owns the permission to upgrade. */

import type { Permission } from '../../../executor/permission.js'
import { global } from '../../../ledger/permission-kinds.js'

export const UPGRADE_PERMISSIONS = {
  CanManageRuntimeUpgrades: global('CanManageRuntimeUpgrades'),
} as const satisfies Record<string, Permission>
