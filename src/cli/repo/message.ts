/** Owns the ISO 20022 messages of cash movements of repos, made from the history that a gateway serves. */
import type { CausewayClient } from '../../client/index.js'
import { formatNumeric, type Numeric, parseNumeric } from '../../codec/index.js'
import type { AccountEntry } from '../../features/iso20022/message/index.js'
import { exceeds, subtract } from '../../model/index.js'
import { getView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { notificationOf, unmapped } from '../iso/written.js'

/** Cash movements of an agreement that have a message. */
type Leg = 'opening' | 'repurchase' | 'margin'
type Side = 'seller' | 'buyer'

interface RepoMessageRequest {
  readonly id: string
  readonly leg: Leg
  /** Party that is notified. */
  readonly side: Side
  readonly iban: string | undefined
  readonly currency: string | undefined
}

/** A committed event of an agreement. */
interface Change {
  readonly kind: string
  readonly event: View
  readonly atMs: number
}

/** Cash moved into or out of the account of the party. */
type Movement = Pick<AccountEntry, 'amount' | 'direction' | 'timeMs'>

/** All events of an agreement, newest first. */
async function historyOf(client: CausewayClient, id: string): Promise<Change[]> {
  const found: Change[] = []
  let cursor: string | undefined
  do {
    const page = await getView(client, ({ repo }) => repo.history, { params: { id }, query: { cursor, limit: 500 } })
    for (const { event, at_ms: atMs } of viewsOf(page.items)) {
      for (const [kind, value] of Object.entries(viewOf(event)))
        found.push({ kind, event: viewOf(value), atMs: Number(atMs) })
    }
    cursor = textOf(page.next_cursor)
  } while (cursor !== undefined)
  return found
}

const numericOf = (value: View[string]): Numeric => parseNumeric(textOf(value) ?? '') ?? { mantissa: 0n, scale: 0 }

/** Cash margin after each change of it, newest first; none before the first change. */
const marginsOf = (history: readonly Change[]): { readonly margin: Numeric; readonly atMs: number }[] =>
  history
    .filter(({ kind }) => kind === 'RepoMarginMet' || kind === 'RepoExcessTaken')
    .map(({ event, atMs }) => ({ margin: numericOf(event.cash_margin), atMs }))

const NO_CASH: Numeric = { mantissa: 0n, scale: 0 }

function openingOf(history: readonly Change[], side: Side): Movement {
  const opened = history.find(({ kind }) => kind === 'RepoOpened')
  if (opened === undefined) throw unmapped('the agreement was not opened: no cash was paid')
  const direction = side === 'seller' ? 'CRDT' : 'DBIT'
  return { amount: textOf(opened.event.cash) ?? '', direction, timeMs: opened.atMs }
}

function repurchaseOf(history: readonly Change[], side: Side): Movement {
  const closed = history.find(({ kind }) => kind === 'RepoClosed')
  if (closed === undefined || closed.event.cause !== 'Repurchased')
    throw unmapped('the agreement has no repurchase; a withdrawal and a close-out have no message in this profile')
  const [last] = marginsOf(history)
  if (side === 'seller' && last !== undefined && exceeds(last.margin, NO_CASH))
    throw unmapped('a part of the repurchase was paid from the cash margin, which has no message in this profile')
  const direction = side === 'seller' ? 'DBIT' : 'CRDT'
  return { amount: textOf(closed.event.paid) ?? '', direction, timeMs: closed.atMs }
}

function marginOf(history: readonly Change[], side: Side): Movement {
  if (side === 'buyer') throw unmapped('margin moves between the seller and the vault: the buyer has no entry')
  const [last, before] = marginsOf(history)
  const [after, earlier] = [last?.margin ?? NO_CASH, before?.margin ?? NO_CASH]
  const isPaid = exceeds(after, earlier)
  const moved = isPaid ? subtract(after, earlier) : subtract(earlier, after)
  if (last === undefined || moved === undefined || moved.mantissa === 0n)
    throw unmapped('the last change of margin moved no cash; collateral without payment has no message in this profile')
  return { amount: formatNumeric(moved), direction: isPaid ? 'DBIT' : 'CRDT', timeMs: last.atMs }
}

const MOVEMENT_OF = { opening: openingOf, repurchase: repurchaseOf, margin: marginOf } as const

/** Flat pairs of the camt.054 of a cash movement. Throws `iso_unmapped` if there is none, or if a binding is missing. */
export async function repoMessageOf(client: CausewayClient, { id, leg, side, iban, currency }: RepoMessageRequest) {
  const agreement = await getView(client, ({ repo }) => repo.agreement, { params: { id } })
  const movement = MOVEMENT_OF[leg](await historyOf(client, id), side)
  const { live, closed, reference } = agreement
  const cash = textOf(viewOf(closed).cash) ?? textOf(viewOf(viewOf(viewOf(live).terms).cash).definition)
  return notificationOf(client, {
    account: textOf(agreement[side]),
    cash,
    id: `${leg.toUpperCase()}-${id.slice(0, 16)}`,
    reference: textOf(reference) ?? '',
    ...movement,
    iban,
    currency,
  })
}
