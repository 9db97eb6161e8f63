/** Owns the events of metadata. */

import {
  aboutObjects,
  aboutParties,
  accountParty,
  defineEvents,
  type EventSubject,
  metadataValue,
  name,
  type Target,
  target,
} from '../../../model/index.js'

const metadata: EventSubject<{ readonly target: Target }> = {
  subject: 'metadata',
  about: ({ target: at }) => (at.kind === 'account' ? aboutParties(accountParty(at.value)) : aboutObjects(at.value)),
}

export const events = defineEvents({
  metadataInserted: { id: 8, record: { target, key: name, value: metadataValue }, ...metadata },
  metadataRemoved: { id: 9, record: { target, key: name }, ...metadata },
})
