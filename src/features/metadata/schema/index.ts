/** Metadata as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import * as events from './events.js'
import * as instructions from './instructions.js'

export const metadataSchema = defineSchema({
  name: 'metadata',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions: { setKeyValue: instructions.setKeyValue, removeKeyValue: instructions.removeKeyValue },
  events: [events.metadataInserted, events.metadataRemoved],
  queries: {},
  parameters: [],
  routes: {},
  topics: { 'ledger meta': 'Metadata of objects' },
})
