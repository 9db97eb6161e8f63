/** Owns the queries of the bridge: what a payment resolves to, and who claimed a message. */
import { defineQuery } from '../../../model/index.js'
import { ISO_QUERIES as ID } from './ids.js'
import { claimQuery, claimView, resolution, resolveQuery } from './views.js'

export const isoResolve = defineQuery(ID.isoResolve, 'isoResolve', resolveQuery, resolution)
export const isoClaim = defineQuery(ID.isoClaim, 'isoClaim', claimQuery, claimView)
