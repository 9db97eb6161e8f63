/** Owns the opening, closing and running of proposals (docs/design/lanes.md 3). */

import { countUse } from '../../../executor/accounts.js'
import type { ExecContext } from '../../../executor/contract.js'
import { storedList } from '../../../executor/stored-lists.js'
import {
  type Proposal,
  type ProposalKey,
  type ProposalStatus,
  proposalLists,
  proposalPages,
  proposals,
} from '../../../ledger/multisig-tables.js'
import { forgetProposal, listOf, shelve } from '../../../ledger/proposals.js'
import { type MultisigPolicy, weightOf } from '../../../model/index.js'
import { writePages } from '../../../state/index.js'
import { events } from '../schema/events.js'

/** Puts a proposal among the open ones; `content`: the bytes of its instructions. */
export function openProposal(ctx: ExecContext, key: ProposalKey, row: Proposal, content: Uint8Array): void {
  const { account, proposal } = key
  const { open, closed } = listOf(ctx, account)
  ctx.set(proposalLists, account, { open: [...open, { proposal, expiresMs: row.expiresMs }], closed })
  ctx.set(proposals, key, row)
  writePages(ctx, proposalPages, key, content)
  countUse(ctx, account, 'objects', 1)
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
    ctx.emit(events.proposalExecuted, key)
    return
  }
  ctx.set(proposalLists, account, before)
  ctx.set(proposals, key, row)
  countUse(ctx, account, 'objects', 1)
  ctx.emit(events.proposalFailed, { ...key, error: failed.code })
}
