/** Owns the routes of lanes (docs/design/lanes.md 9). */

import { pageParameters } from '../../../api/paging.js'
import { defineRoute } from '../../../api/route.js'
import { draftRow } from '../../../api/schema/draft.js'
import { relayEnvelope } from '../../../lanes/index.js'
import { type ErrorCode, TRANSACTION_MAX_BYTES } from '../../../model/index.js'
import { queries } from './queries.js'
import {
  envelopePath,
  laneChange,
  laneDetail,
  laneDraft,
  laneLifecycle,
  lanePage,
  lanePath,
  RELAY_ENVELOPE_FRAME,
  routeAnswer,
  routeQuestion,
} from './views.js'

/** Maximum size of a lane change, in bytes of JSON: 64 lanes with their metadata. */
const CHANGE_MAX_BYTES = 1024 * 1024
/**
 * Maximum size of a route request, in bytes of JSON; hex and field names make it at most four times the size of the
 * transaction.
 */
const QUESTION_MAX_BYTES = 4 * TRANSACTION_MAX_BYTES

/** Error codes with which a change of the lanes is refused. */
const LANE_CHANGE_ERRORS: readonly ErrorCode[] = [
  'absent',
  'bad_parameter',
  'bad_routing_policy',
  'dataspace_in_use',
  'exists',
  'lane_in_use',
  'lane_limit',
  'metadata_limit',
]

export const lanesRoute = defineRoute({
  id: 'lanes.list',
  tool: { name: 'lanes', about: 'Lanes, their load and dataspaces' },
  method: 'GET',
  path: '/v1/lanes',
  summary: 'Lanes in effect at the next height, in the order of their numbers, each with its last service',
  access: 'public',
  format: 'json',
  query: pageParameters,
  response: lanePage,
}).byPage(queries.laneList)

export const lifecycleRoute = defineRoute({
  id: 'lanes.lifecycle',
  method: 'GET',
  path: '/v1/lanes/lifecycle',
  summary: 'Lanes, dataspaces and routing policy in effect at the next height, and pending changes',
  access: 'public',
  format: 'json',
  response: laneLifecycle,
}).byQuery(queries.laneLifecycle, () => ({}))

export const lifecycleDraftRoute = defineRoute({
  id: 'lanes.lifecycle.draft',
  ...draftRow,
  method: 'POST',
  path: '/v1/lanes/lifecycle',
  summary: 'Draft a change of the lanes, checked against the catalogue, for a holder of CanManageLanes to sign',
  access: 'operator',
  audited: true,
  body: { as: 'record', schema: laneChange, maxBytes: CHANGE_MAX_BYTES },
  response: laneDraft,
  errors: [...draftRow.errors, ...LANE_CHANGE_ERRORS],
})

export const laneRoute = defineRoute({
  id: 'lanes.lane',
  method: 'GET',
  path: '/v1/lanes/{id}',
  summary: 'One lane: its entry, its last service, and the validator that relays its settlements',
  access: 'public',
  format: 'json',
  params: lanePath,
  response: laneDetail,
}).byQuery(
  queries.laneById,
  ({ params }) => params,
  ({ params }) => `lane ${params.id} does not exist`,
)

export const routeRoute = defineRoute({
  id: 'lanes.route',
  safe: true,
  method: 'POST',
  path: '/v1/lanes/route',
  summary: 'Route of a transaction now: its lane, the stage and rule that decided, or the reason why it has no route',
  access: 'public',
  format: 'json',
  body: { as: 'record', schema: routeQuestion, maxBytes: QUESTION_MAX_BYTES },
  response: routeAnswer,
}).byQuery(queries.laneRoute, ({ body }) => body)

export const envelopeRoute = defineRoute({
  id: 'lanes.envelope',
  method: 'GET',
  path: '/v1/lanes/envelopes/{height}/{lane}',
  summary: 'The relay envelope of a lane that settled at a height; it can be verified without a node',
  access: 'public',
  format: 'binary-or-json',
  params: envelopePath,
  response: relayEnvelope,
  frame: RELAY_ENVELOPE_FRAME,
  // Settlements of a restricted lane are visible to operators only.
  errors: ['forbidden'],
})

/** Routes by their names in client code. */
export const LANE_ROUTES = {
  lanes: lanesRoute,
  lifecycle: lifecycleRoute,
  draft: lifecycleDraftRoute,
  lane: laneRoute,
  route: routeRoute,
  envelope: envelopeRoute,
}
