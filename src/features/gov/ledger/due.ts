/** Owns the status of a proposal: its due time, the run of its next step, its end. */
import { u32 } from '../../../codec/index.js'
import { countUse } from '../../../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { cancelRun, scheduleRun } from '../../../executor/due-runs/index.js'
import { dropPages } from '../../../state/index.js'
import { events } from '../schema/events.js'
import type { GovStatus } from '../schema/records.js'
import { putClosed, putOpen } from './account.js'
import { dropOutcomes } from './outcomes.js'
import { ballots, contentPages, contents, councilVotes, type Referendum, referenda } from './tables.js'

/** Run of the next step of a proposal, by its number. */
export const STEP_RUN = { kind: 'gov_step', key: u32, paidBy: 'chain' } as const

/** Proposal with records, or `absent`. */
export function proposalOf(ctx: ExecContext, number: number): Referendum | Rejection {
  return ctx.get(referenda, number) ?? reject('absent', `proposal ${number} does not exist, or is no longer kept`)
}

/** Proposal whose lead has passed, or the rejection. */
export function voteOf(ctx: ExecContext, number: number): Referendum | Rejection {
  const row = proposalOf(ctx, number)
  if ('code' in row || row.status !== 'lead' || ctx.env.timeMs < row.votingFromMs) return row
  return moveStatus(ctx, number, { ...row, status: 'voting' }, row.endMs)
}

/** True if a proposal is not closed. */
export const isOpen = ({ closedMs }: Pick<Referendum, 'closedMs'>): boolean => closedMs === undefined

/** Write a proposal with the due time of its next step, whose run moves with it. */
export function moveDue(ctx: ExecContext, number: number, row: Referendum, dueMs: number): Referendum {
  const next = { ...row, dueMs }
  ctx.set(referenda, number, next)
  if (row.dueMs === dueMs) return next
  scheduleStep(ctx, number, dueMs)
  putOpen(ctx, { proposal: number, dueMs, track: row.track, proposer: row.proposer })
  return next
}

/** Schedule the run of the next step, replacing a scheduled one; a proposal has at most one run per block. */
function scheduleStep(ctx: ExecContext, number: number, dueMs: number): void {
  cancelRun(ctx, STEP_RUN, number)
  const due = scheduleRun(ctx, STEP_RUN, number, { owner: undefined, dueMs: Math.max(dueMs, ctx.env.timeMs + 1) })
  if (typeof due !== 'number') throw new Error(`cannot schedule a run of the chain: ${due.message}`)
}

/** Write a proposal with a new status; otherwise like `moveDue`. */
export function moveStatus(ctx: ExecContext, number: number, row: Referendum, dueMs: number): Referendum {
  const next = moveDue(ctx, number, row, dueMs)
  ctx.emit(events.govStatusChanged, { proposal: number, track: row.track, status: row.status, dueMs })
  return next
}

/** Remove the records of a closed proposal. */
function dropProposal(ctx: ExecContext, number: number): void {
  const content = ctx.get(contents, number)
  if (content === undefined) throw new Error(`proposal ${number} has no content`)
  dropPages(ctx, contentPages, number, content.instructionBytes)
  ctx.delete(contents, number)
  ctx.delete(referenda, number)
  if (ctx.has(ballots, number)) ctx.delete(ballots, number)
}

/** Key of the votes of a council on the veto of a proposal. */
export const vetoKey = (proposal: number): string => `veto:${proposal}`

/** Close a proposal; its records stay until 128 more proposals are closed. */
export function closeProposal(ctx: ExecContext, number: number, row: Referendum, status: GovStatus): void {
  cancelRun(ctx, STEP_RUN, number)
  countUse(ctx, row.proposer, 'objects', -1)
  ctx.set(referenda, number, { ...row, status, deposit: undefined, dueMs: undefined, closedMs: ctx.env.timeMs })
  if (ctx.has(councilVotes, vetoKey(number))) ctx.delete(councilVotes, vetoKey(number))
  dropOutcomes(ctx)
  const dropped = putClosed(ctx, number)
  if (dropped !== undefined) dropProposal(ctx, dropped)
  ctx.emit(events.govStatusChanged, { proposal: number, track: row.track, status, dueMs: undefined })
}
