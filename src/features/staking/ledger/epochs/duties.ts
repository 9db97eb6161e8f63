/**
 * Owns the duty transactions of a validator node: commitments, reveals, and proofs of being in sync. Each is sent once
 * per epoch, without a fee.
 */

import { commitmentOf, STEPS } from '../../../../consensus/npos/index.js'
import { type ExecContext, type Rejection, reject } from '../../../../executor/contract.js'
import type { ValidatorDuties } from '../../../../executor/election.js'
import type { Executions } from '../../../../executor/feature.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { MEMBERSHIP_SEEN_WINDOW } from '../../../../executor/system-parameters.js'
import { chainInfo, SINGLETON_KEY } from '../../../../executor/tables.js'
import { type AccountId, chainHashOf } from '../../../../model/index.js'
import type { StateReader } from '../../../../state/index.js'
import type { instructions } from '../../schema/instructions.js'
import { operators, validators } from '../validators/tables.js'
import { calendarOf, isPreparingSwitch, placeAt, seatsOf } from './calendar.js'
import { type Calendar, HEADERS_KEPT, headers, type Randomness, randomness } from './tables.js'

const NO_RANDOMNESS: Randomness = { commits: [], reveals: [] }
export const randomnessOf = (state: StateReader, epoch: number): Randomness =>
  state.get(randomness, epoch) ?? NO_RANDOMNESS

export type Duty = 'commitRandomness' | 'revealRandomness' | 'attestReady'
const ALL: readonly Duty[] = ['commitRandomness', 'revealRandomness', 'attestReady']
const DUTIES: readonly string[] = ALL

const badWindow = (message: string): Rejection => reject('stake_bad_window', message)

/** Height from which a node has to prove again that it is in sync, well before its earlier proof expires. */
const renewedFrom = (state: StateReader, { isElected, start }: Calendar, height: number): number =>
  isElected ? start : height - Math.floor(parameterOf(state, MEMBERSHIP_SEEN_WINDOW) / 2)

/** Validator of a node account that has this duty at this height; otherwise the reason why it has not. */
function owedBy(
  state: StateReader,
  operator: AccountId,
  duty: string,
  height: number,
): { readonly validator: AccountId; readonly epoch: number } | Rejection {
  const validator = state.get(operators, operator)
  const calendar = calendarOf(state)
  if (validator === undefined) return reject('stake_wrong_role', 'the account is not a validator node')
  const q = placeAt(calendar, height)
  if (calendar === undefined || (q === undefined && duty !== 'attestReady')) return badWindow('no epoch is running')
  const { epoch, windows } = calendar
  const isCommit = q !== undefined && STEPS.isCommit(q, windows)
  if (duty === 'attestReady') {
    if (!isCommit && !isPreparingSwitch(state)) return badWindow('the epoch is not in its commitment phase')
    const ready = state.get(validators, validator)?.readyHeight
    return ready !== undefined && ready >= renewedFrom(state, calendar, height)
      ? badWindow('the validator already reported in this epoch, or recently if no election is held')
      : { validator, epoch }
  }
  if (!seatsOf(state, calendar).some((seat) => seat.validator === validator)) {
    return reject('stake_wrong_role', 'the validator has no seat in this epoch')
  }
  const { commits, reveals } = randomnessOf(state, epoch)
  const hasCommitted = commits.some((one) => one.validator === validator)
  if (duty === 'commitRandomness') {
    if (!isCommit) return badWindow('the epoch is not in its commitment phase')
    return hasCommitted ? badWindow('the validator has already committed in this epoch') : { validator, epoch }
  }
  const { snapshot } = calendar
  if (q === undefined || !STEPS.isReveal(q, windows) || snapshot?.isDecided !== true) {
    return badWindow('the epoch is not in its reveal phase')
  }
  if (!hasCommitted) return badWindow('the validator has not committed')
  return reveals.some((one) => one.validator === validator)
    ? badWindow('the validator has already revealed in this epoch')
    : { validator, epoch }
}

/** Duties of a validator node at a height. */
export const dutiesAt = (state: StateReader, operator: AccountId, height: number): Duty[] =>
  ALL.filter((duty) => !('code' in owedBy(state, operator, duty, height)))

/** Cost of a duty, which counts towards its block like any other transaction. */
const DUTY_COST = { base: 150 }

/** Hash that binds records to this chain. */
export function chainHashIn(state: StateReader): Buffer {
  const info = state.get(chainInfo, SINGLETON_KEY)
  if (info === undefined) throw new Error('the state has no genesis')
  return chainHashOf(info.chain, info.genesisSeed)
}

function owedHere(ctx: ExecContext, duty: Duty, epoch: number | undefined) {
  const owed = owedBy(ctx, ctx.authority, duty, ctx.env.height)
  if ('code' in owed) return owed
  return epoch === undefined || epoch === owed.epoch ? owed : badWindow(`the current epoch is ${owed.epoch}`)
}

export const execute = {
  attestReady: {
    cost: DUTY_COST,
    execute(ctx, { height, stateRoot }) {
      const owed = owedHere(ctx, 'attestReady', undefined)
      if ('code' in owed) return owed
      const header = ctx.get(headers, height % HEADERS_KEPT)
      if (header?.height !== height || Buffer.compare(header.stateRoot, stateRoot) !== 0) {
        return badWindow('the root does not belong to any of the last 64 headers')
      }
      const row = ctx.get(validators, owed.validator)
      if (row === undefined) return reject('stake_wrong_role', 'the account is not a validator node')
      ctx.set(validators, owed.validator, { ...row, readyHeight: ctx.env.height })
      return undefined
    },
  },

  commitRandomness: {
    cost: DUTY_COST,
    execute(ctx, { epoch, commitment }) {
      const owed = owedHere(ctx, 'commitRandomness', epoch)
      if ('code' in owed) return owed
      const before = randomnessOf(ctx, epoch)
      const commits = [...before.commits, { validator: owed.validator, commitment }]
      ctx.set(randomness, epoch, { ...before, commits })
      return undefined
    },
  },

  revealRandomness: {
    cost: DUTY_COST,
    execute(ctx, { epoch, reveal }) {
      const owed = owedHere(ctx, 'revealRandomness', epoch)
      if ('code' in owed) return owed
      const { validator } = owed
      const before = randomnessOf(ctx, epoch)
      const commit = before.commits.find((one) => one.validator === validator)
      const place = { chainHash: chainHashIn(ctx), epoch, validator }
      if (commit === undefined || Buffer.compare(commitmentOf(place, reveal), commit.commitment) !== 0) {
        return badWindow('the value does not match the commitment')
      }
      ctx.set(randomness, epoch, { ...before, reveals: [...before.reveals, { validator, reveal }] })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>

/** Fee exemption of duties, once for each; other instructions in the same transaction are charged as usual. */
export const validatorDuties: ValidatorDuties = {
  dutyOf({ executable: { value } }) {
    const [only, ...others] = value
    return only !== undefined && others.length === 0 && DUTIES.includes(only.kind) ? only.kind : undefined
  },
  isOwed: (state, authority, duty, height) => !('code' in owedBy(state, authority, duty, height)),
}
