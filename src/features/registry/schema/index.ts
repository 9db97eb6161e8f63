/** Packages as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { REGISTRY_IDS } from './records.js'
import * as routes from './routes.js'
import { queries } from './views.js'

export const registrySchema = defineSchema({
  name: 'registry',
  since: 2,
  version: 1,
  ids: [REGISTRY_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    packages: routes.packagesRoute,
    package: routes.packageRoute,
    release: routes.releaseRoute,
    releases: routes.releasesRoute,
    versions: routes.versionsRoute,
    tag: routes.tagRoute,
    resolve: routes.resolveRoute,
    provenance: routes.provenanceRoute,
    createDraft: routes.createDraftRoute,
    publishDraft: routes.publishDraftRoute,
    yankDraft: routes.yankDraftRoute,
    tagDraft: routes.tagDraftRoute,
    attestDraft: routes.attestDraftRoute,
    assertDraft: routes.assertDraftRoute,
  },
  topics: {
    registry: 'Packages with verifiable releases',
    'registry builder': 'Keys that attest the releases of a package',
  },
})
