/** Fees as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { FEE_ASSET, FEE_PER_TEU, FEE_SINK, FEE_SPONSORSHIP } from './parameters.js'

export const feeSchema = defineSchema({
  name: 'fees',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries: {},
  parameters: [FEE_ASSET, FEE_PER_TEU, FEE_SINK, FEE_SPONSORSHIP],
  routes: {},
})
