/** Owns the drafts of governance (specification 4.3). */
import { defineRoute } from '../../../api/route.js'
import { draft, draftFields, draftRow } from '../../../api/schema/draft.js'
import { hash32, type Infer, list, option, type Schema, struct, u8, varint } from '../../../codec/index.js'
import { domainId, validatorKey } from '../../../model/index.js'
import { instructions } from './instructions.js'
import {
  approvedName,
  deploymentKind,
  NAMESPACES_MAX,
  proposalLink,
  proposalSummary,
  proposalTitle,
} from './records.js'
import { simulationView } from './views.js'

const BASE = '/v1/gov'
/** Maximum size of a draft, in bytes of JSON: 32 KiB of instructions with their names. */
const BODY_MAX_BYTES = 64 * 1024

const drafted = { ...draftRow, method: 'POST', access: 'public' } as const
const body = <T>(schema: Schema<T>) => ({ as: 'record', schema, maxBytes: BODY_MAX_BYTES }) as const

/** Draft of a proposal, with the effect of its list at this head. */
const proposalDraft = struct('GovProposalDraft', { ...draftFields, simulation: simulationView })

export const proposalDraftRoute = defineRoute({
  ...drafted,
  id: 'gov.drafts.propose',
  path: `${BASE}/proposals`,
  summary: 'Draft a proposal; its list is simulated on the last block. An elector of the track signs it',
  body: body(instructions.submitProposal.schema),
  response: proposalDraft,
})

/** Fields of a proposal other than its instructions. */
const heading = {
  track: u8,
  title: proposalTitle,
  summary: proposalSummary,
  link: proposalLink,
  peer: option(validatorKey),
}
export interface DeploymentProposal extends Infer<typeof deploymentProposal_> {}
const deploymentProposal_ = struct('GovDeploymentProposal', {
  ...heading,
  kind: deploymentKind,
  domain: domainId,
  name: approvedName,
  digest: hash32,
  abiHash: option(hash32),
  ttlMs: varint,
})
export const deploymentDraftRoute = defineRoute({
  ...drafted,
  id: 'gov.drafts.deployment',
  path: `${BASE}/proposals/deploy-contract`,
  summary: 'Draft a proposal to approve a deployment into a protected domain',
  body: body(deploymentProposal_),
  response: proposalDraft,
})

const domains_ = list(domainId, NAMESPACES_MAX)
export interface NamespacesProposal extends Infer<typeof namespacesProposal_> {}
const namespacesProposal_ = struct('GovNamespacesProposal', { ...heading, add: domains_, remove: domains_ })
export const namespacesDraftRoute = defineRoute({
  ...drafted,
  id: 'gov.drafts.namespaces',
  path: `${BASE}/protected-namespaces`,
  summary: 'Draft a proposal to protect domains, or to end their protection',
  body: body(namespacesProposal_),
  response: proposalDraft,
})

export const ballotDraftRoute = defineRoute({
  ...drafted,
  id: 'gov.drafts.ballot',
  path: `${BASE}/ballots/plain`,
  summary: 'Draft a ballot; an elector signs it after a check of the digest',
  body: body(instructions.castBallot.schema),
  response: draft,
})
export const finalizeDraftRoute = defineRoute({
  ...drafted,
  id: 'gov.drafts.finalize',
  path: `${BASE}/finalize`,
  summary: 'Draft the step of a proposal that is due; any account signs it',
  body: body(instructions.finalizeProposal.schema),
  response: draft,
})
export const enactDraftRoute = defineRoute({
  ...drafted,
  id: 'gov.drafts.enact',
  path: `${BASE}/enact`,
  summary: 'Draft the enactment of an approved proposal that is due; any account signs it',
  body: body(instructions.enactProposal.schema),
  response: draft,
})
export const councilDraftRoute = defineRoute({
  ...drafted,
  id: 'gov.drafts.council',
  path: `${BASE}/council/vote`,
  summary: 'Draft a vote of the council: a veto, the admission of an agenda, or its dismissal',
  body: body(instructions.councilVote.schema),
  response: draft,
})
