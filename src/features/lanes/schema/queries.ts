/** Owns the queries of lanes: catalogues, one lane, the route of a transaction, the relay envelope of a lane in a block. */
import { type Schema, struct } from '../../../codec/index.js'
import { relayEnvelope } from '../../../lanes/index.js'
import { defineQueries } from '../../../model/index.js'
import {
  envelopePath,
  laneDetail,
  lanePage,
  lanePath,
  lanesQuery,
  laneLifecycle as lifecycle,
  routeAnswer,
  routeQuestion,
} from './views.js'

const nothing: Schema<Record<string, never>> = struct('LaneLifecycleQuery', {})

export const queries = defineQueries({
  laneLifecycle: { id: 400, input: nothing, output: lifecycle },
  laneList: { id: 404, input: lanesQuery, output: lanePage },
  laneById: { id: 401, input: lanePath, output: laneDetail },
  laneRoute: { id: 402, input: routeQuestion, output: routeAnswer },
  /** Long query, because it decodes a whole block. */
  laneEnvelope: { id: 403, input: envelopePath, output: relayEnvelope, isLong: true },
})
