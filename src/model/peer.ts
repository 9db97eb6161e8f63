/** Owns the peer record of the world state: keys, proof of possession, addresses, role (docs/design/consensus.md 1). */
import { bytesN, list, type Schema, string, struct, unitEnum } from '../codec/index.js'
import { type NetworkKey, networkKey, type ValidatorKey, validatorKey } from './keys.js'
import { BLS_SIGNATURE_BYTES, PEER_ADDRESS_MAX_BYTES, PEER_ADDRESSES_MAX } from './limits.js'

/** Validators may vote; observers only follow. */
export type PeerRole = 'validator' | 'observer'
const peerRole_ = unitEnum('PeerRole', { validator: 0, observer: 1 })
export const peerRole: Schema<PeerRole> = peerRole_

/** A registered peer. */
export interface Peer {
  readonly key: ValidatorKey
  /** BLS proof of possession over the key, 96 bytes: guards aggregates against rogue keys. */
  readonly pop: Uint8Array
  readonly networkKey: NetworkKey
  /** `host:port`, tried in order. */
  readonly addresses: readonly string[]
  readonly role: PeerRole
}
const peer_ = struct('Peer', {
  key: validatorKey,
  pop: bytesN(BLS_SIGNATURE_BYTES),
  networkKey,
  addresses: list(string(PEER_ADDRESS_MAX_BYTES), PEER_ADDRESSES_MAX),
  role: peerRole,
})
export const peer: Schema<Peer> = peer_
