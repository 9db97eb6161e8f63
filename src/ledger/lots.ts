/**
 * Owns the movements of lots and parts of lots, into and out of vaults. Each writes lots, balances and owners together.
 * After every instruction the lots of a holder sum to its balance, and all lots of a class to its total.
 */
import { formatNumeric, type Numeric } from '../codec/index.js'
import { accounts } from '../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import {
  type AccountId,
  add,
  exceeds,
  formatLot,
  keylessKind,
  type LiveLot,
  type LotCause,
  type LotHold,
  type LotKey,
  lotEvents,
  parseLot,
  sameIncarnation,
  subtract,
} from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { earnedBy, holderOf, indexOf, ownerOf, whole, writeHolder } from './lot-income.js'
import { type RwaClass, rwaClasses, rwaLots } from './lot-tables.js'
import { amountFault, ZERO } from './money.js'
import { transferAs } from './moves.js'
import { type Definition, definitions } from './tables.js'

/** Number of the first lot of a class. */
export const FIRST_LOT = 1

/** Class of real-world assets with its definition. */
export interface FoundClass {
  readonly id: string
  readonly definition: Definition
  /** Fraction digits of quantities. */
  readonly scale: number
  readonly rwaClass: RwaClass
}

/** A live lot with its class. */
export interface FoundLot extends FoundClass {
  readonly key: LotKey
  readonly lot: LiveLot
}

/** Class of an id, or `absent`. */
export function findClass(state: StateReader, id: string): FoundClass | Rejection {
  const definition = state.get(definitions, id)
  const rwaClass = definition === undefined ? undefined : state.get(rwaClasses, id)
  if (definition === undefined || rwaClass === undefined) return reject('absent', `class ${id} does not exist`)
  if (definition.scale === undefined) throw new Error(`class ${id} has no scale`)
  return { id, definition, scale: definition.scale, rwaClass }
}

/** Remove a class without issued lots; a class with issued lots stays on record. */
export function removeClass(ctx: ExecContext, id: string): Rejection | undefined {
  const found = findClass(ctx, id)
  if ('code' in found) return found
  if (found.rwaClass.nextLot > FIRST_LOT)
    return reject('not_empty', `class ${id} has issued lots and cannot be removed`)
  ctx.delete(rwaClasses, id)
  return undefined
}

/** Live lot of an id with its class, or `absent`. */
export function findLot(state: StateReader, id: string): FoundLot | Rejection {
  const key = parseLot(id)
  const found = findClass(state, key.definition)
  if ('code' in found) return found
  const row = state.get(rwaLots, key)
  if (row === undefined) return reject('absent', `lot ${id} does not exist`)
  if (row.kind === 'spent') return reject('absent', `lot ${id} is spent`)
  return { ...found, key, lot: row.value }
}

/** Holds in force at a time. */
export const holdsAt = ({ holds }: LiveLot, timeMs: number): readonly LotHold[] =>
  holds.filter(({ untilMs }) => untilMs === undefined || timeMs < untilMs)

/** Quantity under hold at a time. */
export const heldAt = (lot: LiveLot, timeMs: number): Numeric =>
  holdsAt(lot, timeMs).reduce((sum, { quantity }) => add(sum, quantity) ?? sum, ZERO)

/** Fault of a paused class, or undefined. */
export const pausedFault = ({ id, rwaClass }: FoundClass): Rejection | undefined =>
  rwaClass.paused ? reject('class_paused', `class ${id} is paused`) : undefined

/** Fault of a frozen lot, or undefined. */
export const frozenFault = ({ key, lot }: FoundLot): Rejection | undefined =>
  lot.frozen ? reject('lot_frozen', `lot ${formatLot(key)} is frozen`) : undefined

/** Fault of a quantity to remove from a lot, or undefined; checks its form, then holds, then the quantity of the lot. */
export function quantityFault(
  ctx: ExecContext,
  { key, lot, scale }: FoundLot,
  quantity: Numeric,
): Rejection | undefined {
  const fault = amountFault(quantity, scale)
  if (fault !== undefined) return fault
  const held = heldAt(lot, ctx.env.timeMs)
  const free = subtract(lot.quantity, held) ?? ZERO
  if (held.mantissa > 0n && exceeds(quantity, free)) {
    return reject('lot_held', `lot ${formatLot(key)} has only ${formatNumeric(free)} that is not on hold`)
  }
  if (!exceeds(quantity, lot.quantity)) return undefined
  return reject('not_enough', `lot ${formatLot(key)} has only ${formatNumeric(lot.quantity)}`)
}

/** Fault of an account that is not eligible to own lots of a class, or undefined; vaults are always eligible. */
export function eligibilityFault(ctx: ExecContext, found: FoundClass, account: AccountId): Rejection | undefined {
  if (!found.rwaClass.flags.eligibleOnly || keylessKind(account) === 'vault') return undefined
  const { eligible } = holderOf(ctx, found.id, account)
  const isEligible =
    eligible !== undefined &&
    ctx.env.timeMs < eligible.untilMs &&
    sameIncarnation(eligible.class, found.definition.incarnation) &&
    sameIncarnation(eligible.account, ctx.get(accounts, account)?.incarnation)
  return isEligible ? undefined : reject('not_eligible', `the account is not eligible for ${found.id}`)
}

/** Fault of a new owner, or undefined. `leaves`: the previous owner has no lot afterwards. */
function limitFault(ctx: ExecContext, found: FoundClass, to: AccountId, leaves: boolean): Rejection | undefined {
  const { holders, holdersMax } = found.rwaClass
  if (holdersMax === undefined || holderOf(ctx, found.id, to).lots > 0) return undefined
  return holders + 1 - (leaves ? 1 : 0) > holdersMax
    ? reject('holder_limit', `class ${found.id} has at most ${holdersMax} holders`)
    : undefined
}

/** Fault of the receiver of an issued lot, or undefined. */
export const newHolderFault = (ctx: ExecContext, found: FoundClass, to: AccountId): Rejection | undefined =>
  eligibilityFault(ctx, found, to) ?? limitFault(ctx, found, to, false)

/** Add 1 or -1 to the lots of an account; returns the change of the number of holders of the class. */
function countLot(ctx: ExecContext, definition: string, account: AccountId, by: 1 | -1): -1 | 0 | 1 {
  const row = holderOf(ctx, definition, account)
  const lots = row.lots + by
  if (lots < 0) throw new Error(`the lot count of a holder of ${definition} is negative`)
  writeHolder(ctx, definition, account, { ...row, lots })
  if (by === 1) return lots === 1 ? 1 : 0
  return lots === 0 ? -1 : 0
}

/** Credit the income of a lot to its owner. Must run before each change of its owner or quantity. */
export function settleIncome(ctx: ExecContext, { id, scale, rwaClass, lot }: FoundLot): void {
  const earned = earnedBy(lot, rwaClass, scale)
  if (earned === 0n) return
  const owner = ownerOf(lot)
  const row = holderOf(ctx, id, owner)
  writeHolder(ctx, id, owner, { ...row, owed: whole(row.owed.mantissa + earned) })
}

/** Write a new live lot and count it for its owner; returns its key. */
export function addLot(ctx: ExecContext, found: FoundClass, lot: Omit<LiveLot, 'incomeIndex'>): LotKey {
  const { id } = found
  const now = ctx.get(rwaClasses, id)
  if (now === undefined) throw new Error(`class ${id} is missing`)
  const key = { definition: id, number: now.nextLot }
  ctx.set(rwaLots, key, { kind: 'live', value: { ...lot, incomeIndex: indexOf(now) } })
  const holders = now.holders + countLot(ctx, id, ownerOf(lot), 1)
  ctx.set(rwaClasses, id, { ...now, nextLot: now.nextLot + 1, holders })
  return key
}

/** Subtract a lot from the count of its owner. */
function dropLot(ctx: ExecContext, id: string, owner: AccountId): void {
  const change = countLot(ctx, id, owner, -1)
  const now = ctx.get(rwaClasses, id)
  if (now === undefined) throw new Error(`class ${id} is missing`)
  if (change !== 0) ctx.set(rwaClasses, id, { ...now, holders: now.holders + change })
}

/**
 * Write the remaining quantity of a lot. A lot without a remaining quantity becomes spent and no longer counts for its owner.
 * The caller settles the income of the lot before the first change.
 */
export function reduceLot(ctx: ExecContext, found: FoundLot, rest: Numeric, cause: LotCause): void {
  const { id, key, lot, rwaClass } = found
  if (rest.mantissa > 0n) {
    const holds = holdsAt(lot, ctx.env.timeMs)
    ctx.set(rwaLots, key, {
      kind: 'live',
      value: { ...lot, quantity: rest, holds, incomeIndex: indexOf(rwaClass) },
    })
    return
  }
  const { parents, reference } = lot
  ctx.set(rwaLots, key, { kind: 'spent', value: { parents, reference, height: ctx.env.height, cause } })
  dropLot(ctx, id, ownerOf(lot))
}

/** Child lot of another holder, with the papers of its parent. */
export function childOf(
  { key, lot }: FoundLot,
  quantity: Numeric,
  to: Pick<LiveLot, 'holder' | 'beneficiary'>,
): Omit<LiveLot, 'incomeIndex'> {
  const { grade, reference, documentHash, expiresMs, attributes } = lot
  const parents = [{ number: key.number, quantity }]
  return {
    grade,
    reference,
    documentHash,
    expiresMs,
    attributes,
    holder: to.holder,
    beneficiary: to.beneficiary,
    quantity,
    frozen: false,
    parents,
    holds: [],
    nextHold: 1,
  }
}

/** Movement of a lot, or of a part of it, to an account. */
export interface LotMove {
  readonly to: AccountId
  /** Absent: the whole lot. */
  readonly quantity?: Numeric | undefined
}

/** Rule of a movement of a lot. */
export interface LotRule {
  /** Forced by the issuer: moves the whole lot and skips freezes, holds, controls and the gate. */
  readonly isForced?: boolean
  /** Movement by the feature that owns the vault. */
  readonly isVaultOpen?: boolean
  /** Reason of the issuer. */
  readonly reason?: string
}

/**
 * Execute a movement of a lot with all checks except permission, in the order of docs/concepts/rwas.md. Returns the lot of the
 * receiver: the same lot, or a child for a part. A vault holds a lot for its owner; a return to the owner skips the checks of
 * eligibility and of the number of holders.
 */
export function moveLot(ctx: ExecContext, found: FoundLot, move: LotMove, rule: LotRule = {}): string | Rejection {
  const { id, key, definition, lot } = found
  const { isForced = false, isVaultOpen = false, reason } = rule
  const { to } = move
  const quantity = move.quantity ?? lot.quantity
  const owner = ownerOf(lot)
  const next = keylessKind(to) === 'vault' ? owner : to
  const isWhole = !exceeds(lot.quantity, quantity)
  const source = { definition: id, account: lot.holder }
  const failed =
    pausedFault(found) ??
    (isForced ? undefined : (frozenFault(found) ?? quantityFault(ctx, found, quantity))) ??
    (next === owner
      ? undefined
      : (eligibilityFault(ctx, found, to) ??
        limitFault(ctx, found, to, isWhole && holderOf(ctx, id, owner).lots === 1))) ??
    transferAs(ctx, definition, { asset: source, to, amount: quantity }, { isForced, isVaultOpen, isLots: true })
  if (failed !== undefined) return failed
  settleIncome(ctx, found)
  const place = { holder: to, beneficiary: next === to ? undefined : next }
  const names = { from: lot.holder, to, quantity }
  if (isWhole) {
    const holds = isForced ? lot.holds : []
    ctx.set(rwaLots, key, { kind: 'live', value: { ...lot, ...place, holds, incomeIndex: indexOf(found.rwaClass) } })
    if (next !== owner) {
      const change = countLot(ctx, id, next, 1) + countLot(ctx, id, owner, -1)
      if (change !== 0) ctx.set(rwaClasses, id, { ...found.rwaClass, holders: found.rwaClass.holders + change })
    }
    ctx.emit(lotEvents.rwaTransferred, { lot: formatLot(key), ...names, reason })
    return formatLot(key)
  }
  const rest = subtract(lot.quantity, quantity) ?? ZERO
  reduceLot(ctx, found, rest, 'split')
  const child = formatLot(addLot(ctx, found, childOf(found, quantity, place)))
  ctx.emit(lotEvents.rwaSplit, { lot: child, parent: formatLot(key), ...names, rest })
  return child
}

/** Fault of a list that contains a lot twice, or undefined. */
export const repeatedFault = (lots: readonly string[]): Rejection | undefined =>
  new Set(lots).size < lots.length ? reject('lot_mismatch', 'a lot is named twice') : undefined
