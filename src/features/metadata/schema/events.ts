/** Owns the events of metadata. */

import { struct } from '../../../codec/index.js'
import {
  aboutObjects,
  aboutParties,
  accountParty,
  defineEvent,
  type EventSubject,
  metadataValue,
  name,
  type Target,
  target,
} from '../../../model/index.js'
import { METADATA_EVENTS as ID } from './ids.js'

const metadata: EventSubject<{ readonly target: Target }> = {
  subject: 'metadata',
  about: ({ target: at }) => (at.kind === 'account' ? aboutParties(accountParty(at.value)) : aboutObjects(at.value)),
}
export const metadataInserted = defineEvent(
  ID.metadataInserted,
  'metadataInserted',
  struct('MetadataInserted', { target, key: name, value: metadataValue }),
  metadata,
)
export const metadataRemoved = defineEvent(
  ID.metadataRemoved,
  'metadataRemoved',
  struct('MetadataRemoved', { target, key: name }),
  metadata,
)
