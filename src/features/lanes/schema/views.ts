/** Owns input and view records of lane reads. */
import { bool, list, option, type Schema, struct, u32, varint, varintBig } from '../../../codec/index.js'
import {
  DATASPACES_MAX,
  type Dataspace,
  dataspaceList,
  type Lane,
  type LaneService,
  laneList,
  lane as laneSchema,
  laneService,
  type RouteFault,
  type RouteStage,
  type RoutingPolicy,
  type RoutingRule,
  routeFault,
  routeStage,
  routingPolicy,
  routingRule,
} from '../../../lanes/index.js'
import {
  type AccountId,
  accountId,
  INSTRUCTIONS_MAX,
  type Instruction,
  instruction,
  ROSTER_MAX,
  type ValidatorKey,
  validatorKey,
} from '../../../model/index.js'
import { type UpdateLanes, updateLanes } from './instructions.js'

/** Lanes, dataspaces and policy as they act at `height`, or as they will. */
export interface LaneCatalogueView {
  readonly height: number
  readonly lanes: readonly Lane[]
  readonly dataspaces: readonly Dataspace[]
  readonly policy: RoutingPolicy
}
const catalogueFields = { height: varint, lanes: laneList, dataspaces: dataspaceList, policy: routingPolicy }
const catalogue_ = struct('LaneCatalogue', catalogueFields)

/** What `GET /v1/lanes/lifecycle` answers. */
export interface LaneLifecycleView extends LaneCatalogueView {
  /** Whether transactions are routed to lanes. */
  readonly enabled: boolean
  /** Domains in dataspaces other than the universal one: such a dataspace keeps its last lane. */
  readonly domains: readonly { readonly dataspace: bigint; readonly count: number }[]
  /** What is decided and acts later. */
  readonly pending: LaneCatalogueView | undefined
}
const lifecycle_ = struct('LaneLifecycle', {
  ...catalogueFields,
  enabled: bool,
  domains: list(struct('DataspaceDomains', { dataspace: varintBig, count: varint }), DATASPACES_MAX),
  pending: option(catalogue_),
})
export const laneLifecycle: Schema<LaneLifecycleView> = lifecycle_

/** One lane. */
export interface LaneDetailView {
  readonly lane: Lane
  /** Height and place of its last transaction; absent: none yet. */
  readonly lastService: LaneService | undefined
  /** Who has the duty to deliver its relay envelopes at the next height. */
  readonly relayCommittee: readonly ValidatorKey[]
  /** The pool of relayers is smaller than 3f + 1. */
  readonly relayCommitteeShort: boolean
}
const detail_ = struct('LaneDetail', {
  lane: laneSchema,
  lastService: option(laneService),
  relayCommittee: list(validatorKey, ROSTER_MAX),
  relayCommitteeShort: bool,
})
export const laneDetail: Schema<LaneDetailView> = detail_

/** A transaction as far as its route depends on it. */
export interface RouteQuestion {
  readonly authority: AccountId
  readonly instructions: readonly Instruction[]
  /** Dataspace that the transaction asks for. */
  readonly dataspace: bigint | undefined
}
const question_ = struct('RouteQuestion', {
  authority: accountId,
  instructions: list(instruction, INSTRUCTIONS_MAX),
  dataspace: option(varintBig),
})
export const routeQuestion: Schema<RouteQuestion> = question_

/** The route of a transaction under what acts at the next height, and why. */
export interface RouteAnswer {
  readonly laneId: number | undefined
  readonly dataspaceId: bigint | undefined
  readonly stage: RouteStage
  /** Place of the rule in the policy, from 0, and the rule. */
  readonly rule: number | undefined
  readonly matched: RoutingRule | undefined
  /** Why it has no route. */
  readonly reason: RouteFault | undefined
}
const answer_ = struct('RouteAnswer', {
  laneId: option(u32),
  dataspaceId: option(varintBig),
  stage: routeStage,
  rule: option(varint),
  matched: option(routingRule),
  reason: option(routeFault),
})
export const routeAnswer: Schema<RouteAnswer> = answer_

/** What `POST /v1/lanes/lifecycle` takes: the change that the draft makes. */
export type LaneChange = UpdateLanes
export const laneChange: Schema<LaneChange> = updateLanes.schema

/** An instruction for its author to sign. */
export interface LaneDraft {
  readonly instruction: Instruction
  /** Height from which it acts when the next block holds it. */
  readonly activationHeight: number
}
const draft_ = struct('LaneDraft', { instruction, activationHeight: varint })
export const laneDraft: Schema<LaneDraft> = draft_

/** A lane by its number. */
const lanePath_ = struct('LanePathParameters', { id: u32 })
export interface LanePath {
  readonly id: number
}
export const lanePath: Schema<LanePath> = lanePath_
/** The envelope of a lane at a height. */
const envelopePath_ = struct('LaneEnvelopePath', { height: varint, lane: u32 })
export const envelopePath: Schema<{ readonly height: number; readonly lane: number }> = envelopePath_
