/** Owns the steps of proposals: runs paid by the chain, or started by any account. */
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import type { Scheduled } from '../../../executor/feature.js'
import type { InstructionOf } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { ENACT_TEU_MAX } from '../schema/parameters.js'
import { isApproved, isDecidedEarly, isForfeit, tallyOf } from './counting.js'
import { keepDeposit, payDeposit } from './deposits.js'
import { closeProposal, isOpen, moveDue, moveStatus, proposalOf, STEP_RUN, voteOf } from './due.js'
import { attemptEnactment } from './enactment.js'
import { outcomes, type Referendum, referenda } from './tables.js'

const STEP_TEU = 400
/** Units reserved for the record of a failed step. */
const FAULT_TEU = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Delays of the second and the third attempt to enact a list, after the previous one. */
const RETRY_MS = [MINUTE_MS, 10 * MINUTE_MS] as const
const ATTEMPTS_MAX = RETRY_MS.length + 1
/** Consecutive failed steps that end a proposal. */
const FAULTS_MAX = 3

const notDue = (number: number, message: string): Rejection => reject('not_due', `proposal ${number} ${message}`)

/** Close an ended vote: counts, outcome, deposit, status. */
function closeVote(ctx: ExecContext, number: number, row: Referendum, isEarly: boolean): void {
  const { timeMs } = ctx.env
  const tally = tallyOf(ctx, number, row)
  const isAye = isApproved(row, tally)
  const endMs = isEarly ? timeMs : row.endMs
  const { stepMs, timelockMs, graceMs } = row.rules
  ctx.set(outcomes, number, { winner: isAye ? 'aye' : 'nay', endMs, stepMs })
  payDeposit(ctx, number, row, isForfeit(tally))
  const closed = { ...row, tally, endMs, deposit: undefined }
  if (!isAye) return closeProposal(ctx, number, closed, 'rejected')
  const enactFromMs = endMs + timelockMs
  const enactUntilMs = Math.max(enactFromMs, timeMs) + graceMs
  moveStatus(ctx, number, { ...closed, status: 'approved', enactFromMs, enactUntilMs }, Math.max(enactFromMs, timeMs))
}

/** Close the vote of a proposal, or the rejection if it has not ended. */
function finishVote(ctx: ExecContext, number: number, row: Referendum): Rejection | undefined {
  const isOver = ctx.env.timeMs >= row.endMs
  if (!isOver && !isDecidedEarly(ctx, row, tallyOf(ctx, number, row)))
    return notDue(number, `is voted on until ${row.endMs}`)
  closeVote(ctx, number, row, !isOver)
  return undefined
}

/** True if no further attempt is permitted; the first attempt is always made. */
const isExpired = ({ attempts, enactUntilMs = 0 }: Referendum, nowMs: number): boolean =>
  attempts > 0 && nowMs >= enactUntilMs

/** Record a failed attempt and schedule the next step. */
function recordFailure(
  ctx: ExecContext,
  number: number,
  row: Referendum,
  error: NonNullable<Referendum['error']>,
): void {
  const attempts = row.attempts + 1
  const { enactUntilMs = 0 } = row
  const delay = RETRY_MS[row.attempts]
  const dueMs = delay === undefined ? enactUntilMs : Math.min(ctx.env.timeMs + delay, enactUntilMs)
  const retryMs = delay !== undefined && dueMs < enactUntilMs ? dueMs : undefined
  ctx.emit(events.govEnactmentFailed, { proposal: number, attempt: attempts, error, retryMs })
  moveDue(ctx, number, { ...row, attempts, error }, dueMs)
}

/** Enact an approved list in the run of its proposal: failures are recorded and retried. */
function enactByRun(ctx: ExecContext, number: number, row: Referendum): void {
  const { timeMs } = ctx.env
  const { attempts, enactFromMs = 0, enactUntilMs = 0 } = row
  if (isExpired(row, timeMs)) return closeProposal(ctx, number, row, 'expired')
  if (timeMs < enactFromMs || attempts >= ATTEMPTS_MAX) {
    moveDue(ctx, number, row, timeMs < enactFromMs ? enactFromMs : enactUntilMs)
    return
  }
  const failed = attemptEnactment(ctx, number, row)
  if (failed !== undefined) recordFailure(ctx, number, row, failed.error)
}

/** Execute the due step of a proposal and schedule the next step; the current run is no longer scheduled. */
function step(ctx: ExecContext, number: number): Rejection | undefined {
  const found = voteOf(ctx, number)
  if ('code' in found || !isOpen(found)) return undefined
  const row = { ...found, dueMs: undefined, faults: 0 }
  if (row.status === 'lead') moveDue(ctx, number, row, row.votingFromMs)
  else if (row.status !== 'voting') enactByRun(ctx, number, row)
  else if (finishVote(ctx, number, row) !== undefined) moveDue(ctx, number, row, row.endMs)
  return undefined
}

/** Record a failed step; the third failure in a row ends the proposal. */
function recordFault(ctx: ExecContext, number: number): void {
  const row = ctx.get(referenda, number)
  if (row === undefined || !isOpen(row)) return
  const faults = row.faults + 1
  if (faults < FAULTS_MAX) {
    moveDue(ctx, number, { ...row, faults }, ctx.env.timeMs + HOUR_MS)
    return
  }
  const { deposit, proposer } = row
  // The payout itself may be what fails: the proposal then ends without it.
  if (deposit !== undefined) {
    ctx.fork((part) => {
      keepDeposit(part, number, deposit, proposer)
      return undefined
    })
  }
  closeProposal(ctx, number, { ...row, faults }, 'failed')
}

export const stepRun: Scheduled<number> = {
  ...STEP_RUN,
  teu: STEP_TEU,
  maxTeu: ENACT_TEU_MAX,
  run(ctx, number) {
    const failed = ctx.forkWithin({ max: ENACT_TEU_MAX, kept: FAULT_TEU }, (part) => step(part, number))
    if (failed !== undefined) recordFault(ctx, number)
    return undefined
  },
}

/** Make the due enactment of an approved proposal, or expire it, as a transaction: a failed list rejects it. */
function enactNow(ctx: ExecContext, number: number, row: Referendum): Rejection | undefined {
  const { timeMs } = ctx.env
  if (timeMs < (row.enactFromMs ?? 0)) return notDue(number, `can be enacted from ${row.enactFromMs}`)
  if (!isExpired(row, timeMs)) return attemptEnactment(ctx, number, row)?.rejection
  closeProposal(ctx, number, row, 'expired')
  return undefined
}

/** Makes the step that is due: the start of the vote, its end, an enactment, or the expiry. */
export const finalizeProposal: Execution<InstructionOf<typeof instructions.finalizeProposal>> = {
  cost: { base: 400 },
  execute(ctx, { proposal }) {
    const hadBegun = ctx.get(referenda, proposal)?.status !== 'lead'
    const row = voteOf(ctx, proposal)
    if ('code' in row) return row
    if (!isOpen(row)) return notDue(proposal, `is ${row.status}`)
    if (row.status === 'lead') return notDue(proposal, `is voted on from ${row.votingFromMs}`)
    if (row.status !== 'voting') return enactNow(ctx, proposal, row)
    const unfinished = finishVote(ctx, proposal, row)
    return hadBegun ? unfinished : undefined
  },
}

/** Makes the enactment only, so that it never ends a vote. */
export const enactProposal: Execution<InstructionOf<typeof instructions.enactProposal>> = {
  cost: { base: 400 },
  execute(ctx, { proposal }) {
    const row = proposalOf(ctx, proposal)
    if ('code' in row) return row
    return row.status === 'approved' ? enactNow(ctx, proposal, row) : notDue(proposal, `is ${row.status}`)
  },
}
