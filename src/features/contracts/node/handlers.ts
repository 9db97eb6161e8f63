/** Owns the drafts of contracts, and several views at once. */

import { parameterFault } from '../../../api/answers.js'
import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { type AccountId, formatAddress, instruction, LedgerError, storedInstructions } from '../../../model/index.js'
import { answerDraft, type Drafting, draftOfBody } from '../../drafts.js'
import { queries as explorerQueries } from '../../explorer/schema/queries.js'
import { instructions as multisig, type ProposalRef, type Propose, proposalId } from '../../multisig/schema.js'
import * as routes from '../schema/draft-routes.js'
import { instructions } from '../schema/instructions.js'
import { queries } from '../schema/queries.js'
import { type ProvenContractParameters, provenContractRoute, viewBatchRoute } from '../schema/routes.js'
import type { Trial } from '../schema/views.js'

/** Kinds of the steps of a bundle. */
const STEPS: ReadonlySet<string> = new Set([
  instructions.deployContract.kind,
  instructions.bindContractAlias.kind,
  instructions.contractCall.kind,
])

type Input<B, F = unknown> = Drafting<F> & { readonly body: B }
type OfMultisig = { readonly account: AccountId }

async function bundle(input: Input<routes.Bundle>) {
  const { steps } = input.body
  if (steps.length === 0) return parameterFault('steps', 'a bundle must have at least one step')
  const other = steps.find(({ kind }) => !STEPS.has(kind))
  if (other !== undefined) return parameterFault('steps', `${other.kind} is not a step of a bundle`)
  return answerDraft(input, steps, () => ({}))
}

async function proposeCall(input: Input<routes.MultisigCall, OfMultisig>) {
  const { services, body, accounts } = input
  const { account } = accounts
  const list = [instruction(instructions.contractCall, body.call)]
  const value: Propose = { account, instructions: list, ttlMs: body.ttlMs }
  const content = storedInstructions.encode(list, services.info.codec)
  return answerDraft(input, [instruction(multisig.propose, value)], (transaction) => ({
    proposal: transaction && proposalId(account, content, transaction),
  }))
}

function approveCall(input: Input<routes.MultisigApproval, OfMultisig>) {
  const value: ProposalRef = { account: input.accounts.account, proposal: input.body.proposal }
  return answerDraft(input, [instruction(multisig.approve, value)], () => ({}))
}

/** Run views in sequence. A block may be committed between two of them, so each reports its height. */
async function viewBatch({
  services,
  body,
}: {
  readonly services: NodeServices
  readonly body: { readonly views: readonly Trial[] }
}) {
  const results = []
  for (const view of body.views) {
    const result = await services.query(queries.contractView, view)
    if (result === undefined) return new LedgerError('not_found', 'the contract does not exist')
    results.push(result)
  }
  return { value: { results } }
}

/** Table of contract rows, by its name in proofs. */
const INSTANCES = 'contract_instances'

async function proven({
  services,
  params,
  query,
}: {
  readonly services: NodeServices
  readonly params: { readonly address: AccountId }
  readonly query: ProvenContractParameters
}) {
  const { address } = params
  const key = formatAddress(address, services.info.addressPrefix)
  const contract = await services.query(queries.contractInstance, { address })
  const code = contract && (await services.query(queries.contractCode, { hash: contract.instance.artifact }))
  const proof = code && (await services.query(explorerQueries.stateProof, { table: INSTANCES, key, from: query.from }))
  return contract === undefined || code === undefined || proof === undefined
    ? new LedgerError('not_found', 'the contract does not exist, or this node does not store the data for its proof')
    : { value: { proof, manifest: contract.manifest, code: code.code } }
}

/** Handlers by route id. */
export const contractHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.registerRoute, draftOfBody(instructions.registerContract)),
  handle(routes.deployRoute, draftOfBody(instructions.deployContract)),
  handle(routes.callRoute, draftOfBody(instructions.contractCall)),
  handle(routes.bindRoute, draftOfBody(instructions.bindContractAlias)),
  handle(routes.bundleRoute, bundle),
  handle(routes.proposeCallRoute, proposeCall),
  handle(routes.approveCallRoute, approveCall),
  handle(viewBatchRoute, viewBatch),
  handle(provenContractRoute, proven),
])
