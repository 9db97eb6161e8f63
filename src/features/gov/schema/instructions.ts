/** Owns the instructions of governance. */
import { bool, hash32, list, numeric, option, u8, u16, varint } from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  defineInstructions,
  domainId,
  type InstructionOf,
  name,
  validatorKey,
} from '../../../model/index.js'
import {
  approvedName,
  choice,
  conviction,
  councilMembers,
  councilSubject,
  deploymentKind,
  ELECTORS_MAX,
  foundingTracks,
  GOV_IDS,
  govTrack,
  NAMESPACES_MAX,
  proposalLink,
  proposalNumber,
  proposalSummary,
  proposalTitle,
  proposedInstructions,
} from './records.js'

const BASE = GOV_IDS.first
const proposal = { proposal: proposalNumber }

export const instructions = defineInstructions({
  foundGovernance: {
    id: BASE,
    label: 'gov::found',
    record: {
      /** Home of the governance account. */
      domain: domainId,
      tracks: foundingTracks,
      /** Share of the weight of a council required for a veto; absent: no vetoes. */
      vetoBps: option(u16),
    },
  },
  setTrack: { id: BASE + 1, label: 'gov::set_track', record: { id: u8, track: govTrack } },
  removeTrack: { id: BASE + 2, label: 'gov::remove_track', record: { id: u8 } },
  sealRole: {
    id: BASE + 3,
    label: 'gov::seal_role',
    record: {
      role: name,
      /** All members of the role. */
      members: list(accountId, ELECTORS_MAX),
    },
  },
  setElector: {
    id: BASE + 4,
    label: 'gov::set_elector',
    record: {
      peer: validatorKey,
      /** Absent: the account of the network key votes. */
      account: option(accountId),
    },
  },
  lockVotes: { id: BASE + 5, label: 'gov::lock', record: { definition: assetDefinitionId, amount: numeric } },
  withdrawVotes: {
    id: BASE + 6,
    label: 'gov::withdraw_votes',
    record: {
      definition: assetDefinitionId,
      /** Absent: the whole free amount. */
      amount: option(numeric),
    },
  },
  submitProposal: {
    id: BASE + 7,
    label: 'gov::propose',
    record: {
      track: u8,
      title: proposalTitle,
      summary: proposalSummary,
      link: proposalLink,
      instructions: proposedInstructions,
      /** Validator for which the authority proposes; only on a track of validators. */
      peer: option(validatorKey),
    },
  },
  castBallot: {
    id: BASE + 8,
    label: 'gov::vote',
    record: {
      ...proposal,
      digest: hash32,
      choice,
      /** Part of the lock, on a track of an asset; absent: all of it. */
      amount: option(numeric),
      conviction,
      /** Validator for which the authority votes; only on a track of validators. */
      peer: option(validatorKey),
    },
  },
  withdrawProposal: { id: BASE + 9, label: 'gov::withdraw', record: proposal },
  cancelProposal: { id: BASE + 10, label: 'gov::cancel', record: { ...proposal, forfeit: bool } },
  finalizeProposal: { id: BASE + 11, label: 'gov::finalize', record: proposal },
  enactProposal: { id: BASE + 12, label: 'gov::enact', record: proposal },
  attestAbi: { id: BASE + 13, label: 'gov::attest_abi', record: { peer: validatorKey, abi: varint, hash: hash32 } },
  activateReadyUpgrade: { id: BASE + 14, label: 'gov::activate_upgrade', record: { id: hash32 } },
  appointCouncil: {
    id: BASE + 15,
    label: 'gov::appoint_council',
    record: {
      members: councilMembers,
      /** End of the term in ms since the Unix epoch. */
      untilMs: varint,
    },
  },
  councilVote: { id: BASE + 16, label: 'gov::council_vote', record: { subject: councilSubject } },
  setProtectedNamespaces: {
    id: BASE + 17,
    label: 'gov::set_namespaces',
    record: { add: list(domainId, NAMESPACES_MAX), remove: list(domainId, NAMESPACES_MAX) },
  },
  approveDeployment: {
    id: BASE + 18,
    label: 'gov::approve_deployment',
    record: {
      kind: deploymentKind,
      domain: domainId,
      name: approvedName,
      digest: hash32,
      /** Absent: any ABI. */
      abiHash: option(hash32),
      /** 0: revokes the approval. */
      ttlMs: varint,
    },
  },
})

export interface FoundGovernance extends InstructionOf<typeof instructions.foundGovernance> {}
export interface SubmitProposal extends InstructionOf<typeof instructions.submitProposal> {}
export interface CastBallot extends InstructionOf<typeof instructions.castBallot> {}
export interface ApproveDeployment extends InstructionOf<typeof instructions.approveDeployment> {}
