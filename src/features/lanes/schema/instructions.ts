/** Owns the records of the lane instructions as they travel (docs/design/lanes.md 1, rows 31 to 33 and 41 to 45). */
import { hash32, type Infer, list, numeric, option, struct, u32, varint } from '../../../codec/index.js'
import {
  DATASPACES_MAX,
  dataspaceSpec,
  LANES_ACTIVE_MAX,
  laneSpec,
  relayEnvelope,
  routingPolicy,
  settlementFigures,
  swapTerms,
} from '../../../lanes/index.js'
import { accountId, assetId, defineInstruction, name } from '../../../model/index.js'
import { LANE_INSTRUCTIONS as ID } from './ids.js'

/** A new alias of a lane. */
export interface Relabel extends Infer<typeof relabel> {}
const relabel = struct('Relabel', { lane: u32, alias: name })
export interface UpdateLanes extends Infer<typeof updateLanes_> {}
const updateLanes_ = struct('UpdateLanes', {
  add: list(laneSpec, LANES_ACTIVE_MAX),
  /** Lanes that take no more transactions; what they hold stays readable. */
  retire: list(u32, LANES_ACTIVE_MAX),
  relabel: list(relabel, LANES_ACTIVE_MAX),
})
export const updateLanes = defineInstruction<UpdateLanes>(ID.updateLanes, 'updateLanes', 'lane::update', updateLanes_)

export interface SetRoutingPolicy extends Infer<typeof setRoutingPolicy_> {}
const setRoutingPolicy_ = struct('SetRoutingPolicy', {
  /** Its version is that of the policy before, plus one. */
  policy: routingPolicy,
})
export const setRoutingPolicy = defineInstruction<SetRoutingPolicy>(
  ID.setRoutingPolicy,
  'setRoutingPolicy',
  'lane::set_policy',
  setRoutingPolicy_,
)

export interface SetDataspaces extends Infer<typeof setDataspaces_> {}
const setDataspaces_ = struct('SetDataspaces', {
  /** The whole catalogue. */
  dataspaces: list(dataspaceSpec, DATASPACES_MAX),
})
export const setDataspaces = defineInstruction<SetDataspaces>(
  ID.setDataspaces,
  'setDataspaces',
  'dataspace::set',
  setDataspaces_,
)

/** One movement of a settlement. */
export interface SettlementLeg extends Infer<typeof settlementLeg> {}
export const settlementLeg = struct('SettlementLeg', {
  /** Source balance. */
  asset: assetId,
  to: accountId,
  amount: numeric,
})

export interface SettleDvp extends Infer<typeof settleDvp_> {}
const settleDvp_ = struct('SettleDvp', {
  /** Used once on this chain. */
  id: name,
  delivery: settlementLeg,
  /** Its definition is the unit of settlement. */
  payment: settlementLeg,
})
export const settleDvp = defineInstruction<SettleDvp>(ID.settleDvp, 'settleDvp', 'settlement::dvp', settleDvp_)

export interface SettlePvp extends Infer<typeof settlePvp_> {}
const settlePvp_ = struct('SettlePvp', {
  id: name,
  /** Its definition is the unit of settlement. */
  first: settlementLeg,
  second: settlementLeg,
})
export const settlePvp = defineInstruction<SettlePvp>(ID.settlePvp, 'settlePvp', 'settlement::pvp', settlePvp_)

export interface RecordSettlement extends Infer<typeof recordSettlement_> {}
const recordSettlement_ = struct('RecordSettlement', {
  /** The lane that the transaction stands in. */
  lane: u32,
  receipt: settlementFigures,
  swap: option(swapTerms),
})
export const recordSettlement = defineInstruction<RecordSettlement>(
  ID.recordSettlement,
  'recordSettlement',
  'settlement::record',
  recordSettlement_,
)

export interface AcceptRelayEnvelope extends Infer<typeof acceptRelayEnvelope_> {}
const acceptRelayEnvelope_ = struct('AcceptRelayEnvelope', { envelope: relayEnvelope })
export const acceptRelayEnvelope = defineInstruction<AcceptRelayEnvelope>(
  ID.acceptRelayEnvelope,
  'acceptRelayEnvelope',
  'relay::accept',
  acceptRelayEnvelope_,
)

export interface SetRelayAnchor extends Infer<typeof setRelayAnchor_> {}
const setRelayAnchor_ = struct('SetRelayAnchor', {
  chainHash: hash32,
  height: varint,
  /** Committee that is trusted for the height; absent: none any more, for it and (from ABI 2 on) those below. */
  committeeHash: option(hash32),
})
export const setRelayAnchor = defineInstruction<SetRelayAnchor>(
  ID.setRelayAnchor,
  'setRelayAnchor',
  'relay::set_anchor',
  setRelayAnchor_,
)
