/** Owns the records of the instructions about peers and their consensus keys (docs/design/lanes.md 1, rows 1 to 4). */

import { bool, bytesN, option, struct, varint } from '../../../codec/index.js'
import {
  BLS_SIGNATURE_BYTES,
  defineInstruction,
  type Peer,
  peer,
  type ValidatorKey,
  validatorKey,
} from '../../../model/index.js'
import { PEER_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterPeer {
  readonly peer: Peer
  /** Changes the roster although fewer than its quorum signed lately. */
  readonly force: boolean
}
const registerPeer_ = struct('RegisterPeer', { peer, force: bool })
export const registerPeer = defineInstruction<RegisterPeer>(
  ID.registerPeer,
  'registerPeer',
  'peer::register',
  registerPeer_,
)

export interface UnregisterPeer {
  /** The key that the peer registered with. */
  readonly peer: ValidatorKey
  readonly force: boolean
}
const unregisterPeer_ = struct('UnregisterPeer', { peer: validatorKey, force: bool })
export const unregisterPeer = defineInstruction<UnregisterPeer>(
  ID.unregisterPeer,
  'unregisterPeer',
  'peer::unregister',
  unregisterPeer_,
)

export interface RotateConsensusKey {
  /** The key that the peer registered with. */
  readonly peer: ValidatorKey
  readonly newKey: ValidatorKey
  /** Proof of possession of the new key, 96 bytes. */
  readonly pop: Uint8Array
  /** First height of the new key; absent: as soon as possible, two heights on. */
  readonly activeFrom: number | undefined
}
const rotateConsensusKey_ = struct('RotateConsensusKey', {
  peer: validatorKey,
  newKey: validatorKey,
  pop: bytesN(BLS_SIGNATURE_BYTES),
  activeFrom: option(varint),
})
export const rotateConsensusKey = defineInstruction<RotateConsensusKey>(
  ID.rotateConsensusKey,
  'rotateConsensusKey',
  'consensus_key::rotate',
  rotateConsensusKey_,
)

export interface DisableConsensusKey {
  readonly key: ValidatorKey
  readonly force: boolean
}
const disableConsensusKey_ = struct('DisableConsensusKey', { key: validatorKey, force: bool })
export const disableConsensusKey = defineInstruction<DisableConsensusKey>(
  ID.disableConsensusKey,
  'disableConsensusKey',
  'consensus_key::disable',
  disableConsensusKey_,
)
