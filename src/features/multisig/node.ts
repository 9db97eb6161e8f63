/** Owns the multisig routes beyond queries: addresses of policies, drafts of proposals and decisions. */

import './schema.js'
import type { NamedAccount } from '../../api/accounts.js'
import { parameterFault } from '../../api/answers.js'
import { type AnyHandler, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import {
  type AccountId,
  instruction,
  LedgerError,
  type MultisigPolicy,
  multisigAccount,
  policyFault,
  sortedPolicy,
  storedInstructions,
} from '../../model/index.js'
import { answerDraft, type Drafting } from '../drafts.js'
import { defineService } from '../service.js'
import * as routes from './schema.js'
import * as schema from './schema.js'
import { instructions, multisigSchema, queries } from './schema.js'

function address({ body }: { readonly body: MultisigPolicy }) {
  const policy = sortedPolicy(body)
  const fault = policyFault(policy)
  return fault === undefined ? { value: { account: multisigAccount(policy), policy } } : parameterFault('policy', fault)
}

type DraftInput<B, F> = Drafting<F> & { readonly params: { readonly account: string }; readonly body: B }

async function propose(input: DraftInput<routes.ProposalContent, { readonly account: NamedAccount }>) {
  const { services, params, body, accounts } = input
  const found = await services.query(queries.multisig, accounts.account)
  if (found === undefined) return new LedgerError('not_found', `${params.account} is not a multisig account`)
  const { account } = found
  if (body.instructions.length === 0)
    return parameterFault('instructions', 'a proposal must have at least one instruction')
  const drafted = instruction(instructions.propose, { account, ...body })
  const content = storedInstructions.encode(body.instructions, services.info.codec)
  return answerDraft(input, [drafted], (transaction) => ({
    proposal: transaction && schema.proposalId(account, content, transaction),
  }))
}

/** Draft a decision about an open proposal. */
const decide = (kind: string) => async (input: DraftInput<routes.ProposalChoice, { readonly account: AccountId }>) => {
  const { services, accounts, body } = input
  const key = { account: accounts.account, proposal: body.proposal }
  const found = await services.query(queries.proposal, key)
  if (found === undefined) return new LedgerError('not_found', 'the proposal does not exist')
  if (found.status !== 'open') return new LedgerError('proposal_expired', `the proposal is ${found.status}`)
  return answerDraft(input, [{ kind, value: key satisfies schema.ProposalRef }], () => ({ proposal: found }))
}

/** Handlers by route id. */
const multisigHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.multisigAddressRoute, address),
  handle(routes.proposeRoute, propose),
  handle(routes.approveRoute, decide(instructions.approve.kind)),
  handle(routes.cancelRoute, decide(instructions.cancel.kind)),
])

export const multisigService = defineService(multisigSchema, {
  open: () => ({ handlers: multisigHandlers }),
})
