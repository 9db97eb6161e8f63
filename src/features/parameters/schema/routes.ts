/** Owns the route of parameters. */

import { byQuery, defineRoute } from '../../../api/route.js'
import { parameterSnapshot } from '../../../api/schema/parameters.js'
import { queries } from './queries.js'

export const parametersRoute = defineRoute({
  id: 'parameters',
  tool: { name: 'parameters', about: 'Parameters of the chain' },
  method: 'GET',
  path: '/v1/parameters',
  summary: 'Parameters of the chain: what acts now and what was decided for later',
  access: 'public',
  format: 'json',
  response: parameterSnapshot,
  answer: byQuery(queries.parameters, () => ({})),
})
