/** Owns the permissions of domains. */

import type { Permission } from '../../../executor/permission.js'
import { global, onDomain } from '../../../ledger/permission-kinds.js'

export const DOMAIN_PERMISSIONS = {
  CanRegisterDomain: global('CanRegisterDomain'),
  CanUnregisterDomain: onDomain('CanUnregisterDomain'),
} as const satisfies Record<string, Permission>
