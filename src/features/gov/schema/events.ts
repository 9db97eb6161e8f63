/** Owns the events of governance. Data triggers and streams find those of a proposal by its number. */
import { bool, hash32, list, numeric, option, u8, u16, u32, varint } from '../../../codec/index.js'
import {
  type AccountId,
  aboutObjects,
  accountId,
  accountParty,
  assetDefinitionId,
  defineEvents,
  domainId,
  type EventSubject,
  name,
  validatorKey,
} from '../../../model/index.js'
import {
  approvedName,
  choice,
  contentHash,
  councilMembers,
  councilSubject,
  deploymentKind,
  ELECTORS_MAX,
  enactmentError,
  GOV_IDS,
  govStatus,
  proposalNumber,
  proposalTitle,
} from './records.js'

const BASE = GOV_IDS.first
const SUBJECT = 'gov'

const ofProposal: EventSubject<{ readonly proposal: number; readonly account?: AccountId }> = {
  subject: SUBJECT,
  about: ({ proposal, account }) => ({
    objects: [String(proposal)],
    parties: account === undefined ? [] : [accountParty(account)],
  }),
}
const ofGovernance = { subject: SUBJECT, about: () => aboutObjects('governance') }
const ofTrack = {
  subject: SUBJECT,
  about: ({ track }: { readonly track: number }) => aboutObjects(`track-${track}`),
}
const ofLock: EventSubject<{ readonly definition: string; readonly account: AccountId }> = {
  subject: SUBJECT,
  about: ({ definition, account }) => ({ objects: [definition], parties: [accountParty(account)] }),
}
const ofDomain = {
  subject: SUBJECT,
  about: ({ domain }: { readonly domain: string }) => aboutObjects(domain),
}

const lock = {
  definition: assetDefinitionId,
  account: accountId,
  amount: numeric,
  /** Whole lock afterwards. */
  locked: numeric,
}
const deployment = { domain: domainId, kind: deploymentKind, name: approvedName, digest: hash32 }

export const events = defineEvents({
  govFounded: { id: BASE, record: { account: accountId, domain: domainId }, ...ofGovernance },
  govTrackSet: { id: BASE + 1, record: { track: u8, name }, ...ofTrack },
  govTrackRemoved: { id: BASE + 2, record: { track: u8 }, ...ofTrack },
  govRoleSealed: {
    id: BASE + 3,
    record: { role: name, members: list(accountId, ELECTORS_MAX) },
    subject: SUBJECT,
    about: ({ role }) => aboutObjects(role),
  },
  govElectorSet: { id: BASE + 4, record: { peer: validatorKey, account: option(accountId) }, ...ofGovernance },
  govVotesLocked: { id: BASE + 5, record: lock, ...ofLock },
  govVotesWithdrawn: { id: BASE + 6, record: lock, ...ofLock },
  /**
   * A deposit that could not be paid out, for example to a blacklisted account. Its receiver withdraws it like locked
   * votes.
   */
  govDepositKept: { id: BASE + 7, record: lock, ...ofLock },
  govProposalSubmitted: {
    id: BASE + 8,
    record: {
      proposal: proposalNumber,
      account: accountId,
      track: u8,
      title: proposalTitle,
      digest: contentHash,
      votingFromMs: varint,
      endMs: varint,
    },
    ...ofProposal,
  },
  govBallotCast: {
    id: BASE + 9,
    record: {
      proposal: proposalNumber,
      account: accountId,
      peer: option(validatorKey),
      choice,
      amount: option(numeric),
      conviction: u8,
      /** End of the vote afterwards. */
      endMs: varint,
    },
    ...ofProposal,
  },
  govStatusChanged: {
    id: BASE + 10,
    record: {
      proposal: proposalNumber,
      track: u8,
      status: govStatus,
      /** Due time of the next step; absent: the proposal is closed. */
      dueMs: option(varint),
    },
    ...ofProposal,
  },
  govEnactmentFailed: {
    id: BASE + 11,
    record: {
      proposal: proposalNumber,
      attempt: u8,
      error: enactmentError,
      /** Time of the automatic retry; absent: none. */
      retryMs: option(varint),
    },
    ...ofProposal,
  },
  govAbiAttested: { id: BASE + 12, record: { peer: validatorKey, abi: varint, hash: hash32 }, ...ofGovernance },
  govCouncilAppointed: {
    id: BASE + 13,
    record: { term: u32, members: councilMembers, untilMs: varint },
    ...ofGovernance,
  },
  govCouncilVoted: {
    id: BASE + 14,
    record: {
      term: u32,
      account: accountId,
      subject: councilSubject,
      /** Weight of all votes on the subject, and of all members. */
      weight: u32,
      of: u32,
      isDecided: bool,
    },
    subject: SUBJECT,
    about: ({ account }) => ({ objects: ['council'], parties: [accountParty(account)] }),
  },
  govNamespaceSet: { id: BASE + 15, record: { domain: domainId, isProtected: bool }, ...ofDomain },
  govDeploymentApproved: {
    id: BASE + 16,
    record: {
      ...deployment,
      abiHash: option(hash32),
      /** Absent: the approval was revoked. */
      expiresMs: option(varint),
    },
    ...ofDomain,
  },
  govApprovalUsed: { id: BASE + 17, record: deployment, ...ofDomain },
  /** Change of a sealed role. */
  govSealChanged: {
    id: BASE + 18,
    record: { role: name, account: accountId, isMember: bool, members: u16 },
    subject: SUBJECT,
    about: ({ role, account }) => ({ objects: [role], parties: [accountParty(account)] }),
  },
})
