/** Real-world assets as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { RWA_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import * as routes from './routes.js'
import { eventStream } from './streams.js'
import { queries } from './views.js'

export const rwaSchema = defineSchema({
  name: 'rwas',
  since: 2,
  version: 1,
  ids: [RWA_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    lots: routes.lotsRoute,
    explorerLots: routes.explorerLotsRoute,
    query: routes.queryRoute,
    lot: routes.lotRoute,
    provenance: routes.ancestorsRoute,
    history: routes.changesRoute,
    classes: routes.classesRoute,
    class: routes.classRoute,
    holders: routes.holdersRoute,
    events: eventStream,
    ...routes.draftRoutes,
  },
  topics: {
    rwa: 'Lots of real-world assets',
    'rwa class': 'Classes of real-world assets',
    'rwa holder': 'Eligible holders of a class',
    'rwa income': 'Income of a class, and its payment to holders',
    'rwa redemption': 'Redemption of lots by the issuer',
  },
})
