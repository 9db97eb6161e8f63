/** Owns the answer of the permissions of an account. */

import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { LedgerError } from '../../../model/index.js'
import { accountOfText, answerOne, noAccount } from '../../responses.js'
import { queries } from '../schema/queries.js'
import { accountGrantsRoute } from '../schema/routes.js'

async function grants({
  services,
  params,
}: {
  readonly services: NodeServices
  readonly params: { readonly id: string }
}) {
  const named = accountOfText(services, params.id)
  if (named instanceof LedgerError) return named
  return answerOne(services, queries.accountGrants, named, noAccount(params.id))
}

/** Handlers by route id. */
export const permissionHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(accountGrantsRoute, grants),
])
