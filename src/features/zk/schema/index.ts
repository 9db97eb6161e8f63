/** Verifying keys as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { PROOF_WORK_PER_BLOCK } from '../../../consensus/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { ZK_IDS } from './ids.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import * as routes from './routes.js'

export const zkSchema = defineSchema({
  name: 'zk',
  since: 2,
  version: 1,
  ids: [ZK_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [PROOF_WORK_PER_BLOCK],
  routes: { verifyingKeys: routes.verifyingKeysRoute, verifyingKey: routes.verifyingKeyRoute },
  topics: { zk: 'Zero-knowledge proofs', 'zk vk': 'Verifying keys, which proofs are checked with' },
})
