/** Execution of manifests (docs/concepts/spaces.md). */
import { defineLedger } from '../../../executor/feature.js'
import { spaceSchema } from '../schema/index.js'
import { spaceGrants } from './grants.js'
import { spaceIndexes } from './indexes.js'
import { CAN_PUBLISH_MANIFESTS, execute } from './manifests.js'
import * as queries from './queries.js'
import { SPACE_TABLES } from './tables.js'

export const spaceLedger = defineLedger(spaceSchema, {
  tables: SPACE_TABLES,
  execute,
  queries: {
    spaceManifest: queries.spaceManifest,
    spaceManifests: queries.spaceManifestsQuery,
    spaceStandings: queries.spaceStandings,
    spaceEvaluation: queries.spaceEvaluation,
  },
  permissions: [CAN_PUBLISH_MANIFESTS],
  policies: { spaceGrants },
  indexes: spaceIndexes,
})
