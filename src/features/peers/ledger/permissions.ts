/** Owns the permissions of peers. */

import type { Permission } from '../../../executor/permission.js'
import { global } from '../../../ledger/permission-kinds.js'

export const PEER_PERMISSIONS = {
  CanManagePeers: global('CanManagePeers'),
  CanManageConsensusKeys: global('CanManageConsensusKeys'),
} as const satisfies Record<string, Permission>
