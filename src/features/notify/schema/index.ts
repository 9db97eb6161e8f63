/** Notifications as clients see them: a service of nodes, no part of the ledger. */
import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import * as routes from './routes.js'

export const notifySchema = defineSchema({
  name: 'notify',
  version: 1,
  ids: [],
  errors,
  instructions: {},
  events: [],
  queries: {},
  parameters: [],
  routes: {
    register: routes.registerRoute,
    list: routes.listRoute,
    remove: routes.removeRoute,
    test: routes.testRoute,
    key: routes.keyRoute,
  },
  topics: {
    notify: 'Devices that hear of what concerns an account',
  },
})
