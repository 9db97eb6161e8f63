/** Passkeys of operators as clients see them: a service of nodes, no part of the ledger. */
import { defineServiceSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import * as routes from './routes.js'

export const passkeySchema = defineServiceSchema({
  name: 'passkeys',
  version: 1,
  errors,
  routes: {
    ticket: routes.ticketRoute,
    registrationOptions: routes.registrationOptionsRoute,
    registrationVerify: routes.registrationVerifyRoute,
    loginOptions: routes.loginOptionsRoute,
    loginVerify: routes.loginVerifyRoute,
    list: routes.listRoute,
    remove: routes.removeRoute,
  },
  topics: {
    operator: 'What operators of a node do with it',
    'operator passkey': 'Passkeys, with which operators use the pages of a node',
  },
})
