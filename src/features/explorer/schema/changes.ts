/** Owns the balance changes in the events of a block, shared by statements, reports and warehouses. */

import type { Numeric } from '../../../codec/index.js'
import { type AccountId, type AssetId, isEvent, type RecordedEvent } from '../../../model/index.js'
import { events as assetEvents } from '../../assets/schema/events.js'
import { events as feeEvents } from '../../fees/schema.js'
import type { PaymentId } from '../../iso20022/schema/claimed.js'
import { events as isoEvents } from '../../iso20022/schema/events.js'
import type { Movement } from './statement.js'

/** Movement before its balance is known. */
export interface BalanceChange {
  readonly account: AccountId
  /** Index of the event in its block. */
  readonly event: number
  /** Index of the entry that caused it. */
  readonly entry: number
  readonly definition: string
  readonly amount: Numeric
  readonly side: Movement['side']
  readonly kind: Movement['kind']
  readonly counterparty: AccountId | undefined
  /** Payment that it executes, if its transaction makes several. */
  readonly payment: PaymentId | undefined
}

/** Movement. All movements are created by one literal, so that they share a hidden class: a block has thousands. */
function change(
  { entry, number }: { readonly entry: number; readonly number: number },
  { account, definition }: AssetId,
  amount: Numeric,
  side: BalanceChange['side'],
  kind: BalanceChange['kind'],
  counterparty: AccountId | undefined,
  payment?: PaymentId,
): BalanceChange {
  return { account, event: number, entry, definition, amount, side, kind, counterparty, payment }
}

/** Payment executed by a transfer: its settlement event follows immediately. */
function settledBy(next: RecordedEvent | undefined): PaymentId | undefined {
  return next !== undefined && isEvent(next.event, isoEvents.paymentSettled) ? next.event.value : undefined
}

/** Movements in the events of a block, in order. */
export function changesOf(events: readonly RecordedEvent[]): BalanceChange[] {
  const changes: BalanceChange[] = []
  for (let number = 0; number < events.length; number += 1) {
    const { entry, event } = events[number] as RecordedEvent
    const place = { entry, number }
    if (isEvent(event, assetEvents.transferred)) {
      const { asset, to, amount } = event.value
      const { account, definition } = asset
      const payment = settledBy(events[number + 1])
      changes.push(change(place, asset, amount, 'debit', 'transfer', to, payment))
      changes.push(change(place, { account: to, definition }, amount, 'credit', 'transfer', account, payment))
    } else if (isEvent(event, assetEvents.minted) || isEvent(event, assetEvents.burned)) {
      const { asset, amount } = event.value
      const [side, kind] = isEvent(event, assetEvents.minted)
        ? (['credit', 'mint'] as const)
        : (['debit', 'burn'] as const)
      changes.push(change(place, asset, amount, side, kind, undefined))
    } else if (isEvent(event, assetEvents.held) || isEvent(event, assetEvents.released)) {
      const { asset, amount } = event.value
      const [side, kind] = isEvent(event, assetEvents.held)
        ? (['debit', 'hold'] as const)
        : (['credit', 'release'] as const)
      changes.push(change(place, asset, amount, side, kind, undefined))
    } else if (isEvent(event, feeEvents.feePaid)) {
      const { payer, definition, amount, to } = event.value
      changes.push(change(place, { account: payer, definition }, amount, 'debit', 'fee', to))
      if (to !== undefined) changes.push(change(place, { account: to, definition }, amount, 'credit', 'fee', payer))
    }
  }
  return changes
}
