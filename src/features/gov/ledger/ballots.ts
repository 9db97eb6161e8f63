/** Owns ballots: eligibility, the locks that secure them, and the late swing. */
import { sameBytes } from '../../../base/bytes.js'
import type { Numeric } from '../../../codec/index.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { amountFault, ZERO } from '../../../ledger/money.js'
import { add, exceeds, subtract, type ValidatorKey } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { CastBallot } from '../schema/instructions.js'
import { CONVICTION_TENTHS, type Elector, HELD_MAX, type Held } from '../schema/records.js'
import { timesOf } from './amounts.js'
import { isApproved, isDecidedEarly, tallyOf } from './counting.js'
import { moveDue, voteOf } from './due.js'
import { memberElector } from './electorates.js'
import { isHeld, LOOK_UP_TEU } from './locks.js'
import { ballots, type Lock, locks, type Referendum, type Tally } from './tables.js'

const notElector = (message: string): Rejection => reject('not_elector', message)

/** Lock or membership that entitles the authority to a ballot. */
type Entitled =
  | { readonly kind: 'lock'; readonly definition: string; readonly lock: Lock }
  | { readonly kind: 'member'; readonly elector: Elector }

function entitled(ctx: ExecContext, { rules }: Referendum, peer: ValidatorKey | undefined): Entitled | Rejection {
  const { electorate } = rules
  if (electorate.kind !== 'asset') {
    const elector = memberElector(ctx, electorate, ctx.authority, peer)
    return 'code' in elector ? elector : { kind: 'member', elector }
  }
  const { definition } = electorate.value
  const lock = ctx.get(locks, { definition, account: ctx.authority })
  return lock === undefined
    ? notElector(`the account has no lock of ${definition}`)
    : { kind: 'lock', definition, lock }
}

/** Sum of weights or amounts; undefined if it has more than 512 bits. */
type Counted = readonly [weight: keyof Tally, amount: keyof Tally] | readonly [amount: keyof Tally]
const COUNTED: Readonly<Record<Held['choice'], Counted>> = {
  aye: ['ayes', 'aye'],
  nay: ['nays', 'nay'],
  abstain: ['abstains'],
}

/** Counts after a ballot is added (1) or removed (-1); undefined if a count has more than 512 bits. */
function counted(tally: Tally, { choice, amount, conviction }: Omit<Held, 'proposal'>, by: 1 | -1): Tally | undefined {
  const weight = timesOf(amount, CONVICTION_TENTHS[conviction] ?? 0)
  const [amounts, weights] = COUNTED[choice]
  const change = (before: Numeric, part: Numeric | undefined): Numeric | undefined =>
    part && (by === 1 ? add(before, part) : subtract(before, part))
  const nextAmount = change(tally[amounts], amount)
  const nextWeight = weights === undefined ? ZERO : change(tally[weights], weight)
  if (nextAmount === undefined || nextWeight === undefined) return undefined
  return weights === undefined
    ? { ...tally, [amounts]: nextAmount }
    : { ...tally, [amounts]: nextAmount, [weights]: nextWeight }
}

/** Other ballots of a lock; at the limit, ballots that hold nothing are removed. */
function othersOf(ctx: ExecContext, { held }: Lock, proposal: number): readonly Held[] {
  const others = held.filter((one) => one.proposal !== proposal)
  if (others.length < HELD_MAX) return others
  ctx.take(LOOK_UP_TEU * others.length)
  return others.filter((one) => isHeld(ctx, one, ctx.env.timeMs))
}

/** Secure a ballot by a lock; returns the counts afterwards, or the rejection. */
function castByLock(
  ctx: ExecContext,
  { tally }: Referendum,
  value: CastBallot,
  { definition, lock }: Extract<Entitled, { readonly kind: 'lock' }>,
): Tally | Rejection {
  const { proposal, choice, conviction, amount = lock.amount } = value
  const fault = amountFault(amount, undefined)
  if (fault) return fault
  if (exceeds(amount, lock.amount)) return reject('lock_too_small', 'the amount of the ballot exceeds the lock')
  const others = othersOf(ctx, lock, proposal)
  if (others.length >= HELD_MAX) return reject('ballot_limit', `the lock already secures ${HELD_MAX} ballots`)
  const ballot = { proposal, choice, amount, conviction }
  const earlier = lock.held.find((one) => one.proposal === proposal)
  const before = earlier === undefined ? tally : counted(tally, earlier, -1)
  if (before === undefined) throw new Error('a ballot weighs more than all ballots together')
  const after = counted(before, ballot, 1)
  if (after === undefined) return reject('overflow', 'the weight of all ballots would exceed 512 bits')
  ctx.set(locks, { definition, account: ctx.authority }, { ...lock, held: [...others, ballot] })
  return after
}

/** Record a ballot of one vote; it replaces an earlier ballot of the elector. */
function castByMember(ctx: ExecContext, { proposal, choice, amount, conviction }: CastBallot, elector: Elector) {
  if (amount !== undefined || conviction !== 0)
    return reject('bad_parameter', 'amount and conviction are only for tracks with an asset electorate')
  const others = (ctx.get(ballots, proposal) ?? []).filter((one) => one.elector.value !== elector.value)
  ctx.set(ballots, proposal, [...others, { elector, choice }])
  return undefined
}

/** Vote after a ballot; a change of its result within the last `late_ms` postpones the end. */
function extended(row: Referendum, wasApproved: boolean, tally: Tally, nowMs: number): Referendum {
  const { rules, endMs, lastEndMs } = row
  const isSwing = wasApproved !== isApproved(row, tally) && nowMs >= endMs - rules.lateMs
  return isSwing ? { ...row, endMs: Math.max(endMs, Math.min(nowMs + rules.lateMs, lastEndMs)) } : row
}

export const castBallot: Execution<CastBallot> = {
  // With its rows a ballot costs 1.4 times a transfer.
  cost: { base: 120 },
  execute(ctx, value) {
    const { proposal, digest, choice, amount, conviction, peer } = value
    const row = voteOf(ctx, proposal)
    if ('code' in row) return row
    const by = entitled(ctx, row, peer)
    if ('code' in by) return by
    const { timeMs } = ctx.env
    if (row.status !== 'voting' || timeMs >= row.endMs)
      return reject('not_voting', `proposal ${proposal} is ${row.status === 'voting' ? 'past its end' : row.status}`)
    if (!sameBytes(digest, row.digest))
      return reject('wrong_digest', 'the digest of the ballot differs from the digest of the proposal')
    const wasApproved = isApproved(row, tallyOf(ctx, proposal, row))
    const cast = by.kind === 'lock' ? castByLock(ctx, row, value, by) : castByMember(ctx, value, by.elector)
    if (cast !== undefined && 'code' in cast) return cast
    const held = cast === undefined ? row : { ...row, tally: cast }
    const tally = tallyOf(ctx, proposal, held)
    const next = extended(held, wasApproved, tally, timeMs)
    const dueMs = isDecidedEarly(ctx, next, tally) ? timeMs : next.endMs
    moveDue(ctx, proposal, next, dueMs)
    const account = ctx.authority
    ctx.emit(events.govBallotCast, { proposal, account, peer, choice, amount, conviction, endMs: next.endMs })
    return undefined
  },
}
