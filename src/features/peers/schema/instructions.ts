/** Owns the records of the instructions about peers and their consensus keys (docs/design/lanes.md 1, rows 1 to 4). */

import { bool, bytesN, option, varint } from '../../../codec/index.js'
import { BLS_SIGNATURE_BYTES, defineInstructions, peer, validatorKey } from '../../../model/index.js'

export const instructions = defineInstructions({
  registerPeer: {
    id: 1,
    label: 'peer::register',
    record: {
      peer,
      /** Changes the roster although fewer than its quorum signed lately. */
      force: bool,
    },
  },
  unregisterPeer: {
    id: 2,
    label: 'peer::unregister',
    record: {
      /** The key that the peer registered with. */
      peer: validatorKey,
      force: bool,
    },
  },
  rotateConsensusKey: {
    id: 3,
    label: 'consensus_key::rotate',
    record: {
      /** The key that the peer registered with. */
      peer: validatorKey,
      newKey: validatorKey,
      /** Proof of possession of the new key, 96 bytes. */
      pop: bytesN(BLS_SIGNATURE_BYTES),
      /** First height of the new key; absent: as soon as possible, two heights on. */
      activeFrom: option(varint),
    },
  },
  disableConsensusKey: { id: 4, label: 'consensus_key::disable', record: { key: validatorKey, force: bool } },
})
