/** Execution of packages (docs/concepts/registry.md). */
import { defineLedger } from '../../../executor/feature.js'
import { registrySchema } from '../schema/index.js'
import * as packages from './packages.js'
import * as queries from './queries.js'
import * as releases from './releases.js'
import { REGISTRY_TABLES } from './tables.js'

export const registryLedger = defineLedger(registrySchema, {
  tables: REGISTRY_TABLES,
  execute: { ...packages.execute, ...releases.execute },
  queries: {
    registryPackage: queries.packageQuery,
    registryPackages: queries.packagesQuery,
    registryRelease: queries.releaseQuery,
    registryReleases: queries.releasesQuery,
    registryVersions: queries.versionsQuery,
    registryVersionList: queries.versionListQuery,
  },
  permissions: [packages.CAN_PUBLISH_PACKAGE],
})
