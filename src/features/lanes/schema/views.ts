/** Owns input and view records of lane reads. */

import { numberCursor } from '../../../api/cursors.js'
import { pageOf } from '../../../api/paging.js'
import { pageQueryOf } from '../../../api/query-inputs.js'
import { draftFields } from '../../../api/schema/draft.js'
import {
  bool,
  type FrameOf,
  frameOf,
  type Infer,
  list,
  option,
  type Schema,
  struct,
  u32,
  varint,
  varintBig,
} from '../../../codec/index.js'
import {
  DATASPACES_MAX,
  dataspaceList,
  laneList,
  lane as laneSchema,
  laneService,
  type RelayEnvelope,
  relayEnvelope,
  routeFault,
  routeStage,
  routingPolicy,
  routingRule,
} from '../../../lanes/index.js'
import { accountId, anyInstruction, INSTRUCTIONS_MAX, ROSTER_MAX, range, validatorKey } from '../../../model/index.js'
import { instructions, type UpdateLanes } from './instructions.js'

/** Lanes, dataspaces and policy at `height`. */
export interface LaneCatalogueView extends Infer<typeof catalogue_> {}
const catalogueFields = { height: varint, lanes: laneList, dataspaces: dataspaceList, policy: routingPolicy }
const catalogue_ = struct('LaneCatalogue', catalogueFields)

/** Response of `GET /v1/lanes/lifecycle`. */
export interface LaneLifecycleView extends Infer<typeof laneLifecycle> {}
export const laneLifecycle = struct('LaneLifecycle', {
  ...catalogueFields,
  /** True if transactions are routed to lanes. */
  enabled: bool,
  /** Domains in dataspaces other than the universal one; a dataspace with domains keeps its last lane. */
  domains: list(struct('DataspaceDomains', { dataspace: varintBig, count: varint }), DATASPACES_MAX),
  /** Decided change that takes effect later. */
  pending: option(catalogue_),
})

/** Lane in a list. */
export interface LaneItem extends Infer<typeof laneItem_> {}
const laneItem_ = struct('LaneItem', {
  lane: laneSchema,
  /** Height and index of its last transaction; absent if there was none. */
  lastService: option(laneService),
})
export const lanePage = pageOf<LaneItem>('LanePage', laneItem_)
export const lanesQuery = pageQueryOf('LanesQuery', numberCursor)

/** Lane details. */
export interface LaneDetailView extends Infer<typeof laneDetail> {}
export const laneDetail = struct('LaneDetail', {
  lane: laneSchema,
  /** Height and index of its last transaction; absent if there was none. */
  lastService: option(laneService),
  /** Validators that must deliver its relay envelopes at the next height. */
  relayCommittee: list(validatorKey, ROSTER_MAX),
  /** True if the pool of relayers is smaller than 3f + 1. */
  relayCommitteeShort: bool,
})

/** Parts of a transaction that determine its route. */
export interface RouteQuestion extends Infer<typeof routeQuestion> {}
export const routeQuestion = struct('RouteQuestion', {
  authority: accountId,
  instructions: list(anyInstruction, INSTRUCTIONS_MAX),
  /** Dataspace requested by the transaction. */
  dataspace: option(varintBig),
})

/** Route of a transaction in effect at the next height, and the reason. */
export interface RouteAnswer extends Infer<typeof routeAnswer> {}
export const routeAnswer = struct('RouteAnswer', {
  laneId: option(u32),
  dataspaceId: option(varintBig),
  stage: routeStage,
  /** Index of the rule in the policy, from 0, and the rule. */
  rule: option(varint),
  matched: option(routingRule),
  /** Reason why it has no route. */
  reason: option(routeFault),
})

/** Request of `POST /v1/lanes/lifecycle`: the change in the draft. */
export type LaneChange = UpdateLanes
export const laneChange: Schema<LaneChange> = instructions.updateLanes.schema

/** Draft of a change of the lanes. */
export const laneDraft = struct('LaneDraft', {
  ...draftFields,
  /** Height from which the change takes effect if the next block contains it. */
  activationHeight: varint,
})

/** Lane by number. */
export const lanePath = struct('LanePathParameters', { id: u32 })

/** Envelope of a lane at a height. */
export const envelopePath = struct('LaneEnvelopePath', { height: varint, lane: u32 })

/** HTTP frames. */
const LANE_FRAMES = { relayEnvelope: range(2).first } as const

/** Response of `GET /v1/lanes/envelopes/{height}/{lane}`. */
export const RELAY_ENVELOPE_FRAME: FrameOf<RelayEnvelope> = frameOf(LANE_FRAMES.relayEnvelope, relayEnvelope)
