/** Owns the queries of the bridge: what a payment resolves to, and what became of a message. */
import { defineQueries } from '../../../model/index.js'
import { ledgerMessages, ledgerPayments, messagesQuery, paymentsQuery } from './messages.js'
import { resolution, resolveQuery } from './views.js'

export const queries = defineQueries({
  isoResolve: { id: 300, input: resolveQuery, output: resolution },
  isoMessages: { id: 301, input: messagesQuery, output: ledgerMessages },
  isoPayments: { id: 302, input: paymentsQuery, output: ledgerPayments },
})
