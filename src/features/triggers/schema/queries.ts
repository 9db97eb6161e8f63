/** Owns the queries of triggers. */

import { byNameQuery } from '../../../api/query-inputs.js'
import { defineQueries } from '../../../model/index.js'
import { triggerPage, triggersInput, triggerView } from './views.js'

export const queries = defineQueries({
  triggers: { id: 11, input: triggersInput, output: triggerPage },
  trigger: { id: 12, input: byNameQuery, output: triggerView },
})
