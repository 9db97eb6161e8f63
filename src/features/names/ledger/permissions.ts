/** Owns the permissions of names. */
import type { ExecContext, Rejection } from '../../../executor/contract.js'
import type { Permission } from '../../../executor/permission.js'
import { newGlobal, onDomain } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import type { Domain } from '../../../ledger/tables.js'

export const NAME_PERMISSIONS = {
  CanManageNames: onDomain('CanManageNames'),
  CanManageProtectedNames: newGlobal('CanManageProtectedNames'),
} as const satisfies Record<string, Permission>

/** Reason why the authority may not manage the names of a domain, or undefined. */
export const managerFault = (
  ctx: ExecContext,
  domain: string,
  { owner }: Domain,
  what: string,
): Rejection | undefined => requirePermission(ctx, what, owner, [NAME_PERMISSIONS.CanManageNames, domain])
