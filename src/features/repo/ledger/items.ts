/** Owns the items of an agreement: deposits into its vault and withdrawals. */
import { formatNumeric, type Numeric } from '../../../codec/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { eligibilityFault, findLot, moveLot, newHolderFault } from '../../../ledger/lots.js'
import { payAgreed } from '../../../ledger/moves.js'
import { definitions } from '../../../ledger/tables.js'
import { vaultOf } from '../../../ledger/vaults.js'
import {
  type AccountId,
  add,
  exceeds,
  type Incarnation,
  parseLot,
  sameIncarnation,
  subtract,
} from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { type HeldItem, ITEMS_MAX, type LiveRepo, type RepoItem } from '../schema/records.js'
import type { FoundRepo } from './tables.js'

/** Name of the feature that owns the vaults. */
export const REPO_FEATURE = 'repo'
export const vaultOfRepo = (id: Uint8Array): AccountId => vaultOf({ feature: REPO_FEATURE, key: id })

export const definitionOfItem = (item: RepoItem): string =>
  item.kind === 'asset' ? item.value.definition : parseLot(item.value.lot).definition
/** Name of an item, unique in a list. */
const nameOfItem = (item: RepoItem): string => (item.kind === 'asset' ? item.value.definition : item.value.lot)
const isNamedBy = ({ definition, lot }: HeldItem, item: RepoItem): boolean => (lot ?? definition) === nameOfItem(item)

/** Reason why a list is invalid because an item occurs twice, or undefined. */
export const repeatedItemFault = (items: readonly RepoItem[]): Rejection | undefined =>
  new Set(items.map(nameOfItem)).size < items.length ? reject('bad_terms', 'an item is named twice') : undefined

/** True if a definition still has a registration. */
function isRegistered(state: StateReader, definition: string, registered: Incarnation | undefined): boolean {
  return registered !== undefined && sameIncarnation(registered, state.get(definitions, definition)?.incarnation)
}

/**
 * Reason why a definition cannot be used, because it is not eligible or was registered again after the proposal, or
 * undefined.
 */
function eligibleFault(
  ctx: ExecContext,
  { terms, registrations }: LiveRepo,
  definition: string,
): Rejection | undefined {
  const at = terms.eligible.findIndex((one) => one.definition === definition)
  return at >= 0 && isRegistered(ctx, definition, registrations[at + 1])
    ? undefined
    : reject('bad_terms', `${definition} is not eligible`)
}

/** True if the cash definition of an agreement was removed; no amount in it is then owed or payable. */
export const isCashGone = (state: StateReader, { terms, registrations }: LiveRepo): boolean =>
  !isRegistered(state, terms.cash.definition, registrations[0])

/** Pay cash of an agreement into or out of its vault, or between its parties. */
export function payCash(
  ctx: ExecContext,
  repo: LiveRepo,
  { from, to, amount }: { readonly from: AccountId; readonly to: AccountId; readonly amount: Numeric },
): Rejection | undefined {
  const { definition } = repo.terms.cash
  if (isCashGone(ctx, repo)) return reject('absent', `asset definition ${definition} of the agreement no longer exists`)
  return payAgreed(ctx, { asset: { definition, account: from }, to, amount }, { isVaultOpen: true })
}

/** Items after adding an amount of an asset, or a lot. */
function withItem(items: readonly HeldItem[], added: HeldItem): readonly HeldItem[] | Rejection {
  const at =
    added.lot === undefined
      ? items.findIndex((one) => one.lot === undefined && one.definition === added.definition)
      : -1
  const before = items[at]
  if (before !== undefined) {
    const amount = add(before.amount, added.amount)
    return amount === undefined
      ? reject('overflow', 'the amount in the vault would exceed 512 bits')
      : items.with(at, { ...before, amount })
  }
  return items.length < ITEMS_MAX
    ? [...items, added]
    : reject('bad_terms', `an agreement holds at most ${ITEMS_MAX} items`)
}

/** Move an item of the seller into the vault; returns the held item, or the rejection. */
function deliver(ctx: ExecContext, { id, repo }: FoundRepo, item: RepoItem): HeldItem | Rejection {
  const to = vaultOfRepo(id)
  const { seller, buyer } = repo
  if (item.kind === 'asset') {
    const { definition, amount } = item.value
    const failed = payAgreed(ctx, { asset: { definition, account: seller }, to, amount }, { isVaultOpen: true })
    return failed ?? { definition, amount, lot: undefined }
  }
  const found = findLot(ctx, item.value.lot)
  if ('code' in found) return found
  if (found.lot.holder !== seller) return reject('not_enough', `the seller does not hold lot ${item.value.lot}`)
  const quantity = item.value.quantity ?? found.lot.quantity
  // An item that the buyer could not own now could not be delivered at a close-out.
  const unfit = eligibilityFault(ctx, found, seller) ?? newHolderFault(ctx, found, buyer)
  if (unfit !== undefined) return unfit
  const lot = moveLot(ctx, found, { to, quantity }, { isVaultOpen: true })
  return typeof lot === 'string' ? { definition: found.id, amount: quantity, lot } : lot
}

/** Move items of the seller into the vault; returns all items of the agreement, or the rejection. */
export function pledge(
  ctx: ExecContext,
  found: FoundRepo,
  items: readonly RepoItem[],
): readonly HeldItem[] | Rejection {
  let held: readonly HeldItem[] = found.repo.items
  for (const item of items) {
    const unfit = eligibleFault(ctx, found.repo, definitionOfItem(item))
    if (unfit !== undefined) return unfit
    const delivered = deliver(ctx, found, item)
    if ('code' in delivered) return delivered
    const more = withItem(held, delivered)
    if ('code' in more) return more
    held = more
  }
  return held
}

/** Move an amount of an item, or all of it, out of the vault. */
export function returnItem(
  ctx: ExecContext,
  id: Uint8Array,
  { definition, lot }: HeldItem,
  { to, amount }: { readonly to: AccountId; readonly amount: Numeric },
): Rejection | undefined {
  if (lot === undefined) {
    const asset = { definition, account: vaultOfRepo(id) }
    return payAgreed(ctx, { asset, to, amount }, { isVaultOpen: true })
  }
  const found = findLot(ctx, lot)
  if ('code' in found) return found
  const moved = moveLot(ctx, found, { to, quantity: amount }, { isVaultOpen: true })
  return typeof moved === 'string' ? undefined : moved
}

/** Return items to the seller; returns the remaining items, or the rejection. */
export function takeBack(
  ctx: ExecContext,
  { id, repo }: FoundRepo,
  items: readonly RepoItem[],
): readonly HeldItem[] | Rejection {
  let held: readonly HeldItem[] = repo.items
  for (const item of items) {
    const at = held.findIndex((one) => isNamedBy(one, item))
    const found = held[at]
    if (found === undefined) return reject('bad_terms', `the agreement does not hold ${nameOfItem(item)}`)
    const amount = (item.kind === 'asset' ? item.value.amount : item.value.quantity) ?? found.amount
    if (exceeds(amount, found.amount))
      return reject('not_enough', `the agreement holds ${formatNumeric(found.amount)} of ${nameOfItem(item)}`)
    const failed = returnItem(ctx, id, found, { to: repo.seller, amount })
    if (failed !== undefined) return failed
    const rest = subtract(found.amount, amount)
    held =
      rest === undefined || rest.mantissa === 0n ? held.toSpliced(at, 1) : held.with(at, { ...found, amount: rest })
  }
  return held
}
