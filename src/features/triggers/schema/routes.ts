/** Owns the routes of triggers. */

import { pageParameters } from '../../../api/paging.js'
import { namePath } from '../../../api/query-inputs.js'
import { defineRoute } from '../../../api/route.js'
import { queries } from './queries.js'
import { triggerPage, triggerView } from './views.js'

export const triggersRoute = defineRoute({
  id: 'ledger.triggers',
  method: 'GET',
  path: '/v1/triggers',
  summary: 'Triggers in the order of their names',
  access: 'public',
  format: 'json',
  query: pageParameters,
  response: triggerPage,
}).byPage(queries.triggers)

export const triggerRoute = defineRoute({
  id: 'ledger.trigger',
  method: 'GET',
  path: '/v1/triggers/{id}',
  summary: 'A trigger: what triggers it, what it does, how often it still runs',
  access: 'public',
  format: 'json',
  params: namePath,
  response: triggerView,
}).byQuery(
  queries.trigger,
  ({ params }) => params,
  ({ params }) => `there is no trigger ${params.id}`,
)
