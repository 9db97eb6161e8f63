/** Owns handlers of the multisig routes that are not plain queries. */

import { instructions } from '../schema/instructions.js'
import { queries } from '../schema/queries.js'
import '../schema/errors.js'
import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import {
  instruction,
  LedgerError,
  type MultisigPolicy,
  multisigAccount,
  policyFault,
  sortedPolicy,
  storedInstructions,
} from '../../../model/index.js'
import { answerDraft, type Drafting } from '../../drafts.js'
import { accountIdOf, accountOfText, answerOne, parameterFault } from '../../responses.js'
import * as schema from '../schema/instructions.js'
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

type DraftInput<B> = Input<{ readonly account: string }> & Drafting & { readonly body: B }

/** Its account, where that has a policy. */
async function multisigOf(services: NodeServices, text: string) {
  const named = accountOfText(services, text, 'account')
  if (named instanceof LedgerError) return named
  const found = await services.query(queries.multisig, named)
  return found?.account ?? new LedgerError('not_found', `there is no multisig account ${text}`)
}

async function propose(input: DraftInput<routes.ProposalContent>) {
  const { services, params, body } = input
  const account = await multisigOf(services, params.account)
  if (account instanceof LedgerError) return account
  if (body.instructions.length === 0) return parameterFault('instructions', 'a proposal has at least one instruction')
  const drafted = instruction(instructions.propose, { account, ...body })
  const content = storedInstructions.encode(body.instructions, services.info.codec)
  return answerDraft(input, [drafted], (transaction) => ({
    proposal: transaction && schema.proposalId(account, content, transaction),
  }))
}

/** The draft of a word about an open proposal. */
const decide = (kind: string) => async (input: DraftInput<routes.ProposalChoice>) => {
  const { services, params, body } = input
  const account = await accountIdOf(services, params.account, 'account')
  if (account instanceof LedgerError) return account
  const key = { account, proposal: body.proposal }
  const found = await services.query(queries.proposal, key)
  if (found === undefined) return new LedgerError('not_found', 'no such proposal')
  if (found.status !== 'open') return new LedgerError('proposal_expired', `the proposal is ${found.status}`)
  return answerDraft(input, [{ kind, value: key satisfies schema.ProposalRef }], () => ({ proposal: found }))
}

/** Handlers by route id. */
export const multisigHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.multisigAddressRoute, address),
  handle(routes.multisigRoute, multisig),
  handle(routes.proposalRoute, proposal),
  handle(routes.proposeRoute, propose),
  handle(routes.approveRoute, decide(instructions.approve.kind)),
  handle(routes.cancelRoute, decide(instructions.cancel.kind)),
])
