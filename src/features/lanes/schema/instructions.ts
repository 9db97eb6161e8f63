/** Owns the records of the lane instructions (docs/design/lanes.md 1, rows 31 to 33 and 41 to 45). */
import { hash32, type Infer, list, numeric, option, struct, u32, varint } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
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
import {
  type AccountId,
  accountId,
  assetId,
  defineInstructions,
  type InstructionOf,
  keyBytes,
  name,
} from '../../../model/index.js'

/** New alias of a lane. */
const relabel = struct('Relabel', { lane: u32, alias: name })

/** Movement of a settlement. */
export interface SettlementLeg extends Infer<typeof settlementLeg> {}
export const settlementLeg = struct('SettlementLeg', {
  /** Source balance. */
  asset: assetId,
  to: accountId,
  amount: numeric,
})

export const instructions = defineInstructions({
  updateLanes: {
    id: 31,
    label: 'lane::update',
    record: {
      add: list(laneSpec, LANES_ACTIVE_MAX),
      /** Lanes that accept no further transactions; their content stays readable. */
      retire: list(u32, LANES_ACTIVE_MAX),
      relabel: list(relabel, LANES_ACTIVE_MAX),
    },
  },
  setRoutingPolicy: {
    id: 32,
    label: 'lane::set_policy',
    record: {
      /** Version of the previous policy plus one. */
      policy: routingPolicy,
    },
  },
  setDataspaces: {
    id: 33,
    label: 'dataspace::set',
    record: {
      /** Complete new catalogue. */
      dataspaces: list(dataspaceSpec, DATASPACES_MAX),
    },
  },
  settleDvp: {
    id: 41,
    label: 'settlement::dvp',
    record: {
      /** Unique on this chain. */
      id: name,
      delivery: settlementLeg,
      /** Payment leg; its definition is the unit of settlement. */
      payment: settlementLeg,
    },
  },
  settlePvp: {
    id: 42,
    label: 'settlement::pvp',
    record: {
      id: name,
      /** First leg; its definition is the unit of settlement. */
      first: settlementLeg,
      second: settlementLeg,
    },
  },
  recordSettlement: {
    id: 43,
    label: 'settlement::record',
    record: {
      /** Lane of the transaction. */
      lane: u32,
      receipt: settlementFigures,
      swap: option(swapTerms),
    },
  },
  acceptRelayEnvelope: { id: 44, label: 'relay::accept', record: { envelope: relayEnvelope } },
  setRelayAnchor: {
    id: 45,
    label: 'relay::set_anchor',
    record: {
      chainHash: hash32,
      height: varint,
      /**
       * Trusted committee for the height; absent: the trust is revoked for this height and, from ABI 2 on, all lower
       * heights.
       */
      committeeHash: option(hash32),
    },
  },
})

export interface UpdateLanes extends InstructionOf<typeof instructions.updateLanes> {}
export interface SetDataspaces extends InstructionOf<typeof instructions.setDataspaces> {}
export interface SettleDvp extends InstructionOf<typeof instructions.settleDvp> {}
export interface SettlePvp extends InstructionOf<typeof instructions.settlePvp> {}

/**
 * Object text of the id, the hash of both legs, and the account. A permission on it is valid only for these terms and,
 * because ids are used once, for one settlement.
 */
export const settlementObject = (id: string, legs: readonly SettlementLeg[], account: AccountId): string => {
  const terms = hash('settlement-terms', ...legs.map((leg) => settlementLeg.encode(leg)))
  return `${id}:${terms.toString('hex')}#${keyBytes(account).toString('hex')}`
}
