/** Owns the queries of lanes: catalogues, one lane, the route of a transaction, the relay envelope of a lane in a block. */
import { type Schema, struct } from '../../../codec/index.js'
import { relayEnvelope } from '../../../lanes/index.js'
import { defineQuery, longQuery } from '../../../model/index.js'
import { LANE_QUERIES as ID } from './ids.js'
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

export const laneLifecycle = defineQuery(ID.laneLifecycle, 'laneLifecycle', nothing, lifecycle)
export const laneList = defineQuery(ID.laneList, 'laneList', lanesQuery, lanePage)
export const laneById = defineQuery(ID.laneById, 'laneById', lanePath, laneDetail)
export const laneRoute = defineQuery(ID.laneRoute, 'laneRoute', routeQuestion, routeAnswer)
/** It decodes a whole block. */
export const laneEnvelope = longQuery(defineQuery(ID.laneEnvelope, 'laneEnvelope', envelopePath, relayEnvelope))
