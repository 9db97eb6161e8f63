/** Owns the permission to set parameters. */

import type { Permission } from '../../../executor/permission.js'
import { global } from '../../../ledger/permission-kinds.js'

export const PARAMETER_PERMISSIONS = {
  CanSetParameters: global('CanSetParameters'),
} as const satisfies Record<string, Permission>
