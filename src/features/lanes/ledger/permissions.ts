/**
 * Owns the permissions of lanes: managing catalogues and relay anchors, using a restricted dataspace, recording
 * settlements.
 */

import type { ObjectKind, Permission } from '../../../executor/permission.js'
import { latestLane } from '../../../lanes/index.js'
import { global, LANES_MANAGER, numbered, onDataspace } from '../../../ledger/permission-kinds.js'
import { CAN_SETTLE } from '../../../ledger/settlements.js'

/** Lanes. Their numbers are never reused, so a token needs no incarnation. */
const laneKind: ObjectKind = {
  ...numbered,
  name: 'lane',
  incarnation: (state, id) =>
    latestLane(state, Number(id)) === undefined ? undefined : { height: 1, index: Number(id) },
}

export const LANE_PERMISSIONS = {
  CanManageLanes: global(LANES_MANAGER),
  CanManageRelayAnchors: global('CanManageRelayAnchors'),
  CanRecordSettlement: { name: 'CanRecordSettlement', on: laneKind, grantedBy: LANES_MANAGER },
  CanSettle: CAN_SETTLE,
  CanUseDataspace: onDataspace('CanUseDataspace'),
} as const satisfies Record<string, Permission>
