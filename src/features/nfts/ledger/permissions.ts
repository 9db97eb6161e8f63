/** Owns the permissions of NFTs. */

import type { Permission } from '../../../executor/permission.js'
import { onDomain } from '../../../ledger/permission-kinds.js'

export const NFT_PERMISSIONS = {
  CanRegisterNft: onDomain('CanRegisterNft'),
} as const satisfies Record<string, Permission>
