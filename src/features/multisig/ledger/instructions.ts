/** Owns the multisig instructions: policies and proposals (docs/design/lanes.md 3, rows 34 to 37). */

import { sameBytes } from '../../../base/bytes.js'
import { accounts } from '../../../executor/accounts.js'
import { addressIn, unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type MultisigWeights, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { hasRule } from '../../../executor/rules.js'
import { listToStore, placeOfList } from '../../../executor/stored-lists.js'
import { createAccount, registrationFault } from '../../../ledger/accounts.js'
import { multisigs, PROPOSALS_OPEN_MAX, type Proposal, policyOf, proposals } from '../../../ledger/multisig-tables.js'
import { expireProposals, listOf } from '../../../ledger/proposals.js'
import {
  type AccountId,
  MULTISIG_MEMBERS_MAX,
  type MultisigPolicy,
  multisigAccount,
  multisigPolicy,
  policyFault,
} from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import * as schema from '../schema/instructions.js'
import { closeProposal, hasQuorum, openProposal, runProposal } from './proposals.js'
import { MULTISIG_RULES } from './rules.js'

/** Multisig accounts that may stand in one another. */
const NESTING_MAX = 3

/** Multisig accounts that may stand below one: a policy is judged with some tens of reads, which its cost covers. */
const BELOW_MAX = 32

/** Whether a policy, with those of its members as they are, nests too deep, leads back to its account, or is too wide. */
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
    // Met on a lower level again, it is judged there again: the longest way down counts.
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

/** What bars a policy of an account: its own numbers, its members, how deep they stand in one another. */
function faultOf(ctx: ExecContext, account: AccountId, policy: MultisigPolicy): Rejection | undefined {
  const fault = policyFault(policy)
  if (fault !== undefined) return reject('bad_policy', fault)
  const unknown = policy.members.find((member) => !ctx.has(accounts, member.account))
  if (unknown !== undefined) return unknownAccount(ctx, unknown.account, 'member')
  return isTangled(ctx, account, policy)
    ? reject(
        'multisig_nesting',
        `multisig accounts nest at most ${NESTING_MAX} levels deep, never in a circle, with at most ${BELOW_MAX} below one`,
      )
    : undefined
}

/** The policy of an account that the authority is a member of. */
function policyFor(ctx: ExecContext, account: AccountId): MultisigPolicy | Rejection {
  const policy = policyOf(ctx, account)
  if (policy === undefined) return reject('absent', `${addressIn(ctx, account)} is not a multisig account`)
  return policy.members.some((member) => member.account === ctx.authority)
    ? policy
    : reject('not_a_member', 'the authority is not a member of this multisig account')
}

/** Why there is no place for another proposal: one member cannot take those of all. */
function placeFault(ctx: ExecContext, account: AccountId, { members }: MultisigPolicy): Rejection | undefined {
  const { open } = listOf(ctx, account)
  if (open.length >= PROPOSALS_OPEN_MAX)
    return reject('too_many_proposals', `at most ${PROPOSALS_OPEN_MAX} proposals are open`)
  const share = Math.max(1, Math.floor(PROPOSALS_OPEN_MAX / members.length))
  if (!hasRule(ctx, MULTISIG_RULES.sharesOfProposals) || open.length < share) return undefined
  const own = open.filter(({ proposal }) => ctx.get(proposals, { account, proposal })?.proposer === ctx.authority)
  return own.length < share
    ? undefined
    : reject('too_many_proposals', `at most ${share} open proposals are of one member of this account`)
}

/** Expired proposals that a new one closes: it needs one place, and whoever proposes does not pay for all that others left. */
const EXPIRED_PER_PROPOSAL = 4

/** An open proposal of an account. */
function openRow(ctx: ExecContext, key: schema.ProposalRef): Proposal | Rejection {
  const row = ctx.get(proposals, key)
  if (row?.status === 'open') return row
  return reject('absent', `there is no open proposal ${Buffer.from(key.proposal).toString('hex')} of this account`)
}

/** Approvals with one more; where the list is full, those of accounts that are no members any more make room. */
function approvalsOf(policy: MultisigPolicy, row: Proposal, by: AccountId): AccountId[] {
  const isMember = (account: AccountId): boolean => policy.members.some((member) => member.account === account)
  const full = row.approvals.length >= 2 * MULTISIG_MEMBERS_MAX
  return [...(full ? row.approvals.filter(isMember) : row.approvals), by]
}

export const execute = {
  registerMultisig: {
    // Members are looked up, and so are those of the policies below.
    cost: { base: 512, per: [{ teu: 16, item: 'member', count: ({ policy }) => policy.members.length }] },
    primaryDomain: ({ target }) => (target.kind === 'create' ? target.value.domain : undefined),
    execute(ctx, { policy, target }) {
      const account = target.kind === 'create' ? multisigAccount(policy) : target.value
      if (target.kind === 'create') {
        if (ctx.has(multisigs, account)) {
          return reject(
            'exists',
            ctx.has(accounts, account)
              ? 'the account has a policy'
              : 'the id replaced this policy before its account was removed: RegisterAccount brings it back with its last one',
          )
        }
      } else {
        if (policyOf(ctx, account) === undefined) return reject('absent', `${addressIn(ctx, account)} has no policy`)
        if (ctx.authority !== account && !ctx.env.genesis) {
          return reject('not_permitted', 'only the account itself changes its policy')
        }
      }
      const fault = faultOf(ctx, account, policy)
      if (fault !== undefined) return fault
      // Value may have made the account before its members came; whoever shows the policy of its id may complete it.
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
      if (instructions.length === 0) return reject('bad_parameter', 'a proposal has at least one instruction')
      const lifeMs = ttlMs ?? policy.ttlMs
      if (lifeMs < 1 || lifeMs > policy.ttlMs) {
        return reject('bad_parameter', `ttl_ms must be between 1 and ${policy.ttlMs}`)
      }
      expireProposals(ctx, account, EXPIRED_PER_PROPOSAL)
      const crowded = placeFault(ctx, account, policy)
      if (crowded) return crowded
      if (ctx.abi.proofWorkOf(instructions) > 0) return reject('bad_parameter', 'a proposal keeps no proofs')
      const list = listToStore(ctx.abi.codec(''), instructions)
      if ('code' in list) return list
      const key = { account, proposal: schema.proposalId(account, list.bytes, ctx.transaction.id) }
      if (ctx.has(proposals, key)) return reject('exists', 'this transaction proposes the same twice')
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
      // A second word of the same member is a second try of what failed at its quorum.
      const isRetry = row.approvals.includes(ctx.authority)
      if (isRetry && !hasQuorum(policy, row)) return reject('exists', 'the authority approved already')
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
          'a proposal is cancelled by its proposer while no one else approved it, or by the account',
        )
      }
      closeProposal(ctx, key, row, 'cancelled')
      ctx.emit(events.proposalCancelled, key)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>

/** The rules that members signed under are those of the account now, byte for byte; an account without them has one key. */
export const multisigWeights: MultisigWeights = (state, authority, policy) => {
  if (policy === undefined) return undefined
  const now = policyOf(state, authority)
  const isSame = now !== undefined && sameBytes(multisigPolicy.encode(now), multisigPolicy.encode(policy))
  return isSame ? undefined : reject('bad_policy', 'the weight rules are not those of the account')
}
