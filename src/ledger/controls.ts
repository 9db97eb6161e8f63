/** Owns the transfer controls of every movement of value (docs/design/lanes.md 4): frozen, blacklisted, capped. */

import type { Numeric } from '../codec/index.js'
import { type ExecContext, type GateMove, type Rejection, reject } from '../executor/contract.js'
import type * as schema from '../model/index.js'
import { type AccountId, type AssetId, add, exceeds, keylessKind, sameIncarnation, subtract } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { ZERO } from './money.js'
import { monthOf } from './months.js'
import { type Control, controls, definitions } from './tables.js'

const DAY_MS = 86_400_000

/** Control of a balance without settings. */
export const FREE: Omit<Control, 'incarnation'> = { frozen: false, blacklisted: false, limits: [], usage: [] }

/**
 * Control of a balance; undefined if nothing is frozen, blacklisted or capped. A control of an earlier definition with
 * the id is ignored.
 */
export function controlOf(state: StateReader, asset: AssetId): Control | undefined {
  const row = state.get(controls, asset)
  if (row === undefined) return undefined
  const now = state.get(definitions, asset.definition)?.incarnation
  return sameIncarnation(row.incarnation, now) ? row : undefined
}

/** Number of the window of a header time; weeks start on Monday. */
export function bucketOf(window: schema.Window, timeMs: number): number {
  const day = Math.floor(timeMs / DAY_MS)
  if (window === 'day') return day
  return window === 'week' ? Math.floor((day + 3) / 7) : monthOf(day)
}

/**
 * Rejection of a movement by controls, or undefined. Frozen stops outgoing value, blacklisted stops both directions,
 * caps limit the outgoing value within their window.
 */
export function controlFault(
  state: StateReader,
  from: AssetId,
  to: string,
  amount: Numeric,
  timeMs: number,
): Rejection | undefined {
  return movementFault(state, { control: controlOf(state, from), definition: from.definition }, to, amount, timeMs)
}

/** Rejection of a movement, given the payer's control. */
function movementFault(
  state: StateReader,
  payer: { readonly control: Control | undefined; readonly definition: string },
  to: string,
  amount: Numeric,
  timeMs: number,
): Rejection | undefined {
  const { control, definition } = payer
  return holdFault(control) ?? receiverFault(state, definition, to) ?? capFault(control, amount, timeMs)
}

/** Rejection by the payer's controls, independent of the receiver, or undefined. */
export function payerFault(state: StateReader, from: AssetId, amount: Numeric, timeMs: number): Rejection | undefined {
  const source = controlOf(state, from)
  return holdFault(source) ?? capFault(source, amount, timeMs)
}

/** Rejection by the receiver's controls, independent of the payer, or undefined. */
export function receiverFault(state: StateReader, definition: string, to: string): Rejection | undefined {
  return controlOf(state, { definition, account: to })?.blacklisted === true
    ? reject('asset_blacklisted', 'the receiver is blacklisted for this asset')
    : undefined
}

function holdFault(source: Control | undefined): Rejection | undefined {
  if (source?.frozen === true) return reject('asset_frozen', 'the balance of the payer is frozen')
  return source?.blacklisted === true
    ? reject('asset_blacklisted', 'the payer is blacklisted for this asset')
    : undefined
}

function capFault(source: Control | undefined, amount: Numeric, timeMs: number): Rejection | undefined {
  for (const { window, cap } of source?.limits ?? []) {
    const sum = add(spentIn(source ?? FREE, window, timeMs), amount)
    if (sum === undefined || exceeds(sum, cap)) {
      return reject('transfer_limit', `the transfer exceeds the cap of the ${window}`)
    }
  }
  return undefined
}

function spentIn(control: Pick<Control, 'usage'>, window: schema.Window, timeMs: number) {
  const used = control.usage.find((one) => one.window === window)
  return used !== undefined && used.bucket === bucketOf(window, timeMs) ? used.spent : ZERO
}

/** Outgoing value in the current window of each cap, and the remaining amount. */
export function capsOf(state: StateReader, asset: AssetId, timeMs: number) {
  const control = controlOf(state, asset)
  return (control?.limits ?? []).map(({ window, cap }) => {
    const spent = spentIn(control ?? FREE, window, timeMs)
    return { window, spent, left: subtract(cap, spent) ?? ZERO }
  })
}

/** Check the controls and the gate, and count the amount; a rejection, or undefined with the usage written. */
export function applyControls(ctx: ExecContext, from: AssetId, to: string, amount: Numeric): Rejection | undefined {
  const control = controlOf(ctx, from)
  return (
    movementFault(ctx, { control, definition: from.definition }, to, amount, ctx.env.timeMs) ??
    counted(ctx, from, to, control, amount)
  )
}

/** Check the payer's controls and the gate, and count the amount, for value that moves into an escrow. */
export function applyPayerControls(ctx: ExecContext, from: AssetId, amount: Numeric): Rejection | undefined {
  const control = controlOf(ctx, from)
  return (
    holdFault(control) ?? capFault(control, amount, ctx.env.timeMs) ?? counted(ctx, from, undefined, control, amount)
  )
}

/**
 * Rejection of a movement by the gate, which records its amount under the label of the running instruction. A vault
 * passes: its value moves only by the agreement whose party passed the gate when it paid into the vault.
 */
export function gateFault(ctx: ExecContext, move: Omit<GateMove, 'label'>): Rejection | undefined {
  const { gate } = ctx.env
  if (gate === undefined || keylessKind(move.source) === 'vault') return undefined
  return gate.movement(ctx, { ...move, label: ctx.instructions[ctx.position]?.def.label })
}

/** Check the gate, then count the amount; rejected if it exceeds a cap. */
function counted(
  ctx: ExecContext,
  from: AssetId,
  to: AccountId | undefined,
  control: Control | undefined,
  amount: Numeric,
): Rejection | undefined {
  const fault = gateFault(ctx, { source: from.account, to, definition: from.definition, amount })
  if (fault !== undefined || control === undefined || control.limits.length === 0) return fault
  const { timeMs } = ctx.env
  const usage = control.limits.map(({ window }) => {
    const spent = add(spentIn(control, window, timeMs), amount)
    if (spent === undefined) throw new Error('a sum below its cap has no canonical form')
    return { window, bucket: bucketOf(window, timeMs), spent }
  })
  ctx.set(controls, from, { ...control, usage })
  return undefined
}
