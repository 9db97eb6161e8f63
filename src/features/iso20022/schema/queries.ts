/** Owns the queries of the bridge: what a payment resolves to, and what became of a message. */
import { defineQuery } from '../../../model/index.js'
import { ISO_QUERIES as ID } from './ids.js'
import { ledgerMessages, messagesQuery } from './messages.js'
import { resolution, resolveQuery } from './views.js'

export const isoResolve = defineQuery(ID.isoResolve, 'isoResolve', resolveQuery, resolution)
export const isoMessages = defineQuery(ID.isoMessages, 'isoMessages', messagesQuery, ledgerMessages)
