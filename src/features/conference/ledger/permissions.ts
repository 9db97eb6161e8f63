/** Owns the permission to create calls in a domain. */
import type { Permission } from '../../../executor/permission.js'
import { onDomain } from '../../../ledger/permission-kinds.js'

export const CONFERENCE_PERMISSIONS = {
  CanCreateConference: onDomain('CanCreateConference'),
} as const satisfies Record<string, Permission>
