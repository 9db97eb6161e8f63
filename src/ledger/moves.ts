/**
 * Owns the movements of value: their checks, in one order (docs/design/structure.md 3). The caller has checked
 * permission. For each definition, after every block: its total = the sum of balances + its fee pot + the sum of its
 * escrows.
 */

import type { Numeric } from '../codec/index.js'
import { accounts } from '../executor/accounts.js'
import { unknownAccount } from '../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import {
  type AccountId,
  type AssetId,
  add,
  assetEvents,
  isSupply,
  keylessKind,
  type StoredMintable,
  subtract,
} from '../model/index.js'
import { receiverAdmission } from './admission.js'
import { applyControls, applyPayerControls, gateFault, receiverFault } from './controls.js'
import { addToEscrow, type EscrowKey, takeFromEscrow } from './escrows.js'
import { amountFault, credit, debit, move, ZERO } from './money.js'
import { type Definition, definitions } from './tables.js'

/** Movement of value from a balance to an account. */
export interface Movement {
  readonly asset: AssetId
  readonly to: AccountId
  readonly amount: Numeric
}

/** Definition of a balance, or the rejection. */
export function definitionOf(ctx: ExecContext, { definition }: Pick<AssetId, 'definition'>): Definition | Rejection {
  return ctx.get(definitions, definition) ?? reject('absent', `asset definition ${definition} does not exist`)
}

/** Definition of a balance with a registered holder, or the rejection. */
export function heldDefinition(ctx: ExecContext, asset: AssetId): Definition | Rejection {
  const found = definitionOf(ctx, asset)
  if ('code' in found) return found
  return ctx.has(accounts, asset.account) ? found : unknownAccount(ctx, asset.account)
}

/** Fault of a vault, whose value moves only by the rule of the feature that owns it; undefined for other accounts. */
const vaultFault = (...ids: readonly AccountId[]): Rejection | undefined =>
  ids.some((id) => keylessKind(id) === 'vault')
    ? reject('vault_closed', 'value can only be moved in or out of a vault by its agreement')
    : undefined

/** Rule of a movement. */
export interface MovementRule {
  /** Movement under the licence of the definition's owner; exempt from freezes, caps and the gate. */
  readonly isForced?: boolean
  /** Movement by the feature that owns the vault. */
  readonly isVaultOpen?: boolean
  /** Movement together with its lots (lots.ts), as required for a class of real-world assets. */
  readonly isLots?: boolean
}

/** Fault of a movement of a class of real-world assets without its lots, or undefined. */
const lotsFault = ({ mintable }: Definition, isLots: boolean): Rejection | undefined =>
  mintable.kind === 'lots' && !isLots
    ? reject('lots_only', 'the definition is a class of real-world assets, whose value can only be moved in lots')
    : undefined

/** Execute a movement that the payer or a permission authorises: all checks except permission. */
export function transferAs(
  ctx: ExecContext,
  definition: Definition,
  { asset, to, amount }: Movement,
  { isForced = false, isVaultOpen = false, isLots = false }: MovementRule = {},
): Rejection | undefined {
  if (to === asset.account) return reject('self_transfer', 'source and destination are the same account')
  const failed =
    lotsFault(definition, isLots) ??
    amountFault(amount, definition.scale) ??
    (isVaultOpen ? undefined : vaultFault(asset.account, to)) ??
    receiverAdmission(ctx, { definition: asset.definition, account: to }, amount) ??
    (isForced ? undefined : applyControls(ctx, asset, to, amount)) ??
    move(ctx, asset, to, amount)
  if (failed) return failed
  ctx.emit(assetEvents.transferred, { asset, to, amount })
  return undefined
}

/** Pay an amount that the payer agreed to in a ledger record, whatever the authority of the transaction. */
export function payAgreed(ctx: ExecContext, movement: Movement, rule: MovementRule = {}): Rejection | undefined {
  const found = heldDefinition(ctx, movement.asset)
  return 'code' in found ? found : transferAs(ctx, found, movement, rule)
}

/** Move value from a balance into an escrow: all checks of the payer apply; the escrow itself cannot be frozen. */
export function hold(
  ctx: ExecContext,
  escrow: Omit<EscrowKey, 'definition'>,
  asset: AssetId,
  amount: Numeric,
): Rejection | undefined {
  const found = heldDefinition(ctx, asset)
  if ('code' in found) return found
  const failed =
    lotsFault(found, false) ??
    amountFault(amount, found.scale) ??
    vaultFault(asset.account) ??
    applyPayerControls(ctx, asset, amount) ??
    debit(ctx, asset, amount)
  if (failed) return failed
  const { feature, key } = escrow
  addToEscrow(ctx, { feature, key, definition: asset.definition }, amount)
  ctx.emit(assetEvents.held, { feature, key, asset, amount })
  return undefined
}

/**
 * Pay value of an escrow to an account. A return to the original payer (`payer`) is checked against the blacklist only;
 * if refused, the value stays in the escrow. Other receivers pass all receiver checks, and the payer the gate; caps and
 * the gate counted the value when it was held.
 */
export function release(
  ctx: ExecContext,
  escrow: EscrowKey,
  { payer, to, amount }: { readonly payer: AccountId; readonly to: AccountId; readonly amount: Numeric },
): Rejection | undefined {
  const { feature, key, definition } = escrow
  const asset = { definition, account: to }
  const found = definitionOf(ctx, asset)
  if ('code' in found) return found
  const failed =
    amountFault(amount, found.scale) ??
    (to === payer
      ? ctx.has(accounts, to)
        ? undefined
        : unknownAccount(ctx, to)
      : (vaultFault(to) ??
        receiverAdmission(ctx, asset, amount) ??
        gateFault(ctx, { source: payer, to, definition, amount: ZERO }))) ??
    receiverFault(ctx, definition, to) ??
    takeFromEscrow(ctx, escrow, amount) ??
    credit(ctx, asset, amount)
  if (failed) return failed
  ctx.emit(assetEvents.released, { feature, key, asset, amount })
  return undefined
}

/** Mintability after a successful mint. */
function afterMint(before: StoredMintable): StoredMintable | undefined {
  switch (before.kind) {
    case 'infinitely':
    case 'lots':
      return before
    case 'once':
      return { kind: 'not', value: undefined }
    case 'limited':
      return before.value <= 1 ? { kind: 'not', value: undefined } : { kind: 'limited', value: before.value - 1 }
    case 'not':
      return undefined
  }
}

/** Mint value into a balance; permission was checked before. */
export function mintAs(
  ctx: ExecContext,
  found: Definition,
  asset: AssetId,
  amount: Numeric,
  { isLots = false }: Pick<MovementRule, 'isLots'> = {},
): Rejection | undefined {
  const fault = lotsFault(found, isLots) ?? amountFault(amount, found.scale) ?? vaultFault(asset.account)
  if (fault) return fault
  const left = afterMint(found.mintable)
  if (left === undefined) return reject('unmintable', `${asset.definition} can no longer be minted`)
  const total = add(found.total, amount)
  if (total === undefined || !isSupply(total)) {
    return reject('overflow', 'the total would be too large to represent its parts exactly')
  }
  const failed = receiverAdmission(ctx, asset, amount) ?? credit(ctx, asset, amount)
  if (failed) return failed
  ctx.set(definitions, asset.definition, { ...found, total, mintable: left })
  ctx.emit(assetEvents.minted, { asset, amount })
  if (left.kind !== found.mintable.kind && left.kind !== 'lots') {
    ctx.emit(assetEvents.mintabilityChanged, { definition: asset.definition, mintable: left })
  }
  return undefined
}

/** Burn value of a balance; permission was checked before. */
export function burnAs(
  ctx: ExecContext,
  found: Definition,
  asset: AssetId,
  amount: Numeric,
  { isLots = false }: Pick<MovementRule, 'isLots'> = {},
): Rejection | undefined {
  const failed =
    lotsFault(found, isLots) ??
    amountFault(amount, found.scale) ??
    vaultFault(asset.account) ??
    debit(ctx, asset, amount)
  if (failed) return failed
  const total = subtract(found.total, amount)
  if (total === undefined) throw new Error(`total of ${asset.definition} is smaller than one of its balances`)
  ctx.set(definitions, asset.definition, { ...found, total })
  ctx.emit(assetEvents.burned, { asset, amount })
  return undefined
}
