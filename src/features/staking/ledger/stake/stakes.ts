/** Owns bonding, unbonding, rebonding and withdrawal of stake, once it can no longer be slashed. */

import { formatNumeric, type Numeric } from '../../../../codec/index.js'
import { countUse } from '../../../../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../../../../executor/contract.js'
import type { Executions } from '../../../../executor/feature.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { peers } from '../../../../executor/tables.js'
import { hold, release } from '../../../../ledger/moves.js'
import type { AccountId } from '../../../../model/index.js'
import { events } from '../../schema/events.js'
import type { instructions } from '../../schema/instructions.js'
import { MIN_NOMINATION_BOND, MIN_SELF_BOND } from '../../schema/parameters.js'
import { CHUNKS_MAX, type Stake } from '../../schema/records.js'
import { currentTerm, isTermOver } from '../epochs/terms.js'
import { isBelowPeerFloor } from '../validators/candidates.js'
import { isValidatorFree, removeValidator } from '../validators/removal.js'
import { validators } from '../validators/tables.js'
import { setBonded, stakeOf, takeNewest } from './bonds.js'
import { isFrozen } from './exposed.js'
import { stopNominating } from './nominations.js'
import { amountOf, changeTotal, heldUnits, parameterUnits, poolOf, stakeEscrow, subjectOf, unitsOf } from './pool.js'
import { type Pool, stakes } from './tables.js'

/** Stake pool, and the units of a requested amount; or the rejection. */
function askedOf(ctx: ExecContext, amount: Numeric): { readonly pool: Pool; readonly units: bigint } | Rejection {
  const pool = poolOf(ctx)
  if ('code' in pool) return pool
  const units = unitsOf(amount, pool)
  if (units === undefined && amount.mantissa > 0n) {
    return reject('bad_scale', `the asset has ${pool.scale} fraction digits, the amount has ${amount.scale}`)
  }
  return units === undefined || units === 0n
    ? reject('bad_amount', 'an amount must be greater than zero')
    : { pool, units }
}

function emitStake(
  ctx: ExecContext,
  account: AccountId,
  action: 'bonded' | 'rebonded' | 'unbonded' | 'withdrawn',
  amount: Numeric,
): void {
  ctx.emit(events.stakeChanged, { account, action, amount, bonded: stakeOf(ctx, account).bonded })
}

/** Reason why the remaining bond is too small for the role of the account. */
function restFault(
  ctx: ExecContext,
  account: AccountId,
  { role }: Stake,
  rest: bigint,
  pool: Pool,
): Rejection | undefined {
  if (role === 'idle') return undefined
  if (role === 'nominator') {
    const least = parameterUnits(parameterOf(ctx, MIN_NOMINATION_BOND), pool)
    return rest === 0n || rest >= least
      ? undefined
      : reject('stake_too_small', 'a nominator must keep min_nomination_bond, or unbond all')
  }
  const row = ctx.get(validators, account)
  const isPeerStill = row === undefined || !ctx.has(peers, row.peer) || !isBelowPeerFloor(ctx, row, rest)
  if (rest >= parameterUnits(parameterOf(ctx, MIN_SELF_BOND), pool) && rest > 0n && isPeerStill) return undefined
  return isValidatorFree(ctx, account)
    ? undefined
    : reject(
        'stake_too_small',
        'a validator must keep min_self_bond, and min_peer_bond while its node is a peer, until it is chilled and no longer votes',
      )
}

export const execute = {
  bondStake: {
    cost: { base: 300 },
    execute(ctx, { account: named, amount }) {
      const account = subjectOf(ctx, named)
      if (typeof account !== 'string') return account
      const asked = askedOf(ctx, amount)
      if ('code' in asked) return asked
      const { pool, units } = asked
      const { feature, key, definition } = stakeEscrow(account, pool)
      const failed = hold(ctx, { feature, key }, { definition, account }, amount) ?? changeTotal(ctx, pool, units)
      if (failed) return failed
      // An account with a stake stays registered.
      if (!ctx.has(stakes, account)) countUse(ctx, account, 'objects', 1)
      const before = stakeOf(ctx, account)
      setBonded(ctx, account, before, amountOf(heldUnits(before.bonded, pool) + units, pool))
      emitStake(ctx, account, 'bonded', amount)
      return undefined
    },
  },

  rebondStake: {
    cost: { base: 300 },
    execute(ctx, { amount }) {
      const account = ctx.authority
      const asked = askedOf(ctx, amount)
      if ('code' in asked) return asked
      const { pool, units } = asked
      const before = stakeOf(ctx, account)
      const { left, taken } = takeNewest(before.unbonding, units, pool)
      if (taken < units) {
        return reject(
          'not_enough',
          `${formatNumeric(amountOf(taken, pool))} is unbonding, the amount is ${formatNumeric(amount)}`,
        )
      }
      setBonded(ctx, account, { ...before, unbonding: left }, amountOf(heldUnits(before.bonded, pool) + units, pool))
      emitStake(ctx, account, 'rebonded', amount)
      return undefined
    },
  },

  unbondStake: {
    cost: { base: 300 },
    execute(ctx, { amount }) {
      const account = ctx.authority
      const asked = askedOf(ctx, amount)
      if ('code' in asked) return asked
      const { pool, units } = asked
      const before = stakeOf(ctx, account)
      const bonded = heldUnits(before.bonded, pool)
      if (units > bonded) {
        return reject('not_enough', `${formatNumeric(before.bonded)} is bonded, the amount is ${formatNumeric(amount)}`)
      }
      const rest = bonded - units
      const fault = restFault(ctx, account, before, rest, pool)
      if (fault) return fault
      const term = currentTerm(ctx)
      const last = before.unbonding.at(-1)
      const isSame = last?.term === term
      if (!isSame && before.unbonding.length >= CHUNKS_MAX) {
        return reject('stake_chunk_limit', `stake of ${CHUNKS_MAX} terms is already waiting to be withdrawn`)
      }
      const chunk = { amount: amountOf(units + (isSame ? heldUnits(last.amount, pool) : 0n), pool), term }
      const unbonding = [...(isSame ? before.unbonding.slice(0, -1) : before.unbonding), chunk]
      const isRemoved = before.role === 'validator' && rest < parameterUnits(parameterOf(ctx, MIN_SELF_BOND), pool)
      setBonded(ctx, account, { ...before, unbonding }, amountOf(rest, pool))
      if (before.role === 'nominator' && rest === 0n) stopNominating(ctx, account)
      if (isRemoved || (before.role === 'validator' && rest === 0n)) removeValidator(ctx, account)
      emitStake(ctx, account, 'unbonded', amount)
      return undefined
    },
  },

  withdrawStake: {
    cost: { base: 300 },
    execute(ctx) {
      const account = ctx.authority
      const pool = poolOf(ctx)
      if ('code' in pool) return pool
      const before = stakeOf(ctx, account)
      const isFree = ({ term }: Stake['unbonding'][number]): boolean => isTermOver(ctx, term, ctx.env.height)
      const units = before.unbonding.filter(isFree).reduce((sum, { amount }) => sum + heldUnits(amount, pool), 0n)
      const rest = { ...before, unbonding: before.unbonding.filter((one) => !isFree(one)) }
      const isEmpty = rest.role === 'idle' && rest.bonded.mantissa === 0n && rest.unbonding.length === 0
      // A fully slashed stake is withdrawn without value, so that its account can be removed.
      if (units === 0n && !(isEmpty && ctx.has(stakes, account)))
        return reject('not_enough', 'no unbonded stake can be withdrawn yet')
      if (isFrozen(ctx, account, before)) {
        return reject('stake_frozen', 'a validator that this stake backed has a pending slash')
      }
      const amount = amountOf(units, pool)
      const failed =
        units === 0n
          ? undefined
          : (release(ctx, stakeEscrow(account, pool), { payer: account, to: account, amount }) ??
            changeTotal(ctx, pool, -units))
      if (failed) return failed
      if (isEmpty) {
        ctx.delete(stakes, account)
        countUse(ctx, account, 'objects', -1)
      } else ctx.set(stakes, account, rest)
      emitStake(ctx, account, 'withdrawn', amount)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
