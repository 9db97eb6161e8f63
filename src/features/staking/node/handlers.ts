/** Owns the handler of election simulations. */
import { answerOne, parameterFault } from '../../../api/answers.js'
import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { type AccountId, LedgerError } from '../../../model/index.js'
import { resolveText } from '../../texts.js'
import { TARGETS_MAX } from '../schema/records.js'
import { simulateRoute } from '../schema/routes.js'
import { queries } from '../schema/views.js'

/** Validators of a list, or the fault of the first invalid one. */
async function targetsOf(services: NodeServices, list: string): Promise<readonly AccountId[] | LedgerError> {
  const named = list.split(',').filter((text) => text !== '')
  if (named.length > TARGETS_MAX) return parameterFault('targets', `at most ${TARGETS_MAX} validators can be nominated`)
  const targets: AccountId[] = []
  for (const text of named) {
    const target = await resolveText(services, text, 'account', 'targets')
    if (target instanceof LedgerError) return target
    targets.push(target)
  }
  return targets
}

/** Handlers by route id. */
export const stakingHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(simulateRoute, async ({ services, query, accounts }) => {
    const targets = await targetsOf(services, query.targets ?? '')
    if (targets instanceof LedgerError) return targets
    const asked = { account: accounts.account, amount: query.amount, targets }
    return answerOne(services, queries.stakingSimulation, asked, 'this chain has no stake')
  }),
])
