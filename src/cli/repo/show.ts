/** Owns the display of agreements: their fields, and the line of their changes. */
import type { CausewayClient } from '../../client/index.js'
import { LedgerError } from '../../model/errors.js'
import type { Columns } from '../command/columns.js'
import { getView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { percentText } from './forms.js'

/** Status for display. */
export const statusText = (view: View): string => (textOf(view.status) ?? '').toLowerCase()

/** Cause or status for display: `closed out` for `ClosedOut`. */
const wordsOf = (name: string | undefined): string | undefined =>
  name?.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()

/** Agreement, with its exposure if it has one. */
export async function agreementWithExposure(client: CausewayClient, id: string): Promise<View> {
  const view = await getView(client, ({ repo }) => repo.agreement, { params: { id } })
  if (view.status === 'Closed') return view
  try {
    const exposure = await getView(client, ({ repo }) => repo.exposure, { params: { id } })
    return { ...view, exposure: exposure as never }
  } catch (error) {
    // The agreement was closed between the two requests.
    if (error instanceof LedgerError && error.code === 'not_found') return view
    throw error
  }
}

const heldText = ({ definition, amount, lot }: View): string => `${textOf(amount)} ${textOf(lot) ?? textOf(definition)}`

const itemText = (item: View): string => {
  const { Asset: asset, Lot: lot } = item
  if (asset !== undefined) return `${textOf(viewOf(asset).amount)} ${textOf(viewOf(asset).definition)}`
  const { lot: id, quantity } = viewOf(lot)
  return `${textOf(quantity) === undefined ? '' : `${textOf(quantity)} `}${textOf(id)}`
}

const termsIn = (view: View): View => viewOf(viewOf(view.live).terms)
const cashOf = (view: View): string | undefined => {
  const { amount, definition } = viewOf(termsIn(view).cash)
  return textOf(amount) === undefined ? undefined : `${textOf(amount)} ${textOf(definition)}`
}

/** Cash of a closed agreement for display: its amount and its definition. */
function cashText({ closed }: View, field: 'paid' | 'shortfall'): string | undefined {
  const { cash, [field]: amount } = viewOf(closed)
  return textOf(amount) === undefined ? undefined : `${textOf(amount)} ${textOf(cash)}`
}

/** Fields of `repo show`. */
export const agreementFields: Columns = {
  id: 'id',
  reference: 'reference',
  status: statusText,
  seller: 'seller',
  buyer: 'buyer',
  custodian: 'custodian',
  cash: cashOf,
  collateral: (view) => viewsOf(termsIn(view).collateral).map(itemText).join(', ') || undefined,
  eligible: (view) =>
    viewsOf(termsIn(view).eligible)
      .map(({ definition, haircut_ppm: ppm }) => `${textOf(definition)} less ${percentText(Number(ppm))}`)
      .join(', ') || undefined,
  rate: (view) => {
    const { rate_ppm: ppm, basis } = termsIn(view)
    return ppm === undefined ? undefined : `${percentText(Number(ppm))} ${textOf(basis)?.toLowerCase()}`
  },
  purchase: 'live.terms.purchase_date',
  repurchase: 'live.terms.repurchase_date',
  matures: 'live.maturity_ms',
  'terms hash': 'terms_hash',
  'in the vault': (view) => viewsOf(viewOf(view.live).items).map(heldText).join(', ') || undefined,
  'cash margin': 'live.cash_margin',
  owed: 'exposure.owed',
  cover: 'exposure.cover',
  exposure: 'exposure.exposure',
  'margin called': 'live.call.exposure',
  'margin due': 'live.call.due_ms',
  'last failure': 'live.failure',
  default: (view) => wordsOf(textOf(viewOf(viewOf(view.live).defaulted).cause)),
  closed: (view) => wordsOf(textOf(viewOf(view.closed).cause)),
  paid: (view) => cashText(view, 'paid'),
  shortfall: (view) => cashText(view, 'shortfall'),
}

/** Summary of an agreement in one line. */
export function changeLine(view: View): string {
  const { items, cash_margin: margin, call, failure } = viewOf(view.live)
  const { cause, paid, shortfall } = viewOf(view.closed)
  const parts = [
    statusText(view),
    viewsOf(items).map(heldText).join(', '),
    margin === undefined || margin === '0' ? undefined : `cash margin ${textOf(margin)}`,
    call === undefined ? undefined : `margin called: ${textOf(viewOf(call).exposure)}`,
    failure === undefined ? undefined : `failed: ${textOf(failure)}`,
    wordsOf(textOf(cause)),
    paid === undefined ? undefined : `paid ${textOf(paid)}`,
    shortfall === undefined ? undefined : `shortfall ${textOf(shortfall)}`,
  ]
  return parts.filter(Boolean).join('; ')
}

/** Terms of a consent, one per line. */
export function termsLines(view: View): string[] {
  const { rate_ppm: ppm, purchase_date: purchase, repurchase_date: until } = termsIn(view)
  const collateral = viewsOf(termsIn(view).collateral).map(itemText).join(', ')
  return [
    `cash ${cashOf(view)} against ${collateral}`,
    `at ${percentText(Number(ppm))} from ${textOf(purchase)} to ${textOf(until)}`,
    `terms ${textOf(view.terms_hash)}`,
  ]
}
