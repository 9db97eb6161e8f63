/** Notifications as clients see them: a service of nodes, no part of the ledger. */
import { defineServiceSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import * as routes from './routes.js'

export const notifySchema = defineServiceSchema({
  name: 'notify',
  version: 1,
  errors,
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
