/** Owns the locks of votes: amounts in escrow, the ballots that they secure, and their release. */
import { formatNumeric, type Numeric } from '../../../codec/index.js'
import { countUse } from '../../../executor/accounts.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { amountFault, ZERO } from '../../../ledger/money.js'
import { definitionOf, hold, release } from '../../../ledger/moves.js'
import { domainOfDefinition, exceeds, type InstructionOf, subtract } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import type { Held } from '../schema/records.js'
import { stateOf } from './account.js'
import { addToLock, lockEscrow } from './deposits.js'
import { heldUntilMs } from './outcomes.js'
import { type Lock, type LockKey, locks, outcomes, referenda } from './tables.js'

/** True if a proposal of this status has an open vote. */
const VOTES: ReadonlySet<string> = new Set(['lead', 'voting'])

/**
 * Time from which on the amount of a ballot is free, in ms: 0 if it is free now, undefined while the vote is open. Only
 * the outcome keeps an amount of a closed vote.
 */
export function freeMsOf(state: StateReader, { proposal, choice, conviction }: Held): number | undefined {
  const outcome = state.get(outcomes, proposal)
  if (outcome !== undefined) return choice === outcome.winner ? heldUntilMs(outcome, conviction) : 0
  const status = state.get(referenda, proposal)?.status
  return status !== undefined && VOTES.has(status) ? undefined : 0
}

/** Units of looking up the vote of one ballot, beside its rows. */
export const LOOK_UP_TEU = 8

/** True if a ballot holds its amount at a time. */
export function isHeld(state: StateReader, one: Held, nowMs: number): boolean {
  const freeMs = freeMsOf(state, one)
  return freeMs === undefined || freeMs > nowMs
}

const largest = (list: readonly Held[]): Numeric =>
  list.reduce<Numeric>((most, { amount }) => (exceeds(amount, most) ? amount : most), ZERO)

/** Ballots of a lock that hold their amounts, and the part of the lock that no ballot holds. */
export function freeOf(state: StateReader, { amount, held }: Lock, nowMs: number) {
  const kept = held.filter((one) => isHeld(state, one, nowMs))
  const free = subtract(amount, largest(kept))
  if (free === undefined) throw new Error('a ballot holds more than its lock')
  return { kept, free }
}

/** Text of the time at which an amount of a lock is free. */
function freeText(state: StateReader, { amount }: Lock, kept: readonly Held[], wanted: Numeric): string {
  const rest = subtract(amount, wanted)
  const blocking = kept.filter((one) => rest === undefined || exceeds(one.amount, rest))
  const times = blocking.map((one) => freeMsOf(state, one))
  return times.includes(undefined)
    ? `until proposal ${blocking.find((one) => freeMsOf(state, one) === undefined)?.proposal} is closed`
    : `until free_at_ms ${Math.max(...times.map((ms) => ms ?? 0))}`
}

export const lockVotes: Execution<InstructionOf<typeof instructions.lockVotes>> = {
  cost: { base: 220 },
  primaryDomain: ({ definition }) => domainOfDefinition(definition),
  execute(ctx, { definition, amount }) {
    const found = definitionOf(ctx, { definition })
    if ('code' in found) return found
    const isUsed = stateOf(ctx)?.tracks.some(
      ({ electorate: { kind, value } }) => kind === 'asset' && value.definition === definition,
    )
    if (isUsed !== true) return reject('bad_electorate', `no track has an electorate of ${definition}`)
    const account = ctx.authority
    const failed = hold(ctx, lockEscrow(account), { definition, account }, amount)
    if (failed) return failed
    const { amount: locked } = addToLock(ctx, definition, account, amount)
    ctx.emit(events.govVotesLocked, { definition, account, amount, locked })
    return undefined
  },
}

/** Write the remainder of a lock; an empty one is removed. */
function writeRest(ctx: ExecContext, key: LockKey, rest: Lock): void {
  if (rest.amount.mantissa > 0n) return ctx.set(locks, key, rest)
  ctx.delete(locks, key)
  countUse(ctx, key.account, 'objects', -1)
}

/** Amount to withdraw, or the rejection. */
function withdrawable(
  ctx: ExecContext,
  lock: Lock,
  { kept, free }: ReturnType<typeof freeOf>,
  amount: Numeric | undefined,
): Numeric | Rejection {
  const wanted = amount ?? (free.mantissa === 0n ? lock.amount : free)
  if (exceeds(wanted, lock.amount))
    return reject(
      'not_enough',
      `the lock holds ${formatNumeric(lock.amount)}, but the amount is ${formatNumeric(wanted)}`,
    )
  return exceeds(wanted, free)
    ? reject('lock_held', `${formatNumeric(free)} is free; ballots hold the rest ${freeText(ctx, lock, kept, wanted)}`)
    : wanted
}

export const withdrawVotes: Execution<InstructionOf<typeof instructions.withdrawVotes>> = {
  cost: { base: 300 },
  primaryDomain: ({ definition }) => domainOfDefinition(definition),
  execute(ctx, { definition, amount }) {
    const found = definitionOf(ctx, { definition })
    if ('code' in found) return found
    const account = ctx.authority
    const key = { definition, account }
    const lock = ctx.get(locks, key)
    if (lock === undefined) return reject('absent', `the account has no lock of ${definition}`)
    const fault = amount && amountFault(amount, found.scale)
    if (fault) return fault
    ctx.take(LOOK_UP_TEU * lock.held.length)
    const state = freeOf(ctx, lock, ctx.env.timeMs)
    const wanted = withdrawable(ctx, lock, state, amount)
    if ('code' in wanted) return wanted
    const failed = release(ctx, { ...lockEscrow(account), definition }, { payer: account, to: account, amount: wanted })
    if (failed) return failed
    const rest = { amount: subtract(lock.amount, wanted) ?? ZERO, held: state.kept }
    writeRest(ctx, key, rest)
    ctx.emit(events.govVotesWithdrawn, { definition, account, amount: wanted, locked: rest.amount })
    return undefined
  },
}
