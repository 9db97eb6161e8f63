/** Owns the records of the instructions about peers and their consensus keys (docs/design/lanes.md 1, rows 1 to 4). */

import { bool, bytesN, type Infer, option, struct, varint } from '../../../codec/index.js'
import { BLS_SIGNATURE_BYTES, defineInstruction, peer, validatorKey } from '../../../model/index.js'
import { PEER_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterPeer extends Infer<typeof registerPeer_> {}
const registerPeer_ = struct('RegisterPeer', {
  peer,
  /** Changes the roster although fewer than its quorum signed lately. */
  force: bool,
})
export const registerPeer = defineInstruction<RegisterPeer>(
  ID.registerPeer,
  'registerPeer',
  'peer::register',
  registerPeer_,
)

export interface UnregisterPeer extends Infer<typeof unregisterPeer_> {}
const unregisterPeer_ = struct('UnregisterPeer', {
  /** The key that the peer registered with. */
  peer: validatorKey,
  force: bool,
})
export const unregisterPeer = defineInstruction<UnregisterPeer>(
  ID.unregisterPeer,
  'unregisterPeer',
  'peer::unregister',
  unregisterPeer_,
)

export interface RotateConsensusKey extends Infer<typeof rotateConsensusKey_> {}
const rotateConsensusKey_ = struct('RotateConsensusKey', {
  /** The key that the peer registered with. */
  peer: validatorKey,
  newKey: validatorKey,
  /** Proof of possession of the new key, 96 bytes. */
  pop: bytesN(BLS_SIGNATURE_BYTES),
  /** First height of the new key; absent: as soon as possible, two heights on. */
  activeFrom: option(varint),
})
export const rotateConsensusKey = defineInstruction<RotateConsensusKey>(
  ID.rotateConsensusKey,
  'rotateConsensusKey',
  'consensus_key::rotate',
  rotateConsensusKey_,
)

export interface DisableConsensusKey extends Infer<typeof disableConsensusKey_> {}
const disableConsensusKey_ = struct('DisableConsensusKey', { key: validatorKey, force: bool })
export const disableConsensusKey = defineInstruction<DisableConsensusKey>(
  ID.disableConsensusKey,
  'disableConsensusKey',
  'consensus_key::disable',
  disableConsensusKey_,
)
