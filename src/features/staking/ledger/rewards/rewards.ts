/**
 * Owns rewards: earned by the seats of an epoch, reserved from the pot, and paid page by page to validators and
 * nominators.
 */

import { earnedBy, partOf, shareOf } from '../../../../consensus/npos/index.js'
import { hash } from '../../../../crypto/index.js'
import { type ExecContext, type Rejection, reject } from '../../../../executor/contract.js'
import type { Executions } from '../../../../executor/feature.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { hold, release } from '../../../../ledger/moves.js'
import { type AccountId, type DataEvent, event } from '../../../../model/index.js'
import type { StateWriter } from '../../../../state/index.js'
import { events } from '../../schema/events.js'
import type { instructions } from '../../schema/instructions.js'
import { REWARD_PER_EPOCH } from '../../schema/parameters.js'
import { exposurePages, exposures } from '../elections/tables.js'
import { calendarOf, seatsOf } from '../epochs/calendar.js'
import { randomnessOf } from '../epochs/duties.js'
import { type Calendar, uptimes } from '../epochs/tables.js'
import {
  amountOf,
  escrowUnits,
  heldUnits,
  knownPool,
  parameterUnits,
  poolOf,
  potUnits,
  reserveFromPot,
  rewardEscrow,
  takeUnits,
  toPot,
} from '../stake/pool.js'
import type { Pool } from '../stake/tables.js'
import { ONLY } from '../table.js'
import { validators } from '../validators/tables.js'
import { rewards } from './tables.js'

/** Number of epochs in which a reward can be paid; the rest then returns to the pot. */
export const PAYOUT_EPOCHS = 84

/** Set the reward of each seat at the last block of an epoch, by the slots in which the seat was seen. */
export function earnRewards(state: StateWriter, calendar: Calendar): DataEvent[] {
  const pool = knownPool(state)
  const uptime = state.get(uptimes, ONLY)
  if (pool === undefined || uptime === undefined || uptime.epoch !== calendar.epoch) return []
  const { epoch, term } = calendar
  const wanted = parameterUnits(parameterOf(state, REWARD_PER_EPOCH), pool)
  const pot = potUnits(state, pool)
  const reward = wanted < pot ? wanted : pot
  const { commits, reveals } = randomnessOf(state, epoch)
  const seats = seatsOf(state, calendar)
  let sum = 0n
  for (const [seat, { validator }] of seats.entries()) {
    const isJailed = state.get(validators, validator)?.status.kind === 'jailed'
    const isOf = (one: { readonly validator: AccountId }): boolean => one.validator === validator
    const hasWithheld = commits.some(isOf) && !reveals.some(isOf)
    const seen = uptime.seats[seat]?.seenSlots ?? 0
    const earned = isJailed || hasWithheld ? 0n : earnedBy(reward, seats.length, seen, uptime.slots)
    if (earned === 0n) continue
    sum += earned
    state.set(rewards, { epoch, validator }, { term, amount: amountOf(earned, pool), paid: [] })
  }
  if (sum === 0n) return []
  reserveFromPot(state, pool, rewardEscrow(epoch, pool), sum)
  const value = { epoch, amount: amountOf(sum, pool), seats: seats.length }
  return [event(events.stakingRewardsEarned, value)]
}

/** Return unpaid rewards to the pot. */
export function sweepRewards(state: StateWriter, epoch: number): void {
  const pool = knownPool(state)
  if (pool === undefined || epoch < 0) return
  const escrow = rewardEscrow(epoch, pool)
  const left = escrowUnits(state, escrow, pool)
  takeUnits(state, escrow, left, pool)
  toPot(state, pool, left)
}

/** Key of the escrow for value on its way into the pot. */
const FUNDING_KEY = hash('staking-funding')
/** Units of a payout per payee. */
const TEU_PER_PAYEE = 200

/**
 * Codes of failed payments that are caused by the sender of the payout and not by the payee: units, or trigger depth.
 */
const OF_THE_CALLER: ReadonlySet<string> = new Set(['teu_exhausted', 'trigger_depth'])

/**
 * Pay one part of a reward. A part that its account may not receive stays unpaid, and finally returns to the pot. Any
 * other rejection applies to the whole page, because a page counts as paid only once and any account may request it.
 */
function pay(
  ctx: ExecContext,
  pool: Pool,
  { epoch, validator }: { readonly epoch: number; readonly validator: AccountId },
  to: AccountId,
  units: bigint,
): Rejection | undefined {
  if (units === 0n) return undefined
  const amount = amountOf(units, pool)
  const failed = ctx.fork((fork) => release(fork, rewardEscrow(epoch, pool), { payer: to, to, amount }))
  if (failed !== undefined) return OF_THE_CALLER.has(failed.code) ? failed : undefined
  ctx.emit(events.stakingRewardPaid, { account: to, validator, epoch, amount })
  return undefined
}

export const execute = {
  payoutStakingReward: {
    cost: { base: 200 },
    execute(ctx, { epoch, validator, page }) {
      // A reward has the asset that was staked when it was earned, even if nothing is staked any more.
      const pool = knownPool(ctx) ?? poolOf(ctx)
      if ('code' in pool) return pool
      const key = { epoch, validator }
      const row = ctx.get(rewards, key)
      const now = calendarOf(ctx)?.epoch ?? 0
      if (row === undefined || epoch + PAYOUT_EPOCHS < now) return reject('stake_paid', 'the reward does not exist')
      const exposed = ctx.get(exposures, { term: row.term, validator })
      if (exposed === undefined || page >= Math.max(1, exposed.pages))
        return reject('stake_paid', 'the page does not exist')
      if (row.paid.includes(page)) return reject('stake_paid', 'this page is already paid')
      if (row.amount.mantissa > 0n && escrowUnits(ctx, rewardEscrow(epoch, pool), pool) === 0n)
        return reject('stake_paid', 'no funds are reserved for it in the current stake asset')
      ctx.set(rewards, key, { ...row, paid: [...row.paid, page] })
      const amount = heldUnits(row.amount, pool)
      const commission = partOf(amount, exposed.commissionBps)
      const rest = amount - commission
      const total = heldUnits(exposed.total, pool)
      const entries = ctx.get(exposurePages, { term: row.term, validator, page }) ?? []
      ctx.take(TEU_PER_PAYEE * (entries.length + (page === 0 ? 1 : 0)))
      if (page === 0) {
        const own = commission + shareOf(rest, heldUnits(exposed.own, pool), total)
        const failed = pay(ctx, pool, key, validator, own)
        if (failed) return failed
      }
      for (const { nominator, amount: backing } of entries) {
        const failed = pay(ctx, pool, key, nominator, shareOf(rest, heldUnits(backing, pool), total))
        if (failed) return failed
      }
      return undefined
    },
  },

  fundStakingRewards: {
    cost: { base: 300 },
    execute(ctx, { amount }) {
      const pool = poolOf(ctx)
      if ('code' in pool) return pool
      const account = ctx.authority
      const escrow = { feature: 'staking', key: FUNDING_KEY }
      const failed = hold(ctx, escrow, { definition: pool.definition, account }, amount)
      if (failed) return failed
      const units = heldUnits(amount, pool)
      takeUnits(ctx, { ...escrow, definition: pool.definition }, units, pool)
      toPot(ctx, pool, units)
      ctx.emit(events.stakingRewardsFunded, { account, amount })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
