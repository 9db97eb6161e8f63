/** Manifests of guests as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { SPACE_IDS } from './records.js'
import * as routes from './routes.js'
import { queries } from './views.js'

export const spaceSchema = defineSchema({
  name: 'spaces',
  since: 2,
  version: 1,
  ids: [SPACE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    manifests: routes.manifestsRoute,
    manifest: routes.manifestRoute,
    account: routes.accountRoute,
    evaluate: routes.evaluateRoute,
    publishDraft: routes.publishDraftRoute,
    revokeDraft: routes.revokeDraftRoute,
    expireDraft: routes.expireDraftRoute,
  },
  topics: { space: 'Permitted actions of guests in restricted dataspaces' },
})
