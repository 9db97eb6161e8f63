/** Owns the permissions of the bridge. */
import type { Permission } from '../../../executor/permission.js'
import { global, onAccount, onDomain } from '../../../ledger/permission-kinds.js'

export const ISO_PERMISSIONS = {
  /** Permission for IBANs and submitters of one domain. */
  CanManageIso: onDomain('CanManageIso'),
  /** Permission to claim message ids of one submitter, which the submitter grants to the signers of its bridges. */
  CanClaimMessages: onAccount('CanClaimMessages'),
  /** Permission for the currencies of the chain. */
  CanManageIsoCurrencies: global('CanManageIsoCurrencies'),
} as const satisfies Record<string, Permission>
