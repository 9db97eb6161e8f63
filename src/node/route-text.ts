/** Owns messages for transactions without a route, shared by admission and dry runs. */
import type { RouteFault } from '../lanes/index.js'

export const ROUTE_TEXT: Readonly<Record<RouteFault, string>> = {
  unknown_lane: 'the lane of its route is not in the catalogue',
  unknown_dataspace: 'the dataspace of its route is not in the catalogue',
  lane_dataspace_mismatch: 'the lane of its route is bound to another dataspace',
  lane_retired: 'the lane of its route is retired',
  dataspace_not_permitted:
    'the authority may not use this dataspace: its domain does not belong to it and it lacks CanUseDataspace',
  no_scoped_rule: 'no rule of the policy answers for the dataspace that it names',
  mixed_settlement: 'its settlements belong to different lanes: send them apart',
}
