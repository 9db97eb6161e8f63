/** Owns the events of lanes: their records, and by which subject data triggers and streams find them. */
import { hash32, list, option, type Schema, struct, u32, varint, varintBig } from '../../../codec/index.js'
import {
  DATASPACES_MAX,
  LANES_ACTIVE_MAX,
  type RelayIdentity,
  relayIdentity,
  SETTLEMENT_EVENT,
  type SettlementNote,
  settlementNote,
} from '../../../lanes/index.js'
import { type EventDef, name } from '../../../model/index.js'
import { LANE_EVENTS } from './ids.js'

const define = <T>(
  kind: keyof typeof LANE_EVENTS,
  subject: string,
  schema: Schema<T>,
  objects?: (value: T) => readonly string[],
): EventDef<T> => ({
  id: LANE_EVENTS[kind],
  kind,
  schema,
  subject,
  ...(objects === undefined ? {} : { about: (value: T) => ({ objects: objects(value), parties: [] }) }),
})

const ids = list(u32, LANES_ACTIVE_MAX)
/** The catalogue of lanes changed; it acts from `fromHeight`. */
export const lanesChanged = define(
  'lanesChanged',
  'lane',
  struct('LanesChanged', { added: ids, retired: ids, relabelled: ids, fromHeight: varint }),
)
export const routingPolicyChanged = define(
  'routingPolicyChanged',
  'lane',
  struct('RoutingPolicyChanged', { version: varint, fromHeight: varint }),
)
export const dataspacesChanged = define(
  'dataspacesChanged',
  'lane',
  struct('DataspacesChanged', { dataspaces: list(varintBig, DATASPACES_MAX), fromHeight: varint }),
)
/** Both legs of a settlement moved. */
export const settled = define('settled', 'settlement', struct('Settled', { id: name }), ({ id }) => [id])
/** A receipt: blocks commit to those of each lane. */
export const settlementRecorded = define<SettlementNote>(
  SETTLEMENT_EVENT,
  'settlement',
  settlementNote,
  ({ figures }) => [...new Set([figures.localDefinition, figures.unitDefinition])],
)
export const relayEnvelopeAccepted = define<RelayIdentity>('relayEnvelopeAccepted', 'relay', relayIdentity)
export const relayAnchorChanged = define(
  'relayAnchorChanged',
  'relay',
  struct('RelayAnchorChanged', { chainHash: hash32, height: varint, committeeHash: option(hash32) }),
)
