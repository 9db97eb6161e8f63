/** Owns handlers of the multisig routes that are not plain queries. */
import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { LedgerError, type MultisigPolicy, multisigAccount, policyFault, sortedPolicy } from '../../../model/index.js'
import { accountIdOf, accountOfText, answerOne, parameterFault } from '../../responses.js'
import * as queries from '../schema/queries.js'
import * as routes from '../schema/routes.js'

type Input<P> = { readonly services: NodeServices; readonly params: P }

function address({ body }: { readonly body: MultisigPolicy }) {
  const policy = sortedPolicy(body)
  const fault = policyFault(policy)
  return fault === undefined ? { value: { account: multisigAccount(policy), policy } } : parameterFault('policy', fault)
}

async function multisig({ services, params }: Input<{ readonly account: string }>) {
  const named = accountOfText(services, params.account, 'account')
  if (named instanceof LedgerError) return named
  return answerOne(services, queries.multisig, named, `there is no multisig account ${params.account}`)
}

async function proposal({ services, params }: Input<{ readonly account: string; readonly proposal: Uint8Array }>) {
  const account = await accountIdOf(services, params.account, 'account')
  if (account instanceof LedgerError) return account
  return answerOne(services, queries.proposal, { account, proposal: params.proposal }, 'no such proposal')
}

/** Handlers by route id. */
export const multisigHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.multisigAddressRoute, address),
  handle(routes.multisigRoute, multisig),
  handle(routes.proposalRoute, proposal),
])
