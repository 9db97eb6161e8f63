/** Owns the life of proposals: opening, closing, expiring, running at quorum (design/ledger-lanes.md 3). */

import { equalBytes } from '../../crypto/index.js'
import { countUse } from '../../executor/accounts.js'
import type { ExecContext } from '../../executor/contract.js'
import { storedList } from '../../executor/stored-lists.js'
import { type AccountId, type MultisigPolicy, multisigAccount, weightOf } from '../../model/index.js'
import { dropPages, writePages } from '../../state/index.js'
import {
  multisigs,
  PROPOSALS_CLOSED_MAX,
  PROPOSALS_OPEN_MAX,
  type Proposal,
  type ProposalKey,
  type ProposalList,
  type ProposalStatus,
  proposalLists,
  proposalPages,
  proposals,
} from './multisig-tables.js'
import { proposalExecuted, proposalExpired, proposalFailed } from './schema/events.js'

const EMPTY: ProposalList = { open: [], closed: [] }
export const listOf = (ctx: ExecContext, account: AccountId): ProposalList => ctx.get(proposalLists, account) ?? EMPTY

/** Puts a proposal among the open ones; `content`: the bytes of its instructions. */
export function openProposal(ctx: ExecContext, key: ProposalKey, row: Proposal, content: Uint8Array): void {
  const { account, proposal } = key
  const { open, closed } = listOf(ctx, account)
  ctx.set(proposalLists, account, { open: [...open, { proposal, expiresMs: row.expiresMs }], closed })
  ctx.set(proposals, key, row)
  writePages(ctx, proposalPages, key, content)
  countUse(ctx, account, 'objects', 1)
}

/** Removes the record of a closed proposal and its instructions. */
function forgetProposal(ctx: ExecContext, key: ProposalKey): void {
  const row = ctx.get(proposals, key)
  if (row === undefined) return
  dropPages(ctx, proposalPages, key, row.instructionBytes)
  ctx.delete(proposals, key)
}

/** An open proposal and its record. */
interface OpenProposal {
  readonly proposal: Uint8Array
  readonly row: Proposal
}

/** Closes an open proposal; of the closed ones the last few are kept. */
export function closeProposal(
  ctx: ExecContext,
  { account, proposal }: ProposalKey,
  row: Proposal,
  status: Exclude<ProposalStatus, 'open'>,
): void {
  for (const oldest of shelve(ctx, account, [{ proposal, row }], status)) forgetProposal(ctx, oldest)
}

/** Moves proposals to the closed ones; gives those that have no room among them any more. */
function shelve(
  ctx: ExecContext,
  account: AccountId,
  closing: readonly OpenProposal[],
  status: Exclude<ProposalStatus, 'open'>,
): ProposalKey[] {
  const { open, closed } = listOf(ctx, account)
  const all = [...closed, ...closing.map(({ proposal }) => proposal)]
  ctx.set(proposalLists, account, {
    open: open.filter((one) => !closing.some(({ proposal }) => equalBytes(one.proposal, proposal))),
    closed: all.slice(-PROPOSALS_CLOSED_MAX),
  })
  for (const { proposal, row } of closing) {
    ctx.set(proposals, { account, proposal }, { ...row, status, closedMs: ctx.env.timeMs })
    countUse(ctx, account, 'objects', -1)
  }
  return all.slice(0, -PROPOSALS_CLOSED_MAX).map((oldest) => ({ account, proposal: oldest }))
}

/** Closes what expired, the oldest first. */
export function expireProposals(ctx: ExecContext, account: AccountId, most = PROPOSALS_OPEN_MAX): void {
  const { open } = listOf(ctx, account)
  const expired = open.filter(({ expiresMs }) => expiresMs <= ctx.env.timeMs).slice(0, most)
  if (expired.length === 0) return
  const closing = expired.map(({ proposal }) => {
    const row = ctx.get(proposals, { account, proposal })
    if (row === undefined) throw new Error('an open proposal has no record')
    return { proposal, row }
  })
  for (const oldest of shelve(ctx, account, closing, 'expired')) forgetProposal(ctx, oldest)
  for (const { proposal } of closing) ctx.emit({ kind: proposalExpired.kind, value: { account, proposal } })
}

/** True when the approvals weigh enough by the policy as it is now. */
export const hasQuorum = (policy: MultisigPolicy, row: Proposal): boolean =>
  weightOf(policy, new Set(row.approvals)) >= policy.quorum

/**
 * Runs a proposal that has its quorum, as its account, all or nothing. It counts as executed while it runs, so that
 * nothing in it can run it again; on failure it is open as before.
 */
export function runProposal(ctx: ExecContext, key: ProposalKey, row: Proposal): void {
  const { account } = key
  const before = listOf(ctx, account)
  const instructions = storedList(ctx, { pages: proposalPages, of: key, row, codec: ctx.abi.codec(''), purse: ctx })
  const oldest = shelve(ctx, account, [{ proposal: key.proposal, row }], 'executed')
  const failed =
    'code' in instructions ? instructions : ctx.runStored({ authority: account, instructions, by: 'proposal' })
  if (failed === undefined) {
    for (const one of oldest) forgetProposal(ctx, one)
    ctx.emit({ kind: proposalExecuted.kind, value: key })
    return
  }
  ctx.set(proposalLists, account, before)
  ctx.set(proposals, key, row)
  countUse(ctx, account, 'objects', 1)
  ctx.emit({ kind: proposalFailed.kind, value: { ...key, error: failed.code } })
}

/**
 * Removes what an account that goes has as a multisig account; open proposals are objects and keep it. A policy that took
 * the place of the first one stays: others may name the id, and its former members must not come back by it.
 */
export function forgetMultisig(ctx: ExecContext, account: AccountId): void {
  const policy = ctx.get(multisigs, account)
  if (policy === undefined) return
  expireProposals(ctx, account)
  const { open, closed } = listOf(ctx, account)
  if (open.length > 0) return
  for (const proposal of closed) forgetProposal(ctx, { account, proposal })
  ctx.delete(proposalLists, account)
  if (multisigAccount(policy) === account) ctx.delete(multisigs, account)
}
