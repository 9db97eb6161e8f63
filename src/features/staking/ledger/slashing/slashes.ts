/**
 * Owns slashing: a proven fault waits for its appeal window, then reduces the stake behind it, a few accounts per
 * block.
 */

import { varint } from '../../../../codec/index.js'
import type { FaultKind } from '../../../../consensus/index.js'
import { BASE_BPS, partOf, slashBps } from '../../../../consensus/npos/index.js'
import { type ExecContext, type Rejection, reject } from '../../../../executor/contract.js'
import { scheduleRun } from '../../../../executor/due-runs/index.js'
import type { FaultSink } from '../../../../executor/election.js'
import type { Executions, Scheduled } from '../../../../executor/feature.js'
import { parameterOf } from '../../../../executor/parameters.js'
import type { Permission } from '../../../../executor/permission.js'
import { newGlobal } from '../../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../../ledger/permissions.js'
import { type AccountId, type DataEvent, event } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import { events as stakingEvents } from '../../schema/events.js'
import type { instructions } from '../../schema/instructions.js'
import { MAX_SLASH_BPS, SLASH_TO, SLASHING_DELAY_BLOCKS, SLASHING_DELAY_MS } from '../../schema/parameters.js'
import { PAGE_ENTRIES, type Slash } from '../../schema/records.js'
import { exposurePages, exposures } from '../elections/tables.js'
import { calendarOf } from '../epochs/calendar.js'
import { epochs, type Term, terms } from '../epochs/tables.js'
import { jail } from '../epochs/uptime.js'
import { setBonded, stakeOf, takeNewest } from '../stake/bonds.js'
import { amountOf, burn, changeTotal, heldUnits, knownPool, stakeEscrow, takeUnits, toPot } from '../stake/pool.js'
import { NO_AMOUNT, type Pool, pools } from '../stake/tables.js'
import { ONLY } from '../table.js'
import { validators } from '../validators/tables.js'
import { openSlashes, slashes, takenShares } from './tables.js'

export const STAKING_PERMISSIONS = {
  CanCancelSlash: newGlobal('CanCancelSlash'),
} as const satisfies Record<string, Permission>

const SLASH_RUN = 'staking_slash'
/** Delay before a due slash is checked again if the chain has not reached its height, in ms. */
const RETRY_MS = 60_000
/**
 * Maximum nominators per run. Each may cost a rewritten page of voters with eight targets each, 860 units, and 340 for
 * the triggers that watch it.
 */
const NOMINATORS_PER_RUN = 8
const SLASH_TEU = 2_000
const SLASH_MAX_TEU = 24_000
/** Minimum number of epochs from which a faulty validator is excluded, in addition to the current epoch. */
const FAULT_EPOCHS = 2

const changedEvent = (row: Slash, reason?: string): DataEvent => {
  const { id, validator, term, kind, status, bps, taken } = row
  return event(stakingEvents.stakingSlashChanged, { id, validator, term, kind, status, bps, taken, reason })
}

function changeTerm(state: StateWriter, term: number, change: (row: Term) => Term): void {
  const row = state.get(terms, term)
  if (row !== undefined) state.set(terms, term, change(row))
}
/** Add a fault of a validator to a term, or remove one. */
const withFault = (row: Term, validator: AccountId, by: 1 | -1): Term => {
  const before = row.offenders.find((one) => one.validator === validator)?.faults ?? 0
  const others = row.offenders.filter((one) => one.validator !== validator)
  const faults = before + by
  return { ...row, offenders: faults > 0 ? [...others, { validator, faults }] : others }
}
function countOpen(state: StateWriter, { validator, term }: Pick<Slash, 'validator' | 'term'>, by: 1 | -1): void {
  const count = (state.get(openSlashes, validator) ?? 0) + by
  if (count > 0) state.set(openSlashes, validator, count)
  else state.delete(openSlashes, validator)
  changeTerm(state, term, (row) => ({ ...row, openSlashes: row.openSlashes + by }))
}

/**
 * Handle a fault of an elected member: the member is excluded, and a slash is opened. A fault of any other peer is only
 * recorded by the chain.
 */
export const faultSink: FaultSink = (state, fault) => {
  const record = state.get(epochs, fault.epoch)
  const seat = record?.seats.find(({ key }) => key === fault.offender)
  const pool = knownPool(state)
  const base = BASE_BPS[fault.kind as FaultKind] ?? 0
  if (record === undefined || seat === undefined || pool === undefined || base === 0) return
  const { validator } = seat
  const { term } = record
  const row: Slash = {
    id: pool.nextSlash,
    validator,
    term,
    kind: fault.kind,
    height: fault.height,
    view: fault.view,
    evidenceHash: fault.evidenceHash,
    dueHeight: fault.recordedHeight + parameterOf(state, SLASHING_DELAY_BLOCKS),
    dueMs: fault.recordedMs + parameterOf(state, SLASHING_DELAY_MS),
    status: { kind: 'open', value: undefined },
    bps: 0,
    taken: NO_AMOUNT,
  }
  state.set(slashes, row.id, row)
  state.set(pools, ONLY, { ...pool, nextSlash: row.id + 1 })
  changeTerm(state, term, (one) => withFault(one, validator, 1))
  countOpen(state, row, 1)
  const registered = state.get(validators, validator)
  if (registered !== undefined) {
    const untilEpoch = (calendarOf(state)?.epoch ?? 0) + FAULT_EPOCHS
    jail(state, validator, registered, { reason: 'fault', since: fault.recordedHeight, untilEpoch })
  }
  scheduleRun(state, slashRun, row.id, { owner: undefined, dueMs: row.dueMs })
}

/** Events of slashes that blocks opened since the last call. */
export function openedEvents(
  state: StateReader,
  from: number,
): { readonly next: number; readonly events: DataEvent[] } {
  const next = knownPool(state)?.nextSlash ?? from
  const events: DataEvent[] = []
  for (let id = from; id < next; id += 1) {
    const row = state.get(slashes, id)
    if (row !== undefined) events.push(changedEvent(row))
  }
  return { next, events }
}

/**
 * Remove units from a stake, first from the bonded part, then from the newest unbonding part. Returns the removed
 * amount.
 */
function takeStake(ctx: ExecContext, pool: Pool, account: AccountId, units: bigint): bigint {
  const before = stakeOf(ctx, account)
  const bonded = heldUnits(before.bonded, pool)
  const fromBond = units < bonded ? units : bonded
  const { left, taken } = takeNewest(before.unbonding, units - fromBond, pool)
  const sum = fromBond + taken
  if (sum === 0n) return 0n
  setBonded(ctx, account, { ...before, unbonding: left }, amountOf(bonded - fromBond, pool))
  takeUnits(ctx, stakeEscrow(account, pool), sum, pool)
  return sum
}

function slashStake(ctx: ExecContext, pool: Pool, { id, validator, bps }: Slash, account: AccountId, amount: bigint) {
  const taken = takeStake(ctx, pool, account, partOf(amount, bps))
  if (taken === 0n) return 0n
  if (changeTotal(ctx, pool, -taken) !== undefined) throw new Error('a total would become negative')
  if (parameterOf(ctx, SLASH_TO) === 'pot') toPot(ctx, pool, taken)
  else burn(ctx, pool, taken)
  ctx.emit(stakingEvents.stakeSlashed, { account, validator, slash: id, amount: amountOf(taken, pool) })
  return taken
}

/** Share of a slash, determined when it begins. The highest share for the validator and term counts, not the sum. */
function beginSlash(ctx: ExecContext, row: Slash): Slash {
  const { validator, term } = row
  const { members = 1, offenders = [] } = ctx.get(terms, term) ?? {}
  const base = BASE_BPS[row.kind as FaultKind] ?? 0
  const whole = slashBps(base, Math.max(1, offenders.length), Math.max(1, members), parameterOf(ctx, MAX_SLASH_BPS))
  const before = ctx.get(takenShares, { term, validator }) ?? 0
  if (whole > before) ctx.set(takenShares, { term, validator }, whole)
  return { ...row, bps: Math.max(0, whole - before) }
}

function runSlash(ctx: ExecContext, id: number): Rejection | undefined {
  const found = ctx.get(slashes, id)
  const pool = knownPool(ctx)
  if (found === undefined || pool === undefined) return undefined
  if (found.status.kind === 'cancelled' || found.status.kind === 'executed') return undefined
  const { height, timeMs } = ctx.env
  if (found.status.kind === 'open' && height < found.dueHeight) {
    scheduleRun(ctx, slashRun, id, { owner: undefined, dueMs: timeMs + RETRY_MS })
    return undefined
  }
  const done = found.status.kind === 'executing' ? found.status.value : 0
  const row = found.status.kind === 'executing' ? found : beginSlash(ctx, found)
  const { term, validator } = row
  const exposed = ctx.get(exposures, { term, validator })
  let taken = 0n
  if (found.status.kind === 'open')
    taken += slashStake(ctx, pool, row, validator, heldUnits(exposed?.own ?? NO_AMOUNT, pool))
  const page = Math.floor(done / PAGE_ENTRIES)
  const entries = ctx.get(exposurePages, { term, validator, page }) ?? []
  const from = done % PAGE_ENTRIES
  const some = entries.slice(from, from + NOMINATORS_PER_RUN)
  for (const { nominator, amount } of some) taken += slashStake(ctx, pool, row, nominator, heldUnits(amount, pool))
  const isDone = from + some.length >= entries.length && page + 1 >= (exposed?.pages ?? 0)
  const next: Slash = {
    ...row,
    taken: amountOf(heldUnits(row.taken, pool) + taken, pool),
    status: isDone ? { kind: 'executed', value: undefined } : { kind: 'executing', value: done + some.length },
  }
  ctx.set(slashes, id, next)
  // The next block continues: a run executes once per block.
  if (!isDone) scheduleRun(ctx, slashRun, id, { owner: undefined, dueMs: timeMs + 1 })
  else countOpen(ctx, row, -1)
  ctx.record(changedEvent(next))
  return undefined
}

/** Due run of a slash. */
export const slashRun: Scheduled<number> = {
  kind: SLASH_RUN,
  key: varint,
  paidBy: 'chain',
  teu: SLASH_TEU,
  maxTeu: SLASH_MAX_TEU,
  run: runSlash,
}

export const execute = {
  cancelSlash: {
    cost: { base: 300 },
    execute(ctx, { id, reason }) {
      const denied = requirePermission(ctx, 'cancelling a slash', undefined, [
        STAKING_PERMISSIONS.CanCancelSlash,
        undefined,
      ])
      if (denied) return denied
      const row = ctx.get(slashes, id)
      if (row === undefined) return reject('absent', `slash ${id} does not exist`)
      // A slash that began and does not finish would block all later ones permanently.
      if (row.status.kind !== 'open' && row.status.kind !== 'executing')
        return reject('stake_bad_window', 'only a pending slash can be cancelled')
      const next: Slash = { ...row, status: { kind: 'cancelled', value: undefined } }
      ctx.set(slashes, id, next)
      countOpen(ctx, row, -1)
      changeTerm(ctx, row.term, (term) => withFault(term, row.validator, -1))
      ctx.record(changedEvent(next, reason))
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
