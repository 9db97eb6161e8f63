/** Execution of the ministry (docs/concepts/ministry.md). */
import { defineLedger } from '../../../executor/feature.js'
import { ministrySchema } from '../schema/index.js'
import { councilAgendas, execute } from './agendas.js'
import * as queries from './queries.js'
import { deniedHashes, MINISTRY_TABLES } from './tables.js'

export const ministryLedger = defineLedger(ministrySchema, {
  tables: MINISTRY_TABLES,
  execute,
  queries: {
    ministryAgenda: queries.agendaQuery,
    ministryAgendas: queries.agendasQuery,
    ministryDenied: queries.deniedQuery,
    ministryPolicies: queries.policiesQuery,
  },
  permissions: [],
  policies: { agendas: councilAgendas, denyList: (state, family, hash) => state.has(deniedHashes, { family, hash }) },
})
