/** Owns handlers of the account routes that are not plain queries. */

import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { LedgerError } from '../../../model/index.js'
import { accountOfText, answerOne, noAccount } from '../../responses.js'
import { onboardingRoute } from '../schema/onboarding.js'
import { queries } from '../schema/queries.js'
import * as routes from '../schema/routes.js'
import { onboarding } from './onboarding.js'

type Input = { readonly services: NodeServices; readonly params: { readonly id: string } }

async function account({ services, params }: Input) {
  const named = accountOfText(services, params.id)
  return named instanceof LedgerError ? named : answerOne(services, queries.account, named, noAccount(params.id))
}

/** Handlers by route id. */
export const accountHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.accountRoute, account),
  handle(routes.explorerAccountRoute, account),
  handle(onboardingRoute, onboarding),
])
