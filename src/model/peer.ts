/** Owns the peer record of the world state: keys, proof of possession, addresses, role (docs/design/consensus.md 1). */
import { bytesN, type Infer, list, string, struct, unitEnum } from '../codec/index.js'
import { networkKey, validatorKey } from './keys.js'
import { BLS_SIGNATURE_BYTES, PEER_ADDRESS_MAX_BYTES, PEER_ADDRESSES_MAX } from './limits.js'

/** Validators may vote; observers only follow. */
export type PeerRole = Infer<typeof peerRole>
export const peerRole = unitEnum('PeerRole', { validator: 0, observer: 1 })

/** A registered peer. */
export interface Peer extends Infer<typeof peer> {}
export const peer = struct('Peer', {
  key: validatorKey,
  /** BLS proof of possession over the key, 96 bytes; protects aggregates against rogue keys. */
  pop: bytesN(BLS_SIGNATURE_BYTES),
  networkKey,
  /** `host:port`, tried in order. */
  addresses: list(string(PEER_ADDRESS_MAX_BYTES), PEER_ADDRESSES_MAX),
  role: peerRole,
})
