/** Owns the status of governance with the other holders of its permissions, the protection of a contract, and the drafts. */
import { type AnyHandler, handle } from '../../../api/handler.js'
import { PAGE_LIMIT_MAX } from '../../../api/paging.js'
import type { NodeServices } from '../../../api/services.js'
import { type AccountId, instruction, LedgerError, type Token } from '../../../model/index.js'
import { queries as contractQueries } from '../../contracts/schema/queries.js'
import { answerDraft, type Drafting, draftOfBody } from '../../drafts.js'
import { type HolderItem, queries as permissionQueries } from '../../permissions/schema.js'
import * as drafts from '../schema/drafts.js'
import { instructions, type SubmitProposal } from '../schema/instructions.js'
import * as routes from '../schema/routes.js'
import { queries, type StatusView } from '../schema/views.js'

type WithServices = { readonly services: NodeServices }

/** Permissions on an asset definition that allow votes to be created, destroyed or moved. */
const ON_DEFINITION = ['CanMint', 'CanBurn', 'CanTransfer', 'CanControl']

/** Permissions that other holders can use independently of governance. */
const sharedBy = ({ permissions, definitions }: StatusView): readonly Pick<Token, 'name' | 'object'>[] => [
  ...permissions,
  ...definitions.flatMap((object) => ON_DEFINITION.map((name) => ({ name, object }))),
]

/** Holders of permissions except one account, up to the maximum of the response. */
async function otherHolders(services: NodeServices, view: StatusView) {
  const found: HolderItem[] = []
  const isOther = ({ holder }: HolderItem): boolean => holder.kind === 'role' || holder.value !== view.account
  for (const { name, object } of sharedBy(view)) {
    let after: string | undefined
    do {
      const asked = { name, object, limit: PAGE_LIMIT_MAX, after }
      const page = await services.query(permissionQueries.permissionHolders, asked)
      found.push(...(page?.items ?? []).filter(isOther))
      if (found.length > routes.OTHER_HOLDERS_MAX)
        return { otherHolders: found.slice(0, routes.OTHER_HOLDERS_MAX), isComplete: false }
      after = page?.nextCursor
    } while (after !== undefined)
  }
  return { otherHolders: found, isComplete: true }
}

async function status({ services }: WithServices) {
  const [view, peers] = [await services.query(queries.govStatus, {}), await services.query(queries.govPeers, {})]
  if (view === undefined || peers === undefined) throw new Error('the query of the governance status returned nothing')
  return { value: { status: view, ...(await otherHolders(services, view)), peers } }
}

type OfContract = WithServices & { readonly accounts: { readonly address: AccountId } }
async function contract({ services, accounts: { address } }: OfContract) {
  const found = await services.query(contractQueries.contractInstance, { address })
  if (found === undefined) return new LedgerError('not_found', 'no contract has this address')
  const { domain } = found.instance
  const namespace = await services.query(queries.govNamespace, { domain })
  if (namespace === undefined) throw new Error(`the domain ${domain} of a contract is not on the ledger`)
  return { value: { address, domain, namespace } }
}

/** Draft of a proposal, with a simulation of its list. */
async function draftProposal(input: Drafting, proposal: SubmitProposal) {
  const { track, instructions: list } = proposal
  const simulation = await input.services.query(queries.govSimulation, { track, instructions: list })
  if (simulation === undefined) return new LedgerError('not_found', `track ${track} does not exist`)
  return answerDraft(input, [instruction(instructions.submitProposal, proposal)], () => ({ simulation }))
}

const propose = (input: Drafting & { readonly body: SubmitProposal }) => draftProposal(input, input.body)

const proposeDeployment = (input: Drafting & { readonly body: drafts.DeploymentProposal }) => {
  const { track, title, summary, link, peer, ...approval } = input.body
  const list = [instruction(instructions.approveDeployment, approval)]
  return draftProposal(input, { track, title, summary, link, peer, instructions: list })
}

const proposeNamespaces = (input: Drafting & { readonly body: drafts.NamespacesProposal }) => {
  const { track, title, summary, link, peer, ...change } = input.body
  const list = [instruction(instructions.setProtectedNamespaces, change)]
  return draftProposal(input, { track, title, summary, link, peer, instructions: list })
}

export const govHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.statusRoute, status),
  handle(routes.contractRoute, contract),
  handle(drafts.proposalDraftRoute, propose),
  handle(drafts.deploymentDraftRoute, proposeDeployment),
  handle(drafts.namespacesDraftRoute, proposeNamespaces),
  handle(drafts.ballotDraftRoute, draftOfBody(instructions.castBallot)),
  handle(drafts.finalizeDraftRoute, draftOfBody(instructions.finalizeProposal)),
  handle(drafts.enactDraftRoute, draftOfBody(instructions.enactProposal)),
  handle(drafts.councilDraftRoute, draftOfBody(instructions.councilVote)),
])
