/** Owns the council: its appointment by governance, weighted vetoes, admission and dismissal of agendas. */
import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { type AccountId, type InstructionOf, sameIncarnation } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import {
  ADMIT_BPS,
  BPS,
  COUNCIL_MIN,
  COUNCIL_TERM_MAX_MS,
  type CouncilSubject,
  DISMISS_BPS,
  VETO_MS,
} from '../schema/records.js'
import { foundedState, requireGovernance, stateOf, writeState } from './account.js'
import { isOpen, proposalOf, vetoKey } from './due.js'
import { cancel } from './proposals.js'
import { type Council, type CouncilSeat, contents, councils, councilVotes, vetoes } from './tables.js'

/** Council of the last appointment, with its term. */
export interface CouncilInOffice {
  readonly term: number
  readonly council: Council
}

/** Last council, even if its term has ended. */
export function lastCouncil(state: StateReader): CouncilInOffice | undefined {
  const term = stateOf(state)?.terms ?? 0
  const council = term === 0 ? undefined : state.get(councils, term)
  return council && { term, council }
}

/** True if the account of a seat is the appointed one. */
export const isSeated = (state: StateReader, { account, incarnation }: CouncilSeat): boolean =>
  sameIncarnation(incarnation, state.get(accounts, account)?.incarnation)

export const weightOf = (members: readonly CouncilSeat[]): number =>
  members.reduce((sum, { weight }) => sum + weight, 0)

export const appointCouncil: Execution<InstructionOf<typeof instructions.appointCouncil>> = {
  cost: { base: 200, per: [{ teu: 10, item: 'member', count: ({ members }) => members.length }] },
  execute(ctx, { members, untilMs }) {
    const state = foundedState(ctx)
    if ('code' in state) return state
    const denied = requireGovernance(ctx, 'appointing a council')
    if (denied) return denied
    if (members.length < COUNCIL_MIN) return reject('bad_parameter', `a council has at least ${COUNCIL_MIN} members`)
    if (new Set(members.map(({ account }) => account)).size < members.length)
      return reject('exists', 'a member is named twice')
    if (members.some(({ weight }) => weight === 0)) return reject('bad_parameter', 'a weight must be at least 1')
    if (untilMs > ctx.env.timeMs + COUNCIL_TERM_MAX_MS)
      return reject('bad_parameter', `a term lasts at most ${COUNCIL_TERM_MAX_MS} ms`)
    const seats: CouncilSeat[] = []
    for (const { account, weight } of members) {
      const incarnation = ctx.get(accounts, account)?.incarnation
      if (incarnation === undefined) return unknownAccount(ctx, account, 'member')
      seats.push({ account, weight, incarnation })
    }
    const term = state.terms + 1
    ctx.set(councils, term, { untilMs, members: seats })
    writeState(ctx, { ...state, terms: term })
    ctx.emit(events.govCouncilAppointed, { term, members, untilMs })
    return undefined
  },
}

/** Key of the votes on a subject. */
const keyOf = ({ kind, value }: CouncilSubject): string =>
  kind === 'veto' ? vetoKey(value.proposal) : `${kind}:${value.agenda}`

/** Reason why a subject cannot be decided now, for example because it does not exist. */
function subjectFault(ctx: ExecContext, { kind, value }: CouncilSubject, part: 'row' | 'state'): Rejection | undefined {
  if (kind === 'veto') {
    const row = proposalOf(ctx, value.proposal)
    if ('code' in row) return row
    if (part === 'row') return undefined
    if (stateOf(ctx)?.vetoBps === undefined) return reject('not_permitted', 'governance was founded without vetoes')
    if (!isOpen(row)) return reject('not_voting', `proposal ${value.proposal} is ${row.status}`)
    return row.isVetoable ? undefined : reject('not_voting', 'the same list was vetoed in the last 90 days')
  }
  const state = ctx.abi.policies.agendas?.state(ctx, value.agenda)
  if (state === undefined) return reject('absent', `agenda ${value.agenda} does not exist`)
  const isDecidable = state === 'open' || (kind === 'dismiss' && state === 'admitted')
  return part === 'row' || isDecidable ? undefined : reject('not_voting', `agenda ${value.agenda} is ${state}`)
}

/** Share of the weight of all members that decides, in basis points. */
function thresholdOf(ctx: ExecContext, { kind }: CouncilSubject): number {
  if (kind === 'veto') return stateOf(ctx)?.vetoBps ?? BPS
  return kind === 'admit' ? ADMIT_BPS : DISMISS_BPS
}

/** Execute a decision. */
function decide(ctx: ExecContext, { kind, value }: CouncilSubject, forfeit: boolean): Rejection | undefined {
  if (kind === 'veto') {
    const { proposal } = value
    const row = proposalOf(ctx, proposal)
    if ('code' in row) return row
    const content = ctx.get(contents, proposal)
    if (content === undefined) throw new Error(`proposal ${proposal} has no content`)
    ctx.set(vetoes, content.listHash, ctx.env.timeMs + VETO_MS)
    cancel(ctx, proposal, row, forfeit)
    return undefined
  }
  const outcome =
    kind === 'admit' ? ({ kind: 'admitted' } as const) : ({ kind: 'dismissed', reason: value.reason } as const)
  return ctx.abi.policies.agendas?.settle(ctx, value.agenda, outcome)
}

/** Council in office in which the account has a seat, or `not_seated`. */
function seatOf(ctx: ExecContext, account: AccountId): CouncilInOffice | Rejection {
  const found = lastCouncil(ctx)
  if (found === undefined || ctx.env.timeMs >= found.council.untilMs)
    return reject('not_seated', 'no council is in office')
  return found.council.members.some((one) => one.account === account && isSeated(ctx, one))
    ? found
    : reject('not_seated', 'the account is not a member of the council')
}

export const councilVote: Execution<InstructionOf<typeof instructions.councilVote>> = {
  cost: { base: 200 },
  execute(ctx, { subject }) {
    const missing = subjectFault(ctx, subject, 'row')
    if (missing) return missing
    const account = ctx.authority
    const office = seatOf(ctx, account)
    if ('code' in office) return office
    const fault = subjectFault(ctx, subject, 'state')
    if (fault) return fault
    const { term, council } = office
    const key = keyOf(subject)
    const row = ctx.get(councilVotes, key)
    // Votes of an earlier council do not count.
    const votes = row?.term === term ? row : { term, voters: [], forfeit: true }
    if (votes.voters.includes(account)) return reject('exists', 'the member already voted on this')
    const voters = [...votes.voters, account]
    const forfeit = votes.forfeit && subject.kind === 'veto' && subject.value.forfeit
    const of = weightOf(council.members)
    const weight = weightOf(council.members.filter((one) => voters.includes(one.account)))
    const isDecided = weight * BPS >= of * thresholdOf(ctx, subject)
    ctx.emit(events.govCouncilVoted, { term, account, subject, weight, of, isDecided })
    if (!isDecided) {
      ctx.set(councilVotes, key, { term, voters, forfeit })
      return undefined
    }
    if (row !== undefined) ctx.delete(councilVotes, key)
    return decide(ctx, subject, forfeit)
  },
}
