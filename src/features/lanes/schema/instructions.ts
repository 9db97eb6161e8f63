/** Owns the records of the lane instructions as they travel (docs/design/lanes.md 1, rows 31 to 33 and 41 to 45). */
import { hash32, list, type Numeric, numeric, option, type Schema, struct, u32, varint } from '../../../codec/index.js'
import {
  DATASPACES_MAX,
  type DataspaceSpec,
  dataspaceSpec,
  LANES_ACTIVE_MAX,
  type LaneSpec,
  laneSpec,
  type RelayEnvelope,
  type RoutingPolicy,
  relayEnvelope,
  routingPolicy,
  type SettlementFigures,
  type SwapTerms,
  settlementFigures,
  swapTerms,
} from '../../../lanes/index.js'
import { type AccountId, type AssetId, accountId, assetId, defineInstruction, name } from '../../../model/index.js'
import { LANE_INSTRUCTIONS as ID } from './ids.js'

/** A new alias of a lane. */
export interface Relabel {
  readonly lane: number
  readonly alias: string
}
export interface UpdateLanes {
  readonly add: readonly LaneSpec[]
  /** Lanes that take no more transactions; what they hold stays readable. */
  readonly retire: readonly number[]
  readonly relabel: readonly Relabel[]
}
const updateLanes_ = struct('UpdateLanes', {
  add: list(laneSpec, LANES_ACTIVE_MAX),
  retire: list(u32, LANES_ACTIVE_MAX),
  relabel: list(struct('Relabel', { lane: u32, alias: name }) as Schema<Relabel>, LANES_ACTIVE_MAX),
})
export const updateLanes = defineInstruction<UpdateLanes>(ID.updateLanes, 'updateLanes', 'lane::update', updateLanes_)

export interface SetRoutingPolicy {
  /** Its version is that of the policy before, plus one. */
  readonly policy: RoutingPolicy
}
const setRoutingPolicy_ = struct('SetRoutingPolicy', { policy: routingPolicy })
export const setRoutingPolicy = defineInstruction<SetRoutingPolicy>(
  ID.setRoutingPolicy,
  'setRoutingPolicy',
  'lane::set_policy',
  setRoutingPolicy_,
)

export interface SetDataspaces {
  /** The whole catalogue. */
  readonly dataspaces: readonly DataspaceSpec[]
}
const setDataspaces_ = struct('SetDataspaces', { dataspaces: list(dataspaceSpec, DATASPACES_MAX) })
export const setDataspaces = defineInstruction<SetDataspaces>(
  ID.setDataspaces,
  'setDataspaces',
  'dataspace::set',
  setDataspaces_,
)

/** One movement of a settlement. */
export interface SettlementLeg {
  /** Source balance. */
  readonly asset: AssetId
  readonly to: AccountId
  readonly amount: Numeric
}
const leg_ = struct('SettlementLeg', { asset: assetId, to: accountId, amount: numeric })
export const settlementLeg: Schema<SettlementLeg> = leg_

export interface SettleDvp {
  /** Used once on this chain. */
  readonly id: string
  readonly delivery: SettlementLeg
  /** Its definition is the unit of settlement. */
  readonly payment: SettlementLeg
}
const settleDvp_ = struct('SettleDvp', { id: name, delivery: settlementLeg, payment: settlementLeg })
export const settleDvp = defineInstruction<SettleDvp>(ID.settleDvp, 'settleDvp', 'settlement::dvp', settleDvp_)

export interface SettlePvp {
  readonly id: string
  /** Its definition is the unit of settlement. */
  readonly first: SettlementLeg
  readonly second: SettlementLeg
}
const settlePvp_ = struct('SettlePvp', { id: name, first: settlementLeg, second: settlementLeg })
export const settlePvp = defineInstruction<SettlePvp>(ID.settlePvp, 'settlePvp', 'settlement::pvp', settlePvp_)

export interface RecordSettlement {
  /** The lane that the transaction stands in. */
  readonly lane: number
  readonly receipt: SettlementFigures
  readonly swap: SwapTerms | undefined
}
const recordSettlement_ = struct('RecordSettlement', {
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

export interface AcceptRelayEnvelope {
  readonly envelope: RelayEnvelope
}
const acceptRelayEnvelope_ = struct('AcceptRelayEnvelope', { envelope: relayEnvelope })
export const acceptRelayEnvelope = defineInstruction<AcceptRelayEnvelope>(
  ID.acceptRelayEnvelope,
  'acceptRelayEnvelope',
  'relay::accept',
  acceptRelayEnvelope_,
)

export interface SetRelayAnchor {
  readonly chainHash: Uint8Array
  readonly height: number
  /** Committee that is trusted for the height; absent: none any more. */
  readonly committeeHash: Uint8Array | undefined
}
const setRelayAnchor_ = struct('SetRelayAnchor', {
  chainHash: hash32,
  height: varint,
  committeeHash: option(hash32),
})
export const setRelayAnchor = defineInstruction<SetRelayAnchor>(
  ID.setRelayAnchor,
  'setRelayAnchor',
  'relay::set_anchor',
  setRelayAnchor_,
)
