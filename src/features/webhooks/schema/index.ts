/** Webhooks as clients see them: a service of nodes, no part of the ledger. */
import { defineServiceSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import * as routes from './routes.js'

export const webhookSchema = defineServiceSchema({
  name: 'webhooks',
  version: 1,
  errors,
  routes: {
    create: routes.createRoute,
    list: routes.listRoute,
    show: routes.showRoute,
    remove: routes.removeRoute,
    rotate: routes.rotateRoute,
    enable: routes.enableRoute,
    disable: routes.disableRoute,
    test: routes.testRoute,
    attempts: routes.attemptsRoute,
    dead: routes.deadRoute,
    redeliver: routes.redeliverRoute,
    forget: routes.forgetRoute,
  },
  topics: {
    webhook: 'Webhooks: what the chain commits, sent to endpoints of yours',
  },
})
