/**
 * Owns the movements of value: what every path of it is asked, in one order (docs/design/structure.md 3). Who may move was asked
 * before. For each definition, after every block: its total = the sum of balances + its fee pot + the sum of its escrows.
 */

import type { Numeric } from '../codec/index.js'
import { accounts } from '../executor/accounts.js'
import { unknownAccount } from '../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import { type AccountId, type AssetId, add, assetEvents, isSupply, keylessKind, type Mintable } from '../model/index.js'
import { receiverAdmission } from './admission.js'
import { applyControls, applyPayerControls, receiverFault } from './controls.js'
import { addToEscrow, type EscrowKey, takeFromEscrow } from './escrows.js'
import { amountFault, credit, debit, move } from './money.js'
import { type Definition, definitions } from './tables.js'

/** Value on its way from a balance to an account. */
export interface Movement {
  readonly asset: AssetId
  readonly to: AccountId
  readonly amount: Numeric
}

/** The definition of a balance, or what is missing. */
export function definitionOf(ctx: ExecContext, { definition }: Pick<AssetId, 'definition'>): Definition | Rejection {
  return ctx.get(definitions, definition) ?? reject('absent', `asset definition ${definition} does not exist`)
}

/** The same for a balance whose holder is registered. */
export function heldDefinition(ctx: ExecContext, asset: AssetId): Definition | Rejection {
  const found = definitionOf(ctx, asset)
  if ('code' in found) return found
  return ctx.has(accounts, asset.account) ? found : unknownAccount(ctx, asset.account)
}

/** Value in a vault moves by the rule of the feature that keeps it, and by nothing else. */
const vaultFault = (...ids: readonly AccountId[]): Rejection | undefined =>
  ids.some((id) => keylessKind(id) === 'vault')
    ? reject('vault_closed', 'only the agreement that a vault belongs to moves value in or out of it')
    : undefined

/** How a movement is made. */
export interface MovementRule {
  /** Under the licence of the definition's owner: freezes, caps and the gate do not bind it. */
  readonly isForced?: boolean
  /** The feature that keeps the vault moves it. */
  readonly isVaultOpen?: boolean
}

/** Makes a movement that its payer agreed to, or that the authority may make: all questions but that of the permission. */
export function transferAs(
  ctx: ExecContext,
  { scale }: Definition,
  { asset, to, amount }: Movement,
  { isForced = false, isVaultOpen = false }: MovementRule = {},
): Rejection | undefined {
  if (to === asset.account) return reject('self_transfer', 'source and destination are the same account')
  const failed =
    amountFault(amount, scale) ??
    (isVaultOpen ? undefined : vaultFault(asset.account, to)) ??
    receiverAdmission(ctx, { definition: asset.definition, account: to }, amount) ??
    (isForced ? undefined : applyControls(ctx, asset, to, amount)) ??
    move(ctx, asset, to, amount)
  if (failed) return failed
  ctx.emit(assetEvents.transferred, { asset, to, amount })
  return undefined
}

/** Pays what the payer agreed to by a record of the ledger, whoever the authority is. */
export function payAgreed(ctx: ExecContext, movement: Movement, rule: MovementRule = {}): Rejection | undefined {
  const found = heldDefinition(ctx, movement.asset)
  return 'code' in found ? found : transferAs(ctx, found, movement, rule)
}

/** Takes value out of a balance into an escrow: the payer is asked everything, nobody freezes what an escrow has. */
export function hold(
  ctx: ExecContext,
  escrow: Omit<EscrowKey, 'definition'>,
  asset: AssetId,
  amount: Numeric,
): Rejection | undefined {
  const found = heldDefinition(ctx, asset)
  if ('code' in found) return found
  const failed =
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
 * Gives value of an escrow to an account. Back to `payer`, from whom it came, only the blacklist is asked: where that bars
 * it, it stays. To anybody else the receiver is asked what any receiver is, and the gate about the payer; caps counted it
 * when it was held.
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
      : (vaultFault(to) ?? receiverAdmission(ctx, asset, amount) ?? ctx.env.gate?.movement(ctx, payer, definition))) ??
    receiverFault(ctx, definition, to) ??
    takeFromEscrow(ctx, escrow, amount) ??
    credit(ctx, asset, amount)
  if (failed) return failed
  ctx.emit(assetEvents.released, { feature, key, asset, amount })
  return undefined
}

/** What a successful mint leaves of the permission to mint. */
function afterMint(before: Mintable): Mintable | undefined {
  switch (before.kind) {
    case 'infinitely':
      return before
    case 'once':
      return { kind: 'not', value: undefined }
    case 'limited':
      return before.value <= 1 ? { kind: 'not', value: undefined } : { kind: 'limited', value: before.value - 1 }
    case 'not':
      return undefined
  }
}

/** Makes value in a balance; who may was asked before. */
export function mintAs(ctx: ExecContext, found: Definition, asset: AssetId, amount: Numeric): Rejection | undefined {
  const fault = amountFault(amount, found.scale) ?? vaultFault(asset.account)
  if (fault) return fault
  const left = afterMint(found.mintable)
  if (left === undefined) return reject('unmintable', `${asset.definition} can no longer be minted`)
  const total = add(found.total, amount)
  if (total === undefined || !isSupply(total)) {
    return reject('overflow', 'the total would be too large for its parts to be written with all decimals')
  }
  const failed = receiverAdmission(ctx, asset, amount) ?? credit(ctx, asset, amount)
  if (failed) return failed
  ctx.set(definitions, asset.definition, { ...found, total, mintable: left })
  ctx.emit(assetEvents.minted, { asset, amount })
  if (left.kind !== found.mintable.kind) {
    ctx.emit(assetEvents.mintabilityChanged, { definition: asset.definition, mintable: left })
  }
  return undefined
}

/** Whether value of a balance is out of the reach of instructions on balances: a vault's. */
export const closedFault = (asset: AssetId): Rejection | undefined => vaultFault(asset.account)
