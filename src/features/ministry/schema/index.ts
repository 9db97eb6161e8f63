/** The ministry as clients see it. */
import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { MINISTRY_IDS } from './records.js'
import * as routes from './routes.js'
import { queries } from './views.js'

export const ministrySchema = defineSchema({
  name: 'ministry',
  since: 2,
  version: 1,
  ids: [MINISTRY_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    agendas: routes.agendasRoute,
    agenda: routes.agendaRoute,
    denylist: routes.denylistRoute,
    policies: routes.policiesRoute,
    agendaDraft: routes.agendaDraftRoute,
  },
  topics: { ministry: 'Agendas of the ministry, its deny list and its policies' },
})
