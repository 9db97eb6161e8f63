/** Owns the permissions of accounts. */

import type { Permission } from '../../../executor/permission.js'
import { CAN_REGISTER_ACCOUNT } from '../../../ledger/accounts.js'

export const ACCOUNT_PERMISSIONS = {
  CanRegisterAccount: CAN_REGISTER_ACCOUNT,
} as const satisfies Record<string, Permission>
