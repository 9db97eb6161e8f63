/** Lanes as a feature of the ledger: catalogues, policy, settlement, relays (docs/design/lanes.md). */
import { defineLedger } from '../../../executor/feature.js'
import { laneSchema } from '../schema/index.js'
import { LANE_RULES } from './anchors.js'
import * as catalogue from './catalogue.js'
import { executionGate, routeSource } from './gate.js'
import { genesisLanes } from './genesis.js'
import { LANE_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import * as relay from './relay.js'
import * as settle from './settle.js'
import { LANE_TABLE_LIST } from './tables.js'

export const laneLedger = defineLedger(laneSchema, {
  tables: LANE_TABLE_LIST,
  execute: { ...catalogue.execute, ...settle.execute, ...relay.execute },
  queries,
  permissions: Object.values(LANE_PERMISSIONS),
  rules: Object.values(LANE_RULES),
  policies: { executionGate, routeSource },
  genesis: genesisLanes,
})
