/** Owns the tables of settlements and relays. */
import { hash32, type Infer, struct, varint } from '../../../codec/index.js'
import { dataspaceDomains, relayIdentity } from '../../../lanes/index.js'
import { name } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'

/** Completed settlement. It is permanent, so that its id can be used only once. */
export interface SettlementRow extends Infer<typeof settlementRow_> {}
const settlementRow_ = struct('SettlementRow', { transactionHash: hash32, height: varint })
export const settlements: TableDef<string, SettlementRow> = {
  id: 401,
  name: 'settlements',
  bound: { holds: 'one settlement', filledBy: 'SettleDvp, SettlePvp', atBound: 'stays: an id is used once' },
  key: name,
  value: settlementRow_,
}

/** Height of a chain. */
export interface RelayAnchorKey extends Infer<typeof relayAnchorKey_> {}
const relayAnchorKey_ = struct('RelayAnchorKey', { chainHash: hash32, height: varint })
/** Trusted committee hashes, by chain and height. */
export const relayAnchors: TableDef<RelayAnchorKey, Uint8Array> = {
  id: 402,
  name: 'relay_anchors',
  bound: { holds: 'a hash', filledBy: 'SetRelayAnchor, AcceptRelayEnvelope', atBound: 'leaves with SetRelayAnchor' },
  key: relayAnchorKey_,
  value: hash32,
}

/** Revocation for a chain. */
export interface RelayRevocation extends Infer<typeof relayRevocation_> {}
const relayRevocation_ = struct('RelayRevocation', {
  /** Greatest revoked height; all lower heights are revoked with it. */
  height: varint,
  /** Number of revocations. */
  count: varint,
})
/** Chains with revoked anchors. Under the rules of ABI 1 the table is empty, and each revocation removes one height. */
export const relayRevocations: TableDef<Uint8Array, RelayRevocation> = {
  id: 404,
  name: 'relay_revocations',
  bound: { holds: 'a height and a count', filledBy: 'SetRelayAnchor', atBound: 'one a chain' },
  key: hash32,
  value: relayRevocation_,
}

/** Number of revocations of the chain before an anchor was set; absent: zero. */
export const relayAnchorAges: TableDef<RelayAnchorKey, number> = {
  id: 405,
  name: 'relay_anchor_ages',
  bound: { holds: 'a count', filledBy: 'SetRelayAnchor, AcceptRelayEnvelope', atBound: 'one an anchor' },
  key: relayAnchorKey_,
  value: varint,
}

/** Accepted envelope. It is permanent, so that no envelope counts twice. */
export interface RelayAcceptedRow extends Infer<typeof relayAcceptedRow_> {}
const relayAcceptedRow_ = struct('RelayAcceptedRow', { identity: relayIdentity, height: varint })
export const relayAccepted: TableDef<Uint8Array, RelayAcceptedRow> = {
  id: 403,
  name: 'relay_accepted',
  bound: { holds: 'one envelope', filledBy: 'AcceptRelayEnvelope', atBound: 'stays: none counts twice' },
  key: hash32,
  value: relayAcceptedRow_,
}

export const LANE_TABLE_LIST = [
  dataspaceDomains,
  settlements,
  relayAnchors,
  relayAccepted,
  relayRevocations,
  relayAnchorAges,
]
