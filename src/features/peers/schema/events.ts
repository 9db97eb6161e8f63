/** Owns the events of peers. */

import { struct, varint } from '../../../codec/index.js'
import { defineEvent, type EventSubject, validatorKey } from '../../../model/index.js'
import { PEER_EVENTS as ID } from './ids.js'

const peer: EventSubject<unknown> = { subject: 'peer' }
export const peerAdded = defineEvent(ID.peerAdded, 'peerAdded', struct('PeerAdded', { peer: validatorKey }), peer)
export const peerRemoved = defineEvent(
  ID.peerRemoved,
  'peerRemoved',
  struct('PeerRemoved', { peer: validatorKey }),
  peer,
)
export const consensusKeyRotated = defineEvent(
  ID.consensusKeyRotated,
  'consensusKeyRotated',
  struct('ConsensusKeyRotated', { peer: validatorKey, key: validatorKey, activeFrom: varint }),
  peer,
)
export const consensusKeyDisabled = defineEvent(
  ID.consensusKeyDisabled,
  'consensusKeyDisabled',
  struct('ConsensusKeyDisabled', { peer: validatorKey, key: validatorKey, disabledFrom: varint }),
  peer,
)
