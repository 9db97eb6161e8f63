/**
 * Owns the execution of multisig accounts: policies and proposals, weights of members, queries (docs/design/lanes.md 3,
 * rows 34 to 37).
 */

import type { AccountQuery } from '../../api/query-inputs.js'
import { sameBytes } from '../../base/bytes.js'
import { accounts, countUse } from '../../executor/accounts.js'
import { addressIn, unknownAccount } from '../../executor/addresses.js'
import { type ExecContext, type MultisigWeights, type Rejection, reject } from '../../executor/contract.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import type { QueryContext, QueryRun } from '../../executor/reads.js'
import { hasRule, type Rule } from '../../executor/rules.js'
import { listToStore, placeOfList, type StoredPlace, storedList } from '../../executor/stored-lists.js'
import { createAccount, registrationFault } from '../../ledger/accounts.js'
import {
  multisigs,
  PROPOSALS_OPEN_MAX,
  type Proposal,
  type ProposalKey,
  type ProposalStatus,
  policyOf,
  proposalLists,
  proposalPages,
  proposals,
} from '../../ledger/multisig-tables.js'
import { expireProposals, listOf, removeProposal, shelve } from '../../ledger/proposals.js'
import { nowOf, resolveAccount, shownList } from '../../ledger/query.js'
import { fittingAnswer } from '../../ledger/table-page.js'
import {
  type AccountId,
  MULTISIG_MEMBERS_MAX,
  type MultisigPolicy,
  multisigAccount,
  multisigPolicy,
  policyFault,
  weightOf,
} from '../../model/index.js'
import { writePages } from '../../state/index.js'
import type * as views from './schema.js'
import * as schema from './schema.js'
import { events, type instructions, multisigSchema } from './schema.js'

const MULTISIG_RULES = {
  sharesOfProposals: {
    since: 2,
    text: 'one member has at most its share of the open proposals of an account',
  },
} as const satisfies Record<string, Rule>

/** Add a proposal to the open proposals; `content`: the bytes of its instructions. */
function openProposal(ctx: ExecContext, key: ProposalKey, row: Proposal, content: Uint8Array): void {
  const { account, proposal } = key
  const { open, closed } = listOf(ctx, account)
  ctx.set(proposalLists, account, { open: [...open, { proposal, expiresMs: row.expiresMs }], closed })
  ctx.set(proposals, key, row)
  writePages(ctx, proposalPages, key, content)
  countUse(ctx, account, 'objects', 1)
}

/** Close an open proposal; only the most recently closed ones are kept. */
function closeProposal(
  ctx: ExecContext,
  { account, proposal }: ProposalKey,
  row: Proposal,
  status: Exclude<ProposalStatus, 'open'>,
): void {
  for (const oldest of shelve(ctx, account, [{ proposal, row }], status)) removeProposal(ctx, oldest)
}

/** True if the weight of the approvals meets the current policy. */
const hasQuorum = (policy: MultisigPolicy, row: Proposal): boolean =>
  weightOf(policy, new Set(row.approvals)) >= policy.quorum

/**
 * Run a proposal with a quorum as its account, all or nothing. It counts as executed while it runs, so that it cannot
 * run itself again; after a failure it is open as before.
 */
function runProposal(ctx: ExecContext, key: ProposalKey, row: Proposal): void {
  const { account } = key
  const before = listOf(ctx, account)
  const instructions = storedList(ctx, { pages: proposalPages, of: key, row, codec: ctx.abi.codec(''), purse: ctx })
  const oldest = shelve(ctx, account, [{ proposal: key.proposal, row }], 'executed')
  const failed =
    'code' in instructions ? instructions : ctx.runStored({ authority: account, instructions, by: 'proposal' })
  if (failed === undefined) {
    for (const one of oldest) removeProposal(ctx, one)
    ctx.emit(events.proposalExecuted, key)
    return
  }
  ctx.set(proposalLists, account, before)
  ctx.set(proposals, key, row)
  countUse(ctx, account, 'objects', 1)
  ctx.emit(events.proposalFailed, { ...key, error: failed.code })
}

/** Maximum nesting of multisig accounts. */
const NESTING_MAX = 3

/**
 * Maximum multisig accounts nested in one account. Validating a policy then takes tens of reads, which its cost covers.
 */
const BELOW_MAX = 32

/** True if a policy, with the policies of its members, nests too deep, contains its own account, or is too wide. */
function isTangled(ctx: ExecContext, account: AccountId, policy: MultisigPolicy): boolean {
  const read = new Map<AccountId, MultisigPolicy | undefined>()
  let nested = 0
  const policyBelow = (member: AccountId): MultisigPolicy | undefined => {
    if (!read.has(member)) {
      const found = ctx.get(multisigs, member)
      read.set(member, found)
      if (found !== undefined) nested += 1
    }
    return read.get(member)
  }
  let level: readonly MultisigPolicy[] = [policy]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > NESTING_MAX) return true
    // A policy found again on a lower level is checked again: the longest path counts.
    const below = new Set<MultisigPolicy>()
    for (const one of level) {
      for (const { account: member } of one.members) {
        if (member === account) return true
        const inner = policyBelow(member)
        if (inner !== undefined) below.add(inner)
        if (nested > BELOW_MAX) return true
      }
    }
    level = [...below]
  }
  return false
}

/** Reason why a policy of an account is invalid: its own numbers, its members, or their nesting. */
function faultOf(ctx: ExecContext, account: AccountId, policy: MultisigPolicy): Rejection | undefined {
  const fault = policyFault(policy)
  if (fault !== undefined) return reject('bad_policy', fault)
  const unknown = policy.members.find((member) => !ctx.has(accounts, member.account))
  if (unknown !== undefined) return unknownAccount(ctx, unknown.account, 'member')
  return isTangled(ctx, account, policy)
    ? reject(
        'multisig_nesting',
        `multisig accounts can nest at most ${NESTING_MAX} levels deep, without cycles, with at most ${BELOW_MAX} below one`,
      )
    : undefined
}

/** Policy of an account that the authority is a member of. */
function policyFor(ctx: ExecContext, account: AccountId): MultisigPolicy | Rejection {
  const policy = policyOf(ctx, account)
  if (policy === undefined) return reject('absent', `${addressIn(ctx, account)} is not a multisig account`)
  return policy.members.some((member) => member.account === ctx.authority)
    ? policy
    : reject('not_a_member', 'the authority is not a member of this multisig account')
}

/** Reason why another proposal exceeds the limit; one member cannot use up all slots. */
function placeFault(ctx: ExecContext, account: AccountId, { members }: MultisigPolicy): Rejection | undefined {
  const { open } = listOf(ctx, account)
  if (open.length >= PROPOSALS_OPEN_MAX)
    return reject('too_many_proposals', `the account already has ${PROPOSALS_OPEN_MAX} open proposals`)
  const share = Math.max(1, Math.floor(PROPOSALS_OPEN_MAX / members.length))
  if (!hasRule(ctx, MULTISIG_RULES.sharesOfProposals) || open.length < share) return undefined
  const own = open.filter(({ proposal }) => ctx.get(proposals, { account, proposal })?.proposer === ctx.authority)
  return own.length < share
    ? undefined
    : reject('too_many_proposals', `a member can have at most ${share} open proposals of this account`)
}

/**
 * Number of expired proposals that a new proposal closes. It requires only one slot, and the proposer does not pay for
 * closing all expired ones.
 */
const EXPIRED_PER_PROPOSAL = 4

/** Open proposal of an account. */
function openRow(ctx: ExecContext, key: schema.ProposalRef): Proposal | Rejection {
  const row = ctx.get(proposals, key)
  if (row?.status === 'open') return row
  return reject('absent', `the account has no open proposal ${Buffer.from(key.proposal).toString('hex')}`)
}

/** Approvals after adding one; if the list is full, approvals of former members are removed. */
function approvalsOf(policy: MultisigPolicy, row: Proposal, by: AccountId): AccountId[] {
  const isMember = (account: AccountId): boolean => policy.members.some((member) => member.account === account)
  const full = row.approvals.length >= 2 * MULTISIG_MEMBERS_MAX
  return [...(full ? row.approvals.filter(isMember) : row.approvals), by]
}

const execute = {
  registerMultisig: {
    // Members are looked up, and so are those of nested policies.
    cost: { base: 512, per: [{ teu: 16, item: 'member', count: ({ policy }) => policy.members.length }] },
    primaryDomain: ({ target }) => (target.kind === 'create' ? target.value.domain : undefined),
    execute(ctx, { policy, target }) {
      const account = target.kind === 'create' ? multisigAccount(policy) : target.value
      if (target.kind === 'create') {
        if (ctx.has(multisigs, account)) {
          return reject(
            'exists',
            ctx.has(accounts, account)
              ? 'the account already has a policy'
              : 'the policy of this id was replaced before the account was removed: RegisterAccount restores it with the last policy',
          )
        }
      } else {
        if (policyOf(ctx, account) === undefined) return reject('absent', `${addressIn(ctx, account)} has no policy`)
        if (ctx.authority !== account && !ctx.env.genesis) {
          return reject('not_permitted', 'only the account itself can change its policy')
        }
      }
      const fault = faultOf(ctx, account, policy)
      if (fault !== undefined) return fault
      // Value may have created the account before its members registered it; any account that presents the policy of
      // its id may complete it.
      if (target.kind === 'create' && !ctx.has(accounts, account)) {
        const { domain, label, metadata } = target.value
        const refused = registrationFault(ctx, domain) ?? createAccount(ctx, { id: account, domain, label, metadata })
        if (refused !== undefined) return refused
      }
      ctx.set(multisigs, account, policy)
      const { quorum, members } = policy
      ctx.emit(events.multisigChanged, { account, quorum, members: members.length })
      return undefined
    },
  },

  propose: {
    cost: { base: 128 },
    execute(ctx, { account, instructions, ttlMs }) {
      const policy = policyFor(ctx, account)
      if ('code' in policy) return policy
      if (instructions.length === 0) return reject('bad_parameter', 'a proposal must have at least one instruction')
      const lifeMs = ttlMs ?? policy.ttlMs
      if (lifeMs < 1 || lifeMs > policy.ttlMs) {
        return reject('bad_parameter', `ttl_ms must be between 1 and ${policy.ttlMs}`)
      }
      expireProposals(ctx, account, EXPIRED_PER_PROPOSAL)
      const crowded = placeFault(ctx, account, policy)
      if (crowded) return crowded
      if (ctx.abi.proofWorkOf(instructions) > 0) return reject('bad_parameter', 'a proposal must not contain proofs')
      const list = listToStore(ctx.abi.codec(''), instructions)
      if ('code' in list) return list
      const key = { account, proposal: schema.proposalId(account, list.bytes, ctx.transaction.id) }
      if (ctx.has(proposals, key)) return reject('exists', 'this transaction contains the same proposal twice')
      const { timeMs } = ctx.env
      const row: Proposal = {
        proposer: ctx.authority,
        transaction: ctx.transaction.id,
        ...placeOfList(list),
        approvals: [ctx.authority],
        createdMs: timeMs,
        expiresMs: timeMs + lifeMs,
        status: 'open',
        closedMs: undefined,
      }
      openProposal(ctx, key, row, list.bytes)
      ctx.emit(events.proposalCreated, { ...key, proposer: ctx.authority, expiresMs: row.expiresMs })
      if (hasQuorum(policy, row)) runProposal(ctx, key, row)
      return undefined
    },
  },

  approve: {
    cost: { base: 128 },
    execute(ctx, key) {
      const policy = policyFor(ctx, key.account)
      if ('code' in policy) return policy
      const row = openRow(ctx, key)
      if ('code' in row) return row
      if (row.expiresMs <= ctx.env.timeMs) return reject('proposal_expired', 'the proposal has expired')
      // A second approval of the same member retries a proposal that failed at its quorum.
      const isRetry = row.approvals.includes(ctx.authority)
      if (isRetry && !hasQuorum(policy, row)) return reject('exists', 'the authority has already approved')
      const next = isRetry ? row : { ...row, approvals: approvalsOf(policy, row, ctx.authority) }
      if (!isRetry) {
        ctx.set(proposals, key, next)
        ctx.emit(events.proposalApproved, { ...key, by: ctx.authority })
      }
      if (hasQuorum(policy, next)) runProposal(ctx, key, next)
      return undefined
    },
  },

  cancel: {
    cost: { base: 128 },
    execute(ctx, key) {
      const row = openRow(ctx, key)
      if ('code' in row) return row
      const isAlone = row.proposer === ctx.authority && row.approvals.length === 1
      if (!isAlone && ctx.authority !== key.account) {
        return reject(
          'not_permitted',
          'a proposal can be cancelled by its proposer until another member approves it, or by the account',
        )
      }
      closeProposal(ctx, key, row, 'cancelled')
      ctx.emit(events.proposalCancelled, key)
      return undefined
    },
  },
} satisfies Executions<typeof instructions>

/**
 * Compare the policy that members signed under with the current policy of the account, byte for byte; undefined for an
 * account without a policy, which has one key.
 */
const multisigWeights: MultisigWeights = (state, authority, policy) => {
  if (policy === undefined) return undefined
  const now = policyOf(state, authority)
  const isSame = now !== undefined && sameBytes(multisigPolicy.encode(now), multisigPolicy.encode(policy))
  return isSame ? undefined : reject('bad_policy', 'the policy differs from that of the account')
}

function proposalOf(
  { reader, codec }: QueryContext,
  key: views.ProposalQuery,
  { instructionBytes, instructionWeight, ...row }: Proposal,
  policy: MultisigPolicy,
  nowMs: number,
): views.ProposalView {
  const place = { instructionBytes, instructionWeight }
  const isOver = row.status === 'open' && row.expiresMs <= nowMs
  return {
    ...key,
    ...row,
    instructions: shownList(storedList(reader, { pages: proposalPages, of: key, row: place, codec })),
    status: isOver ? 'expired' : row.status,
    weight: weightOf(policy, new Set(row.approvals)),
    quorum: policy.quorum,
  }
}

/** Maximum instructions of proposals in one response, in bytes of text; the response has no cursor. */
const PROPOSALS_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of text that take as long to read and write as one weight unit of JSON. */
const TEXT_BYTES_PER_WEIGHT = 32
const textBytesOf = ({ instructionBytes, instructionWeight }: StoredPlace): number =>
  instructionBytes + TEXT_BYTES_PER_WEIGHT * instructionWeight

const multisigQuery: QueryRun<AccountQuery, views.MultisigView> = async (ctx, query) => {
  const { reader } = ctx
  const account = await resolveAccount(ctx, query)
  const policy = account === undefined ? undefined : policyOf(reader, account)
  if (account === undefined || policy === undefined) return undefined
  const nowMs = await nowOf(ctx)
  const lists = reader.get(proposalLists, account) ?? { open: [], closed: [] }
  // Open ones first, then the most recently closed: pending proposals are never omitted in favour of closed ones.
  const asked = [...lists.open.map((one) => one.proposal), ...lists.closed.toReversed()].flatMap((proposal) => {
    const key = { account, proposal }
    const row = reader.get(proposals, key)
    return row === undefined ? [] : [{ key, row }]
  })
  const shown = fittingAnswer(asked, ({ row }) => textBytesOf(row), PROPOSALS_BYTES_MAX)
  const viewOf = ({ key, row }: (typeof shown)[number]) => proposalOf(ctx, key, row, policy, nowMs)
  return {
    account,
    policy,
    open: shown.filter(({ row }) => row.status === 'open').map(viewOf),
    closed: shown
      .filter(({ row }) => row.status !== 'open')
      .map(viewOf)
      .reverse(),
    moreProposals: shown.length < asked.length ? true : undefined,
    height: ctx.height,
  }
}

const proposalQuery: QueryRun<views.ProposalQuery, views.ProposalView> = async (ctx, key) => {
  const policy = policyOf(ctx.reader, key.account)
  const row = ctx.reader.get(proposals, key)
  return policy === undefined || row === undefined ? undefined : proposalOf(ctx, key, row, policy, await nowOf(ctx))
}

export const multisigLedger = defineLedger(multisigSchema, {
  tables: [multisigs, proposalLists, proposalPages, proposals],
  execute,
  queries: { multisig: multisigQuery, proposal: proposalQuery },
  permissions: [],
  rules: Object.values(MULTISIG_RULES),
  policies: { multisigWeights: multisigWeights },
})
