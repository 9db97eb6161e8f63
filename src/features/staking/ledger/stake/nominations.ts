/** Owns nominations: the validators backed by a stake. */
import { type ExecContext, reject } from '../../../../executor/contract.js'
import type { Executions } from '../../../../executor/feature.js'
import { parameterOf } from '../../../../executor/parameters.js'
import type { AccountId } from '../../../../model/index.js'
import { events } from '../../schema/events.js'
import type { instructions } from '../../schema/instructions.js'
import { MIN_NOMINATION_BOND } from '../../schema/parameters.js'
import { EXPOSED_MAX } from '../../schema/records.js'
import { listVoter, setListedTargets, unlistVoter } from '../validators/lists.js'
import { validators } from '../validators/tables.js'
import { stakeOf } from './bonds.js'
import { stillExposed, targetsOf, withExposed } from './exposed.js'
import { heldUnits, parameterUnits, poolOf, subjectOf } from './pool.js'
import { stakes } from './tables.js'

/** Remove the nominations of a nominator. */
export function stopNominating(ctx: ExecContext, account: AccountId): void {
  const before = stakeOf(ctx, account)
  const left = targetsOf(ctx, before)
  unlistVoter(ctx, account)
  const exposed = withExposed(ctx, before.exposed, left, ctx.env.height)
  ctx.set(stakes, account, { ...stakeOf(ctx, account), role: 'idle', exposed })
  ctx.emit(events.stakeNominated, { account, targets: [] })
}

export const execute = {
  nominateValidators: {
    cost: { base: 200, per: [{ teu: 60, item: 'target', count: ({ targets }) => targets.length }] },
    execute(ctx, { account: named, targets }) {
      const account = subjectOf(ctx, named)
      if (typeof account !== 'string') return account
      const pool = poolOf(ctx)
      if ('code' in pool) return pool
      const before = stakeOf(ctx, account)
      if (before.role === 'validator') return reject('stake_wrong_role', 'a validator cannot nominate')
      if (targets.length === 0) {
        if (before.role !== 'nominator') return reject('stake_wrong_role', 'the account has no nominations')
        stopNominating(ctx, account)
        return undefined
      }
      if (new Set(targets).size < targets.length) return reject('exists', 'a validator can be nominated only once')
      const unknown = targets.find((one) => !ctx.has(validators, one))
      if (unknown !== undefined) return reject('absent', 'a nominated account is not a validator')
      const least = parameterUnits(parameterOf(ctx, MIN_NOMINATION_BOND), pool)
      const bonded = heldUnits(before.bonded, pool)
      if (bonded < least || bonded === 0n)
        return reject('stake_too_small', 'a nominator must bond at least min_nomination_bond')
      const { height } = ctx.env
      const left = targetsOf(ctx, before).filter((one) => !targets.includes(one))
      const others = stillExposed(ctx, before.exposed, height).map(({ validator }) => validator)
      if (new Set([...others, ...left, ...targets]).size > EXPOSED_MAX) {
        return reject('stake_exposure_limit', `the stake is already exposed to slashes of ${EXPOSED_MAX} validators`)
      }
      const exposed = withExposed(ctx, before.exposed, left, height)
      ctx.set(stakes, account, { ...before, role: 'nominator', exposed })
      const nomination = { targets, nominatedHeight: height }
      if (before.slot !== undefined) setListedTargets(ctx, before.slot, nomination)
      else {
        const listed = listVoter(ctx, { account, bonded: before.bonded, ...nomination })
        if (listed === undefined) return reject('stake_too_small', 'the list of voters is full of larger stakes')
        if (listed.displaced !== undefined) removeTargets(ctx, listed.displaced)
      }
      ctx.emit(events.stakeNominated, { account, targets })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>

/** Remove the nominations of a displaced voter until it nominates again; its former exposure is recorded. */
function removeTargets(
  ctx: ExecContext,
  { account, targets }: { readonly account: AccountId; readonly targets: readonly AccountId[] },
): void {
  const row = stakeOf(ctx, account)
  const exposed = withExposed(ctx, row.exposed, targets, ctx.env.height)
  ctx.set(stakes, account, { ...row, role: 'idle', slot: undefined, exposed })
  ctx.emit(events.stakeNominated, { account, targets: [] })
}
