/** Owns proposals: their submission, their due times and statuses, and their end. */
import type { Lazy } from '../../../codec/index.js'
import { countUse } from '../../../executor/accounts.js'
import { addressPrefixOf } from '../../../executor/addresses.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import { listToStore, placeOfList } from '../../../executor/stored-lists.js'
import { definitions } from '../../../ledger/tables.js'
import { exceeds, type Instruction, type InstructionOf } from '../../../model/index.js'
import { writePages } from '../../../state/index.js'
import { events } from '../schema/events.js'
import type { instructions, SubmitProposal } from '../schema/instructions.js'
import {
  contentDigest,
  listHash,
  MIN_LOCK_DIVISOR,
  OPEN_PER_ACCOUNT_MAX,
  PROPOSED_MAX_BYTES,
  type Track,
  VETOED_APPROVAL_BPS,
} from '../schema/records.js'
import { foundedState, knownState, requireGovernance, writeState } from './account.js'
import { partOf } from './amounts.js'
import { NO_VOTES } from './counting.js'
import { depositFor, payDeposit, takeDeposit } from './deposits.js'
import { closeProposal, isOpen, moveStatus, proposalOf } from './due.js'
import { electorateFault, memberElector, sizeOf } from './electorates.js'
import { listFault } from './lists.js'
import { contentPages, contents, locks, type Referendum, tracks, vetoes } from './tables.js'
import { scopeFault } from './tracks.js'

const FINEST_DIGITS = 28

/** Fault of a proposer that is not an elector of the track, or undefined. */
function proposerFault(ctx: ExecContext, { electorate, minLock }: Track, { peer }: SubmitProposal) {
  if (electorate.kind !== 'asset') {
    const found = memberElector(ctx, electorate, ctx.authority, peer)
    return 'code' in found ? found : undefined
  }
  const { definition } = electorate.value
  const lock = ctx.get(locks, { definition, account: ctx.authority })
  if (lock === undefined) return reject('not_elector', `the account has no lock of ${definition}`)
  const row = ctx.get(definitions, definition)
  const most = row && partOf(row.total, MIN_LOCK_DIVISOR, row.scale ?? FINEST_DIGITS)
  const least = minLock !== undefined && most !== undefined && exceeds(minLock, most) ? most : minLock
  return least !== undefined && exceeds(least, lock.amount)
    ? reject('lock_too_small', 'the lock is smaller than min_lock of the track')
    : undefined
}

/** Canonical bytes of a list within its bounds, or the rejection. */
function encodedList(ctx: ExecContext, list: readonly Instruction[]): Lazy<readonly Instruction[]> | Rejection {
  if (list.length === 0) return reject('bad_parameter', 'a proposal must have an instruction')
  const encoded = listToStore(ctx.abi.codec(addressPrefixOf(ctx)), list)
  if ('code' in encoded) return encoded
  const size = encoded.bytes.length
  return size <= PROPOSED_MAX_BYTES
    ? encoded
    : reject('instructions_limit', `the instructions have ${size} bytes, exceeding the limit of ${PROPOSED_MAX_BYTES}`)
}

/** Time until which the same list cannot be vetoed again; undefined if it was not vetoed. */
function vetoedUntil(ctx: ExecContext, hash: Uint8Array): number | undefined {
  const untilMs = ctx.get(vetoes, hash)
  if (untilMs === undefined || untilMs > ctx.env.timeMs) return untilMs
  ctx.delete(vetoes, hash)
  return undefined
}

/** Referendum of a new proposal. */
function newReferendum(
  ctx: ExecContext,
  content: { trackId: number; track: Track; digest: Buffer; isVetoed: boolean },
) {
  const { trackId, track, digest, isVetoed } = content
  const { timeMs } = ctx.env
  const { electorate, quorumBps, early, lateMs, timelockMs, graceMs, stepMs } = track
  const approvalBps = isVetoed ? Math.max(track.approvalBps, VETOED_APPROVAL_BPS) : track.approvalBps
  const votingFromMs = timeMs + track.leadMs
  const endMs = votingFromMs + track.votingMs
  const row: Referendum = {
    track: trackId,
    proposer: ctx.authority,
    digest,
    submittedMs: timeMs,
    votingFromMs,
    plannedEndMs: endMs,
    endMs,
    lastEndMs: endMs + track.votingMs,
    status: track.leadMs === 0 ? 'voting' : 'lead',
    rules: { electorate, quorumBps, approvalBps, early, lateMs, timelockMs, graceMs, stepMs },
    enactFromMs: undefined,
    enactUntilMs: undefined,
    closedMs: undefined,
    dueMs: undefined,
    base: sizeOf(ctx, electorate),
    tally: NO_VOTES,
    attempts: 0,
    error: undefined,
    faults: 0,
    deposit: undefined,
    isVetoable: !isVetoed,
  }
  return row
}

/** Rejection if too many proposals are open, or undefined. */
function placesFault(ctx: ExecContext, id: number, { places }: Track): Rejection | undefined {
  const { open } = knownState(ctx)
  const own = open.filter(({ proposer }) => proposer === ctx.authority)
  if (own.length >= OPEN_PER_ACCOUNT_MAX)
    return reject('too_many_proposals', `the account already has ${OPEN_PER_ACCOUNT_MAX} open proposals`)
  return open.filter(({ track }) => track === id).length >= places
    ? reject('too_many_proposals', `track ${id} already has ${places} open proposals`)
    : undefined
}

/** Write a proposal whose checks passed. */
function putProposal(
  ctx: ExecContext,
  { track: trackId, title, summary, link, instructions: list }: SubmitProposal,
  track: Track,
  encoded: Lazy<readonly Instruction[]>,
): Rejection | undefined {
  const state = knownState(ctx)
  const { next: number } = state
  const bytes = encoded.bytes
  const ofList = listHash(bytes)
  const digest = contentDigest({ chain: ctx.env.chain, number, trackId, track, instructions: bytes })
  const row = newReferendum(ctx, { trackId, track, digest, isVetoed: vetoedUntil(ctx, ofList) !== undefined })
  const inTrack = state.open.filter((one) => one.track === trackId).length
  const deposit = ctx.abi.policies.agendas?.isAdmitted(ctx, list) === true ? undefined : depositFor(ctx, track, inTrack)
  const unpaid = deposit && takeDeposit(ctx, number, deposit)
  if (unpaid) return unpaid
  const proposer = ctx.authority
  ctx.set(contents, number, {
    proposer,
    trackId,
    track,
    title,
    summary,
    link,
    digest,
    listHash: ofList,
    ...placeOfList(encoded),
  })
  writePages(ctx, contentPages, number, bytes)
  writeState(ctx, { ...state, next: number + 1 })
  countUse(ctx, proposer, 'objects', 1)
  const { votingFromMs, endMs } = row
  const dueMs = row.status === 'lead' ? votingFromMs : endMs
  ctx.emit(events.govProposalSubmitted, {
    proposal: number,
    account: proposer,
    track: trackId,
    title,
    digest,
    votingFromMs,
    endMs,
  })
  moveStatus(ctx, number, { ...row, deposit }, dueMs)
  return undefined
}

export const submitProposal: Execution<SubmitProposal> = {
  cost: {
    base: 600,
    per: [perContent('texts', ({ title, summary, link = '' }) => Buffer.byteLength(title + summary + link))],
  },
  execute(ctx, value) {
    const encoded = encodedList(ctx, value.instructions)
    if ('code' in encoded) return encoded
    const state = foundedState(ctx)
    if ('code' in state) return state
    const track = ctx.get(tracks, value.track)
    if (track === undefined) return reject('absent', `track ${value.track} does not exist`)
    const refused =
      proposerFault(ctx, track, value) ??
      electorateFault(ctx, track.electorate) ??
      scopeFault(ctx, track, value.instructions) ??
      listFault(ctx, value.instructions) ??
      placesFault(ctx, value.track, track)
    return refused ?? putProposal(ctx, value, track, encoded)
  },
}

export const withdrawProposal: Execution<InstructionOf<typeof instructions.withdrawProposal>> = {
  cost: { base: 200 },
  execute(ctx, { proposal }) {
    const row = proposalOf(ctx, proposal)
    if ('code' in row) return row
    if (row.proposer !== ctx.authority) return reject('not_permitted', 'withdrawing a proposal requires its proposer')
    if (row.status !== 'lead' || ctx.env.timeMs >= row.votingFromMs)
      return reject('not_voting', `proposal ${proposal} can be withdrawn before its vote only`)
    payDeposit(ctx, proposal, row, false)
    closeProposal(ctx, proposal, row, 'withdrawn')
    return undefined
  },
}

/** Cancel an open proposal: its list is never enacted. */
export function cancel(ctx: ExecContext, proposal: number, row: Referendum, isForfeit: boolean): void {
  payDeposit(ctx, proposal, row, isForfeit)
  closeProposal(ctx, proposal, row, 'cancelled')
}

export const cancelProposal: Execution<InstructionOf<typeof instructions.cancelProposal>> = {
  cost: { base: 200 },
  execute(ctx, { proposal, forfeit }) {
    const row = proposalOf(ctx, proposal)
    if ('code' in row) return row
    const denied = requireGovernance(ctx, 'cancelling a proposal')
    if (denied) return denied
    if (!isOpen(row)) return reject('not_voting', `proposal ${proposal} is ${row.status}`)
    cancel(ctx, proposal, row, forfeit)
    return undefined
  },
}
