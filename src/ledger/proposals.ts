/** Owns the closing of proposals: expired ones, and those of removed accounts (docs/design/lanes.md 3). */

import { sameBytes } from '../base/bytes.js'
import { countUse } from '../executor/accounts.js'
import type { ExecContext } from '../executor/contract.js'
import { type AccountId, multisigAccount, proposalEvents } from '../model/index.js'
import { dropPages } from '../state/index.js'
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

const EMPTY: ProposalList = { open: [], closed: [] }
export const listOf = (ctx: ExecContext, account: AccountId): ProposalList => ctx.get(proposalLists, account) ?? EMPTY

/** Remove the record of a closed proposal and its instructions. */
export function removeProposal(ctx: ExecContext, key: ProposalKey): void {
  const row = ctx.get(proposals, key)
  if (row === undefined) return
  dropPages(ctx, proposalPages, key, row.instructionBytes)
  ctx.delete(proposals, key)
}

/** Open proposal with its record. */
interface OpenProposal {
  readonly proposal: Uint8Array
  readonly row: Proposal
}

/** Move proposals to the closed ones; returns the closed proposals above the limit. */
export function shelve(
  ctx: ExecContext,
  account: AccountId,
  closing: readonly OpenProposal[],
  status: Exclude<ProposalStatus, 'open'>,
): ProposalKey[] {
  const { open, closed } = listOf(ctx, account)
  const all = [...closed, ...closing.map(({ proposal }) => proposal)]
  ctx.set(proposalLists, account, {
    open: open.filter((one) => !closing.some(({ proposal }) => sameBytes(one.proposal, proposal))),
    closed: all.slice(-PROPOSALS_CLOSED_MAX),
  })
  for (const { proposal, row } of closing) {
    ctx.set(proposals, { account, proposal }, { ...row, status, closedMs: ctx.env.timeMs })
    countUse(ctx, account, 'objects', -1)
  }
  return all.slice(0, -PROPOSALS_CLOSED_MAX).map((oldest) => ({ account, proposal: oldest }))
}

/** Close expired proposals, the oldest first. */
export function expireProposals(ctx: ExecContext, account: AccountId, most = PROPOSALS_OPEN_MAX): void {
  const { open } = listOf(ctx, account)
  const expired = open.filter(({ expiresMs }) => expiresMs <= ctx.env.timeMs).slice(0, most)
  if (expired.length === 0) return
  const closing = expired.map(({ proposal }) => {
    const row = ctx.get(proposals, { account, proposal })
    if (row === undefined) throw new Error('an open proposal has no record')
    return { proposal, row }
  })
  for (const oldest of shelve(ctx, account, closing, 'expired')) removeProposal(ctx, oldest)
  for (const { proposal } of closing) ctx.emit(proposalEvents.proposalExpired, { account, proposal })
}

/**
 * Remove the multisig records of a removed account; open proposals are objects and prevent the removal. A replaced
 * policy is kept: other objects may name the id, and its former members must not regain it.
 */
export function removeMultisig(ctx: ExecContext, account: AccountId): void {
  const policy = ctx.get(multisigs, account)
  if (policy === undefined) return
  expireProposals(ctx, account)
  const { open, closed } = listOf(ctx, account)
  if (open.length > 0) return
  for (const proposal of closed) removeProposal(ctx, { account, proposal })
  ctx.delete(proposalLists, account)
  if (multisigAccount(policy) === account) ctx.delete(multisigs, account)
}
