/** Owns the permissions of lanes: who manages catalogues and relay anchors, uses a restricted dataspace, records settlements. */
import type { PermissionDef } from '../../executor/contract.js'
import { latestLanes } from '../../lanes/index.js'

const MANAGER = 'CanManageLanes'

const global = (name: string): PermissionDef => ({
  name,
  object: 'none',
  grantor: () => undefined,
  incarnation: () => undefined,
})

export const LANE_PERMISSIONS = {
  CanManageLanes: global(MANAGER),
  CanManageRelayAnchors: global('CanManageRelayAnchors'),
  /** Object: the lane's number. Lane numbers are never used again, so a token needs no later incarnation. */
  CanRecordSettlement: {
    name: 'CanRecordSettlement',
    object: 'lane',
    grantedBy: MANAGER,
    grantor: () => undefined,
    incarnation: (state, object) => {
      const known = latestLanes(state).lanes.some((one) => String(one.id) === object)
      return known ? { height: 1, index: Number(object) } : undefined
    },
  },
  /** Object: the dataspace's number. */
  CanUseDataspace: {
    name: 'CanUseDataspace',
    object: 'dataspace',
    grantedBy: MANAGER,
    grantor: () => undefined,
    incarnation: (state, object) => latestLanes(state).dataspaces.find((one) => String(one.id) === object)?.incarnation,
  },
} as const satisfies Record<string, PermissionDef>
