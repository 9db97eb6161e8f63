/** Owns the ISO 20022 messages of settlements of lots, made from a transaction that is read from a gateway. */
import type { CausewayClient } from '../../client/index.js'
import {
  flatJson,
  flatLines,
  flatXml,
  type SecuritiesSettlement,
  type SettlementFamily,
  type SettlementParty,
  settlementPairs,
} from '../../features/iso20022/message/index.js'
import { LedgerError } from '../../model/index.js'
import { getView, postView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { lotPath } from './forms.js'

/** Forms of a settlement message. */
export const MESSAGE_FORMS = ['flat', 'json', 'flat-xml'] as const
export type MessageForm = (typeof MESSAGE_FORMS)[number]

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
  throw new LedgerError(
    'iso_unmapped',
    `the transaction has ${found.length} settlements of lots, expected one; issues, free transfers, freezes and redemptions have no message in this profile`,
  )
}

/** Throws `iso_unmapped` unless an alias resolves to an account or definition. */
async function assertBound(client: CausewayClient, alias: string, id: string | undefined): Promise<void> {
  const { items } = await postView(client, ({ names }) => names.aliasBatch, { aliases: [alias] })
  const { account_id: account, asset_definition_id: definition } = viewOf(viewsOf(items)[0]?.answer)
  if ((account ?? definition) !== id) throw new LedgerError('iso_unmapped', `${alias} is not bound to ${id}`)
}

/** Flat pairs of the message of a settlement. */
export async function messageOf(client: CausewayClient, request: MessageRequest) {
  const { hash, family, side, seller, buyer, currency } = request
  const transaction = await getView(client, ({ explorer }) => explorer.transaction, { params: { hash } })
  const terms = settlementOf(transaction)
  if (family === 'sese.025' && transaction.outcome !== 'Approved') {
    throw new LedgerError('iso_unmapped', 'cannot confirm a rejected settlement')
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
    ...{ id: textOf(terms.id) ?? '', date, side, seller, buyer, currency },
    ...{ isin: textOf(isin), quantity: textOf(delivery.quantity) ?? '', amount: textOf(payment.amount) ?? '' },
  })
}

/** Text of a message in a form. */
export function messageText(pairs: Awaited<ReturnType<typeof messageOf>>, family: SettlementFamily, form: MessageForm) {
  if (form === 'flat') return flatLines([['MsgDefIdr', family], ...pairs])
  return form === 'json' ? flatJson(pairs, family) : flatXml(pairs, family)
}
