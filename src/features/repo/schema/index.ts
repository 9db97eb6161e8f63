/** Repos as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { REPO_IDS } from './records.js'
import * as routes from './routes.js'
import { queries } from './views.js'

export const repoSchema = defineSchema({
  name: 'repo',
  since: 2,
  version: 1,
  ids: [REPO_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    agreements: routes.agreementsRoute,
    agreementsQuery: routes.agreementsQueryRoute,
    agreement: routes.agreementRoute,
    exposure: routes.exposureRoute,
    history: routes.historyRoute,
    prices: routes.pricesRoute,
    calendar: routes.calendarRoute,
    events: routes.eventStream,
    ...routes.draftRoutes,
  },
  topics: {
    repo: 'Repos: cash against collateral, margin, repurchase, default',
    'repo calendar': 'Calendars of business days',
    'repo margin': 'Margin of repos',
  },
})
