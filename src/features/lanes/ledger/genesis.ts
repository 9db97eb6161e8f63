/**
 * Owns the section `lanes` of the genesis manifest: dataspaces, lanes and routing policy in readable form
 * (docs/design/ledger.md 8).
 */

import { type Infer, list, option, refine, struct, withDefaults } from '../../../codec/index.js'
import type { GenesisSection } from '../../../executor/feature.js'
import {
  DATASPACES_MAX,
  type DataspaceSpec,
  dataspaceSpec,
  LANES_ACTIVE_MAX,
  laneSpec,
  routingPolicy,
  UNIVERSAL_DATASPACE,
  UNIVERSAL_SPEC,
} from '../../../lanes/index.js'
import { instruction } from '../../../model/index.js'
import { instructions } from '../schema/instructions.js'

/** Defaults of a dataspace, of a lane, and of the policy. */
const DATASPACE_DEFAULTS = { fault_tolerance: 1, restricted: false, relayers: [] }
const LANE_DEFAULTS = {
  dataspace: '0',
  visibility: 'Public',
  storage: 'FullReplica',
  proof_scheme: 'MerkleBlake3',
  settlement: [],
  teu_capacity: 0,
  metadata: {},
}
const POLICY_DEFAULTS = { version: 1, rules: [] }

/** Complete catalogue; the universal dataspace is added if it is not named. */
function wholeCatalogue(named: readonly DataspaceSpec[]): readonly DataspaceSpec[] {
  return named.some(({ id }) => id === UNIVERSAL_DATASPACE) ? named : [UNIVERSAL_SPEC, ...named]
}

const dataspaces = refine(
  list(withDefaults(dataspaceSpec, DATASPACE_DEFAULTS), DATASPACES_MAX),
  'GenesisDataspaces',
  (named) =>
    wholeCatalogue(named).length > DATASPACES_MAX
      ? `including the universal dataspace, the limit is ${DATASPACES_MAX}`
      : undefined,
)

const section_ = struct('GenesisLanes', {
  dataspaces: option(dataspaces),
  lanes: option(list(withDefaults(laneSpec, LANE_DEFAULTS), LANES_ACTIVE_MAX)),
  policy: option(withDefaults(routingPolicy, POLICY_DEFAULTS)),
})

/** Executed before the domains, so that their dataspaces, and the lanes of rules, exist. */
export const genesisLanes: GenesisSection<Infer<typeof section_>> = {
  section: 'lanes',
  schema: section_,
  instructionsOf: ({ dataspaces = [], lanes = [], policy }) => [
    ...(dataspaces.length === 0
      ? []
      : [instruction(instructions.setDataspaces, { dataspaces: wholeCatalogue(dataspaces) })]),
    ...(lanes.length === 0 ? [] : [instruction(instructions.updateLanes, { add: lanes, retire: [], relabel: [] })]),
    ...(policy === undefined ? [] : [instruction(instructions.setRoutingPolicy, { policy })]),
  ],
}
