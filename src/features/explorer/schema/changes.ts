/** Owns which balances the events of a block change: statements, reports and warehouses read the same. */
import type { Numeric } from '../../../codec/index.js'
import type { AccountId, AssetId, EventOf, RecordedEvent } from '../../../model/index.js'
import { burned, held, minted, released, transferred } from '../../assets/schema/events.js'
import { feePaid } from '../../fees/schema/events.js'
import type { Movement } from './statement.js'

/** A movement before its balance is known. */
export interface BalanceChange {
  readonly account: AccountId
  /** Place of the event among those of its block. */
  readonly event: number
  /** Place of the entry that caused it. */
  readonly entry: number
  readonly definition: string
  readonly amount: Numeric
  readonly side: Movement['side']
  readonly kind: Movement['kind']
  readonly counterparty: AccountId | undefined
}

/** Movements that the events of a block tell of, in their order. */
export function changesOf(events: readonly RecordedEvent[]): BalanceChange[] {
  const changes: BalanceChange[] = []
  for (const [number, { entry, event }] of events.entries()) {
    const place = { event: number, entry }
    if (event.kind === transferred.kind) {
      const { asset, to, amount } = event.value as { asset: AssetId; to: AccountId; amount: Numeric }
      const { account, definition } = asset
      changes.push({ ...place, account, definition, amount, side: 'debit', kind: 'transfer', counterparty: to })
      changes.push({
        ...place,
        account: to,
        definition,
        amount,
        side: 'credit',
        kind: 'transfer',
        counterparty: account,
      })
    } else if (event.kind === minted.kind || event.kind === burned.kind) {
      const { asset, amount } = event.value as { asset: AssetId; amount: Numeric }
      const [side, kind] = event.kind === minted.kind ? (['credit', 'mint'] as const) : (['debit', 'burn'] as const)
      changes.push({ ...asset, ...place, amount, side, kind, counterparty: undefined })
    } else if (event.kind === held.kind || event.kind === released.kind) {
      const { asset, amount } = event.value as EventOf<typeof held>
      const [side, kind] = event.kind === held.kind ? (['debit', 'hold'] as const) : (['credit', 'release'] as const)
      changes.push({ ...asset, ...place, amount, side, kind, counterparty: undefined })
    } else if (event.kind === feePaid.kind) {
      const { payer, definition, amount, to } = event.value as EventOf<typeof feePaid>
      const fee = { ...place, definition, amount, kind: 'fee' } as const
      changes.push({ ...fee, account: payer, side: 'debit', counterparty: to })
      if (to !== undefined) changes.push({ ...fee, account: to, side: 'credit', counterparty: payer })
    }
  }
  return changes
}
