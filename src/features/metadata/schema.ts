/** Owns metadata as clients see it: its instructions and events (docs/design/lanes.md 1, rows 19 and 20). */

import { defineSchema } from '../../api/feature.js'
import {
  aboutObjects,
  aboutParties,
  accountParty,
  CORE_IDS,
  defineEvents,
  defineInstructions,
  type EventSubject,
  metadataValue,
  name,
  type Target,
  target,
} from '../../model/index.js'

export const instructions = defineInstructions({
  setKeyValue: { id: 19, label: 'metadata::set', record: { target, key: name, value: metadataValue } },
  removeKeyValue: { id: 20, label: 'metadata::remove', record: { target, key: name } },
})

const metadata: EventSubject<{ readonly target: Target }> = {
  subject: 'metadata',
  about: ({ target: at }) => (at.kind === 'account' ? aboutParties(accountParty(at.value)) : aboutObjects(at.value)),
}

export const events = defineEvents({
  metadataInserted: { id: 8, record: { target, key: name, value: metadataValue }, ...metadata },
  metadataRemoved: { id: 9, record: { target, key: name }, ...metadata },
})

export const metadataSchema = defineSchema({
  name: 'metadata',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions,
  events,
  queries: {},
  parameters: [],
  routes: {},
  topics: { metadata: 'Metadata of objects' },
})
