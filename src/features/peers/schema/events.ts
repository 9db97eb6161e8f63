/** Owns the events of peers. */

import { varint } from '../../../codec/index.js'
import { defineEvents, type EventSubject, validatorKey } from '../../../model/index.js'

const peer: EventSubject<unknown> = { subject: 'peer' }

export const events = defineEvents({
  peerAdded: { id: 1, record: { peer: validatorKey }, ...peer },
  peerRemoved: { id: 13, record: { peer: validatorKey }, ...peer },
  consensusKeyRotated: { id: 14, record: { peer: validatorKey, key: validatorKey, activeFrom: varint }, ...peer },
  consensusKeyDisabled: { id: 15, record: { peer: validatorKey, key: validatorKey, disabledFrom: varint }, ...peer },
})
