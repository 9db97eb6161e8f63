/** Owns the ISO 20022 messages of settlements of lots, made from a transaction that is read from a gateway. */
import type { CausewayClient } from '../../client/index.js'
import {
  type SecuritiesSettlement,
  type SettlementFamily,
  type SettlementParty,
  settlementPairs,
} from '../../features/iso20022/message/index.js'
import { getView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { assertBound, unmapped } from '../iso/written.js'
import { lotPath } from './forms.js'

/** Input of the command. */
export interface MessageRequest {
  readonly hash: string
  readonly family: SettlementFamily
  readonly side: SecuritiesSettlement['side']
  readonly seller: SettlementParty
  readonly buyer: SettlementParty
  readonly currency: string | undefined
}

/** Only settlement of a lot in a committed transaction. Throws `iso_unmapped` otherwise: other changes of lots have no message. */
function settlementOf({ instructions }: View): View {
  const found = viewsOf(instructions).flatMap(({ SettleRwaDvp: terms }) => (terms === undefined ? [] : [viewOf(terms)]))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw unmapped(
    `the transaction has ${found.length} settlements of lots, expected one; issues, free transfers, freezes and redemptions have no message in this profile`,
  )
}

/** Flat pairs of the message of a settlement. */
export async function messageOf(client: CausewayClient, request: MessageRequest) {
  const { hash, family, side, seller, buyer, currency } = request
  const transaction = await getView(client, ({ explorer }) => explorer.transaction, { params: { hash } })
  const terms = settlementOf(transaction)
  if (family === 'sese.025' && transaction.outcome !== 'Approved') {
    throw unmapped('cannot confirm a rejected settlement')
  }
  const [delivery, payment] = [viewOf(terms.delivery), viewOf(terms.payment)]
  const asset = viewOf(payment.asset)
  const params = { id: lotPath(textOf(delivery.lot) ?? '').class }
  const { isin } = await getView(client, ({ rwas }) => rwas.class, { params })
  if (seller.iban !== undefined) await assertBound(client, `iban:${seller.iban}`, textOf(payment.to))
  if (buyer.iban !== undefined) await assertBound(client, `iban:${buyer.iban}`, textOf(delivery.to))
  if (currency !== undefined) await assertBound(client, `ccy:${currency}`, textOf(asset.definition))
  const date = new Date(Number(transaction.time_ms)).toISOString().slice(0, 10)
  return settlementPairs(family, {
    id: textOf(terms.id) ?? '',
    date,
    side,
    seller,
    buyer,
    currency,
    isin: textOf(isin),
    quantity: textOf(delivery.quantity) ?? '',
    amount: textOf(payment.amount) ?? '',
  })
}
