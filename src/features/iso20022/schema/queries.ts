/** Owns the queries of the bridge: resolution of payments, and results of messages. */
import { defineQueries } from '../../../model/index.js'
import { ledgerMessages, ledgerPayments, messagesQuery, paymentsQuery } from './messages.js'
import { resolution, resolutions, resolveAllQuery, resolveQuery } from './views.js'

export const queries = defineQueries({
  isoResolve: { id: 300, input: resolveQuery, output: resolution },
  isoMessages: { id: 301, input: messagesQuery, output: ledgerMessages },
  isoResolveAll: { id: 303, input: resolveAllQuery, output: resolutions },
  isoPayments: { id: 302, input: paymentsQuery, output: ledgerPayments },
})
