/** Owns the display of agreements: their fields, and the line of their changes. */
import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/errors.js'
import type { Columns } from '../command/columns.js'
import { type Directory, NO_NAMES } from '../gateway/directory.js'
import { getView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { percentText } from '../text/figures.js'
import { variantWords } from '../text/readable.js'

/** Status for display. */
export const statusText = (view: View): string => (textOf(view.status) ?? '').toLowerCase()

/** Cause or status for display: `closed out` for `ClosedOut`. */
const wordsOf = (name: string | undefined): string | undefined => (name === undefined ? undefined : variantWords(name))

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

/** Displayed part of a record; `names`: digits of its assets. */
type Shown = (view: View, raw: View, names: Directory) => string | undefined

const heldText = ({ definition, amount, lot }: View, names: Directory): string =>
  textOf(lot) === undefined ? `${names.amount(amount, definition)}` : `${textOf(amount)} ${textOf(lot)}`

const itemText = (item: View, names: Directory): string => {
  const { Asset: asset, Lot: lot } = item
  if (asset !== undefined) return `${names.amount(viewOf(asset).amount, viewOf(asset).definition)}`
  const { lot: id, quantity } = viewOf(lot)
  return `${textOf(quantity) === undefined ? '' : `${textOf(quantity)} `}${textOf(id)}`
}

const termsIn = (view: View): View => viewOf(viewOf(view.live).terms)
const cashOf = (view: View, names: Directory): string | undefined => {
  const { amount, definition } = viewOf(termsIn(view).cash)
  return names.amount(amount, definition)
}
/** Cash definition of an open or closed agreement. */
const cashIn = (view: View): Json | undefined => viewOf(termsIn(view).cash).definition ?? viewOf(view.closed).cash

const heldItems = (view: View, names: Directory): string =>
  viewsOf(viewOf(view.live).items)
    .map((item) => heldText(item, names))
    .join(', ')
const collateralOf = (view: View, names: Directory): string =>
  viewsOf(termsIn(view).collateral)
    .map((item) => itemText(item, names))
    .join(', ')

/** Cash amount of an agreement. */
const cashAmount =
  (amountOf: (view: View) => Json | undefined): Shown =>
  (view, _raw, names) =>
    names.amount(amountOf(view), cashIn(view))

/** Fields of `repo show`. */
export const agreementFields: Columns = {
  id: 'id',
  reference: 'reference',
  status: statusText,
  seller: 'seller',
  buyer: 'buyer',
  custodian: 'custodian',
  cash: (view, _raw, names) => cashOf(view, names),
  collateral: (view, _raw, names) => collateralOf(view, names) || undefined,
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
  'in the vault': (view, _raw, names) => heldItems(view, names) || undefined,
  'cash margin': cashAmount(({ live }) => viewOf(live).cash_margin),
  owed: cashAmount(({ exposure }) => viewOf(exposure).owed),
  cover: cashAmount(({ exposure }) => viewOf(exposure).cover),
  exposure: cashAmount(({ exposure }) => viewOf(exposure).exposure),
  'margin called': cashAmount(({ live }) => viewOf(viewOf(live).call).exposure),
  'margin due': 'live.call.due_ms',
  'last failure': 'live.failure',
  default: (view) => wordsOf(textOf(viewOf(viewOf(view.live).defaulted).cause)),
  closed: (view) => wordsOf(textOf(viewOf(view.closed).cause)),
  paid: cashAmount(({ closed }) => viewOf(closed).paid),
  shortfall: cashAmount(({ closed }) => viewOf(closed).shortfall),
}

/** Summary of an agreement in one line. */
export function changeLine(view: View, names = NO_NAMES): string {
  const { cash_margin: margin, call, failure } = viewOf(view.live)
  const { cause, paid, shortfall } = viewOf(view.closed)
  const amount = (value: Json | undefined): string => `${names.amount(value, cashIn(view))}`
  const parts = [
    statusText(view),
    heldItems(view, names),
    margin === undefined || margin === '0' ? undefined : `cash margin ${amount(margin)}`,
    call === undefined ? undefined : `margin called: ${amount(viewOf(call).exposure)}`,
    failure === undefined ? undefined : `failed: ${textOf(failure)}`,
    wordsOf(textOf(cause)),
    paid === undefined ? undefined : `paid ${amount(paid)}`,
    shortfall === undefined ? undefined : `shortfall ${amount(shortfall)}`,
  ]
  return parts.filter(Boolean).join('; ')
}

/** Terms of a consent, one per line. */
export function termsLines(view: View, names: Directory): string[] {
  const { rate_ppm: ppm, purchase_date: purchase, repurchase_date: until } = termsIn(view)
  return [
    `cash ${cashOf(view, names)} against ${collateralOf(view, names)}`,
    `at ${percentText(Number(ppm))} from ${textOf(purchase)} to ${textOf(until)}`,
    `terms ${textOf(view.terms_hash)}`,
  ]
}
