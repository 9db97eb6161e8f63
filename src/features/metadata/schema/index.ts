/** Metadata as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { events } from './events.js'
import { instructions } from './instructions.js'

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
  topics: { 'ledger meta': 'Metadata of objects' },
})
