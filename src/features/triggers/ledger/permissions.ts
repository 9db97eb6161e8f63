/** Owns the permissions of triggers. */

import type { Permission } from '../../../executor/permission.js'
import { global, onAccount, onTrigger } from '../../../ledger/permission-kinds.js'

export const TRIGGER_PERMISSIONS = {
  CanWatchEvents: global('CanWatchEvents'),
  CanRegisterTrigger: onAccount('CanRegisterTrigger'),
  CanManageTrigger: onTrigger('CanManageTrigger'),
  CanExecuteTrigger: onTrigger('CanExecuteTrigger'),
} as const satisfies Record<string, Permission>
