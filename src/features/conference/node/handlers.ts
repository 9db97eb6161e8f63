/** Owns the answer about one relay, which may be named by an alias. */

import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { LedgerError } from '../../../model/index.js'
import { accountIdOf, answerOne } from '../../responses.js'
import { queries } from '../schema/queries.js'
import { relayRoute } from '../schema/routes.js'

async function relay(input: { readonly services: NodeServices; readonly params: { readonly relayId: string } }) {
  const { services, params } = input
  const relayId = await accountIdOf(services, params.relayId, 'relay_id')
  if (relayId instanceof LedgerError) return relayId
  return answerOne(services, queries.conferenceRelay, { relayId }, `there is no relay ${params.relayId}`)
}

/** Handlers by route id. */
export const conferenceHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([handle(relayRoute, relay)])
