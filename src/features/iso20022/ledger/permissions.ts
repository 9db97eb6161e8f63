/** Owns the permissions of the bridge. */
import type { Permission } from '../../../executor/permission.js'
import { global, onAccount, onDomain } from '../../../ledger/permission-kinds.js'

export const ISO_PERMISSIONS = {
  /** IBANs and submitters of one domain. */
  CanManageIso: onDomain('CanManageIso'),
  /** Claims of one submitter's message ids: granted by the submitter to the signers of its bridges. */
  CanClaimMessages: onAccount('CanClaimMessages'),
  /** Currencies of the chain. */
  CanManageIsoCurrencies: global('CanManageIsoCurrencies'),
} as const satisfies Record<string, Permission>
