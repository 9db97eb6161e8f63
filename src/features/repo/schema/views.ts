/** Owns the views and the queries of repos. */
import { word } from '../../../api/enum-text.js'
import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import {
  bool,
  fromHex,
  hash32,
  type Infer,
  list,
  numeric,
  omissible,
  option,
  struct,
  text,
  varint,
} from '../../../codec/index.js'
import {
  accountId,
  accountIdFault,
  assetDefinitionFault,
  assetDefinitionId,
  calendarDate,
  dataEvent,
  defineQueries,
  keyBytes,
  keyString,
  name,
} from '../../../model/index.js'
import {
  calendarFields,
  closeCause,
  defaultCause,
  ELIGIBLE_MAX,
  HOLIDAYS_MAX,
  heldItems,
  marginCall,
  POSTERS_MAX,
  type PriceKey,
  REPO_IDS,
  repoFailure,
  repoReference,
  repoStatus,
  repoTerms,
  sideFields,
} from './records.js'

const BASE = REPO_IDS.first

export const statusWord = word('RepoStatusWord', ['proposed', 'waiting', 'open', 'late', 'defaulted', 'closed'])

/** Fields of an agreement that is not closed, without its parties. */
const liveView_ = struct('RepoLiveView', {
  terms: repoTerms,
  consents: list(accountId, 3),
  proposedMs: varint,
  /** Header times at which the purchase date and the repurchase date begin. */
  opensMs: varint,
  maturityMs: varint,
  /** Vault that holds the collateral, once it is open. */
  vault: omissible(accountId),
  items: heldItems,
  cashMargin: numeric,
  call: omissible(marginCall),
  /** Party that requested an early repurchase today. */
  early: omissible(accountId),
  failure: omissible(repoFailure),
  defaulted: omissible(struct('RepoDefaultView', { cause: defaultCause, atMs: varint })),
})
const closedView_ = struct('RepoClosedView', {
  cause: closeCause,
  atMs: varint,
  /** Definition of the cash. */
  cash: assetDefinitionId,
  paid: numeric,
  shortfall: omissible(numeric),
})
const agreementFields = {
  id: hash32,
  reference: repoReference,
  status: repoStatus,
  ...sideFields,
  proposer: accountId,
  termsHash: hash32,
  live: omissible(liveView_),
  closed: omissible(closedView_),
}
export interface AgreementItem extends Infer<typeof agreementItem_> {}
const agreementItem_ = struct('RepoAgreementItem', agreementFields)
export const agreementPage = pageOf('RepoAgreementPage', agreementItem_)
export interface AgreementView extends Infer<typeof agreementView> {}
export const agreementView = struct('RepoAgreement', { ...agreementFields, height: varint })

/** Fresh price with its age. */
const freshPrice_ = struct('RepoFreshPrice', { poster: accountId, price: numeric, atMs: varint, ageMs: varint })
const valuedItem_ = struct('RepoValuedDefinition', {
  definition: assetDefinitionId,
  /** Quantity in the vault. */
  amount: numeric,
  haircutPpm: varint,
  /** Lower median of the fresh prices; absent: no price is fresh. */
  price: omissible(numeric),
  /** Value after the haircut. */
  value: omissible(numeric),
  prices: list(freshPrice_, POSTERS_MAX),
})
export interface ExposureView extends Infer<typeof exposureView> {}
export const exposureView = struct('RepoExposure', {
  id: hash32,
  atMs: varint,
  /** Days of interest so far. */
  days: varint,
  /** Repurchase price now. */
  owed: numeric,
  /** Value of the collateral after haircuts, with the cash margin; absent without fresh prices. */
  cover: omissible(numeric),
  /** Debt less cover. */
  exposure: omissible(numeric),
  /** True if margin can be called now. */
  callable: bool,
  definitions: list(valuedItem_, ELIGIBLE_MAX),
  height: varint,
})

export interface RepoChangeView extends Infer<typeof changeView_> {}
const changeView_ = struct('RepoChangeView', { height: varint, atMs: varint, event: dataEvent })
export const changePage = pageOf('RepoChangePage', changeView_)

export interface PriceItem extends Infer<typeof priceItem_> {}
const priceItem_ = struct('RepoPriceItem', {
  poster: accountId,
  definition: assetDefinitionId,
  cash: assetDefinitionId,
  price: numeric,
  atMs: varint,
})
export const pricePage = pageOf('RepoPricePage', priceItem_)

export interface CalendarView extends Infer<typeof calendarView> {}
export const calendarView = struct('BusinessCalendarView', {
  calendar: name,
  owner: accountId,
  ...calendarFields,
  holidays: list(calendarDate, HOLIDAYS_MAX),
  /** Business date of the last block, and the next business date. */
  businessDate: calendarDate,
  nextBusinessDate: calendarDate,
  /** Header time of the next cut-off. */
  cutoffMs: varint,
  height: varint,
})

/** Maximum length of a position in a list of agreements: the hex of an id. */
const ID_DIGITS = 64
export const idOfPlace = (place: string): Uint8Array | undefined =>
  place.length === ID_DIGITS ? fromHex(place) : undefined
const repoPlace = text('RepoPlace', ID_DIGITS, (place) =>
  idOfPlace(place) === undefined ? 'a cursor of this list is the id of an agreement' : undefined,
)
const CHANGE_PLACE = /^([1-9][0-9]{0,13})\.([0-9]{1,9})$/
/** Height and number of a change. */
export function changeOfPlace(place: string): readonly [height: number, index: number] | undefined {
  const match = CHANGE_PLACE.exec(place)
  return match === null ? undefined : [Number(match[1]), Number(match[2])]
}
const changePlace = text('RepoChangePlace', 25, (place) =>
  changeOfPlace(place) === undefined ? 'a cursor of this list is written height.number' : undefined,
)

/** Length of the longest account, two definitions and two blanks. */
const PRICE_PLACE_MAX_BYTES = 2 * 40 + 2 * (1 + 257)
/** Position in the list of prices: definitions contain no blank. */
export const placeOfPrice = ({ poster, definition, cash }: PriceKey): string =>
  `${keyBytes(poster).toString('hex')} ${definition} ${cash}`
/** Key at a position; undefined if malformed. */
export function priceOfPlace(place: string): PriceKey | undefined {
  const [hex = '', definition = '', cash = '', ...more] = place.split(' ')
  const poster = fromHex(hex)
  const key = { poster: keyString(poster ?? new Uint8Array()), definition, cash }
  const isKey =
    accountIdFault(key.poster) === undefined && [definition, cash].every((id) => assetDefinitionFault(id) === undefined)
  return isKey && more.length === 0 ? key : undefined
}
const pricePlace = text('RepoPricePlace', PRICE_PLACE_MAX_BYTES, (place) =>
  priceOfPlace(place) === undefined ? 'a cursor of this list is written account definition cash' : undefined,
)

export interface RepoQuery extends Infer<typeof repoQuery_> {}
const repoQuery_ = struct('RepoQuery', { id: hash32 })
export interface AgreementsQuery extends Infer<typeof agreementsQuery_> {}
const agreementsQuery_ = struct('RepoAgreementsQuery', {
  party: option(accountId),
  status: option(repoStatus),
  reference: option(repoReference),
  ...pageQueryFields(repoPlace),
})
export interface ChangesQuery extends Infer<typeof changesQuery_> {}
const changesQuery_ = struct('RepoChangesQuery', { id: hash32, ...pageQueryFields(changePlace) })
export interface PricesQuery extends Infer<typeof pricesQuery_> {}
const pricesQuery_ = struct('RepoPricesQuery', {
  poster: option(accountId),
  definition: option(assetDefinitionId),
  ...pageQueryFields(pricePlace),
})
export interface CalendarQuery extends Infer<typeof calendarQuery_> {}
const calendarQuery_ = struct('BusinessCalendarQuery', { name })

export const queries = defineQueries({
  repo: { id: BASE, input: repoQuery_, output: agreementView },
  repos: { id: BASE + 1, input: agreementsQuery_, output: agreementPage },
  repoExposure: { id: BASE + 2, input: repoQuery_, output: exposureView },
  repoHistory: { id: BASE + 3, input: changesQuery_, output: changePage },
  repoPrices: { id: BASE + 4, input: pricesQuery_, output: pricePage },
  businessCalendar: { id: BASE + 5, input: calendarQuery_, output: calendarView },
})
