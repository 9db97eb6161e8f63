/** Owns the ids, the bounds and the records of repos. */
import {
  enumOf,
  hash32,
  type Infer,
  list,
  type Numeric,
  numeric,
  option,
  refine,
  type Schema,
  struct,
  text,
  u8,
  u16,
  u32,
  unitEnum,
  varint,
  zigzag,
} from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  calendarDate,
  incarnation,
  keyBytes,
  lotId,
  name,
  range,
} from '../../../model/index.js'
import { ISO_REFERENCE_MAX_CHARS, isIsoReference } from '../../../model/iso-text.js'

/** Ids of repos: feature 16, 1800 to 1899. */
export const REPO_IDS = range(16)
const BASE = REPO_IDS.first
export const REPO_TABLES = { agreements: BASE, prices: BASE + 1, calendars: BASE + 2 } as const
/** Read indexes: agreements by party, changes by agreement. */
export const REPO_INDEXES = { parties: BASE, changes: BASE + 1 } as const

const DAY_MS = 86_400_000
/** Maximum number of items of collateral in a proposal, and of items in an instruction on margin. */
export const COLLATERAL_MAX = 8
/** Maximum number of items of an agreement. */
export const ITEMS_MAX = 16
/** Maximum number of eligible definitions of an agreement. */
export const ELIGIBLE_MAX = 16
export const POSTERS_MAX = 3
/** 100 % in parts per million. */
export const PPM = 1_000_000
/** Maximum absolute value of a rate, in ppm per year: 100 %. */
export const RATE_MAX_PPM = 1_000_000
/** Maximum number of business days from the proposal to the purchase date. */
export const AHEAD_MAX_DAYS = 10
/** Maximum number of days from the purchase date to the repurchase date: 10 years. */
export const TERM_MAX_DAYS = 3_653
export const MARGIN_DAYS_MAX = 30
export const GRACE_MAX_MS = 3 * DAY_MS
/** Maximum age of a price that terms may allow, in ms. */
export const PRICE_AGE_MAX_MS = 30 * DAY_MS
/** Time for the consents to a proposal, in ms. */
export const CONSENT_MS = 7 * DAY_MS
export const HOLIDAYS_MAX = 1_024
/** Maximum number of weekend days of a calendar, so that each week has a business day. */
export const WEEKEND_MAX = 6
/** Bounds of the offset of local time from UTC, in minutes. */
const OFFSET_MIN = -12 * 60
const OFFSET_MAX = 14 * 60
const MINUTES_PER_DAY = 1_440

/** Reference of an agreement: 1 to 35 characters of ISO 20022 texts. */
export const repoReference = text('RepoReference', ISO_REFERENCE_MAX_CHARS, (value) =>
  isIsoReference(value) ? undefined : `expected 1 to ${ISO_REFERENCE_MAX_CHARS} characters of ISO 20022 texts`,
)

/** Id of an agreement: hash of its proposer and its reference. */
export const repoIdOf = (proposer: AccountId, reference: string): Buffer =>
  hash('repo', keyBytes(proposer), Buffer.from(reference, 'latin1'))

/** Amount of an asset. */
export const repoAsset = struct('RepoAsset', { definition: assetDefinitionId, amount: numeric })
/** Lot, or a part of it. */
const repoLot_ = struct('RepoLot', {
  lot: lotId,
  /** Absent: the whole lot. */
  quantity: option(numeric),
})
/** Item to pledge or to return. */
export type RepoItem = Infer<typeof repoItem>
export const repoItem = enumOf('RepoItem', { asset: [0, repoAsset], lot: [1, repoLot_] })
export const repoItems: Schema<readonly RepoItem[]> = list(repoItem, COLLATERAL_MAX)

/** Item in the vault of an agreement. */
export interface HeldItem extends Infer<typeof heldItem_> {}
const heldItem_ = struct('RepoHeldItem', {
  definition: assetDefinitionId,
  amount: numeric,
  /** Absent: an amount of an asset. */
  lot: option(lotId),
})
export const heldItems: Schema<readonly HeldItem[]> = list(heldItem_, ITEMS_MAX)

/** Definition that an agreement accepts as collateral, with its haircut: the share of the value that is not counted. */
const eligible_ = struct('RepoEligible', { definition: assetDefinitionId, haircutPpm: u32 })

/** Day count of interest: actual days over 360 or 365. */
export type RepoBasis = Infer<typeof repoBasis_>
const repoBasis_ = unitEnum('RepoBasis', { act360: 0, act365f: 1 })
export const BASIS_DAYS: Readonly<Record<RepoBasis, number>> = { act360: 360, act365f: 365 }

const termsFields = {
  /** Purchase price. */
  cash: repoAsset,
  collateral: repoItems,
  eligible: list(eligible_, ELIGIBLE_MAX),
  /** Interest rate in ppm per year. */
  ratePpm: zigzag,
  basis: repoBasis_,
  purchaseDate: calendarDate,
  repurchaseDate: calendarDate,
  calendar: name,
  /** Exposure up to which no margin can be called, in cash. */
  threshold: numeric,
  /** Minimum exposure for which margin can be called, in cash. */
  minimumTransfer: numeric,
  /** Business days from a margin call to its deadline. */
  marginDays: u8,
  /** Accounts whose prices are used. */
  posters: list(accountId, POSTERS_MAX),
  priceMaxAgeMs: varint,
  graceMs: varint,
}
export interface RepoTerms extends Infer<typeof repoTerms> {}
export const repoTerms = struct('RepoTerms', termsFields)

/** Parties of an agreement. */
export const sideFields = {
  /** Seller of the collateral, who receives the cash. */
  seller: accountId,
  /** Buyer of the collateral, who pays the cash. */
  buyer: accountId,
  /** Third party that consents to the agreement and may call margin; it holds no assets. */
  custodian: option(accountId),
}
const agreed_ = struct('RepoAgreed', { ...sideFields, terms: repoTerms })
export interface RepoAgreed extends Infer<typeof agreed_> {}
/** Hash of the parties and terms to which each party consents. */
export const termsHashOf = (agreed: RepoAgreed): Buffer => hash('repo-terms', agreed_.encode(agreed))

export const repoStatus = unitEnum('RepoStatus', {
  proposed: 0,
  /** All consents are given; the purchase date has not begun. */
  waiting: 1,
  open: 2,
  /** The repurchase is due and its payment failed. */
  late: 3,
  defaulted: 4,
  closed: 5,
})
export type DefaultCause = Infer<typeof defaultCause>
export const defaultCause = unitEnum('RepoDefaultCause', { marginUnpaid: 0, repurchaseUnpaid: 1 })
export type CloseCause = Infer<typeof closeCause>
export const closeCause = unitEnum('RepoCloseCause', { withdrawn: 0, unfunded: 1, repurchased: 2, closedOut: 3 })

/** Margin call. */
export const marginCall = struct('RepoMarginCall', {
  exposure: numeric,
  atMs: varint,
  /** Header time from which on the agreement can be in default. */
  dueMs: varint,
})
/** Maximum length of an error code, in bytes. */
const CODE_MAX_BYTES = 64
export const repoFailure = text('RepoFailure', CODE_MAX_BYTES, () => undefined)

/** Open agreement. */
export interface LiveRepo extends Infer<typeof liveRepo_> {}
const liveRepo_ = struct('LiveRepo', {
  reference: repoReference,
  ...sideFields,
  proposer: accountId,
  terms: repoTerms,
  termsHash: hash32,
  status: unitEnum('LiveRepoStatus', { proposed: 0, waiting: 1, open: 2, late: 3, defaulted: 4 }),
  consents: list(accountId, 3),
  proposedMs: varint,
  /** Fraction digits of cash. */
  digits: u8,
  /** Registrations of the definitions of cash and of the eligible ones, in the order of the terms. */
  registrations: list(incarnation, ELIGIBLE_MAX + 1),
  /** Header time at which the purchase date begins and interest starts to accrue. */
  accruedFromMs: varint,
  items: heldItems,
  /** Cash margin in the vault. */
  cashMargin: numeric,
  call: option(marginCall),
  /** Party that requested an early repurchase, and the day, counted from the purchase date. */
  early: option(struct('RepoEarly', { by: accountId, day: varint })),
  /** Error code of the last failed payment. */
  failure: option(repoFailure),
  defaulted: option(struct('RepoDefault', { cause: defaultCause, atMs: varint })),
})
/** Permanent record of a closed agreement, so that its id is never used again. */
const closedRepo_ = struct('ClosedRepo', {
  reference: repoReference,
  ...sideFields,
  proposer: accountId,
  termsHash: hash32,
  cause: closeCause,
  atMs: varint,
  /** Definition of the cash. */
  cash: assetDefinitionId,
  /** Cash that was paid to the buyer. */
  paid: numeric,
  /** Part of the debt that the collateral did not cover, in cash. */
  shortfall: option(numeric),
})
export type RepoRow = Infer<typeof repoRow>
export const repoRow = enumOf('RepoRow', { live: [0, liveRepo_], closed: [1, closedRepo_] })

export const priceKey = struct('RepoPriceKey', {
  poster: accountId,
  definition: assetDefinitionId,
  cash: assetDefinitionId,
})
export interface PriceKey extends Infer<typeof priceKey> {}
/** Price of a unit of a definition in cash. */
export interface PriceRow extends Infer<typeof priceRow> {}
export const priceRow = struct('RepoPriceRow', {
  price: numeric,
  atMs: varint,
  /** Registrations of the poster, the definition and the cash; the price is void for later registrations. */
  posterIncarnation: option(incarnation),
  definitionIncarnation: incarnation,
  cashIncarnation: incarnation,
})
/** Maximum number of digits of a price, at most 28 of them fraction digits. */
export const PRICE_MAX_DIGITS = 38
const PRICE_END = 10n ** BigInt(PRICE_MAX_DIGITS)
export const isPrice = ({ mantissa }: Numeric): boolean => mantissa > 0n && mantissa < PRICE_END

/** Days of a weekend. */
export const weekday = unitEnum('Weekday', { mon: 0, tue: 1, wed: 2, thu: 3, fri: 4, sat: 5, sun: 6 })
const within = (what: string, min: number, max: number) => (value: number) =>
  value < min || value > max ? `${what} must be between ${min} and ${max}` : undefined
export const calendarFields = {
  /** Offset of local time from UTC, in minutes. */
  offsetMinutes: refine(zigzag, 'CalendarOffset', within('the offset, in minutes,', OFFSET_MIN, OFFSET_MAX)),
  /** Minute of the local day at which the next day of the calendar begins. */
  cutoffMinute: refine(u16, 'CalendarCutoff', within('the minute of the cut-off', 0, MINUTES_PER_DAY - 1)),
  weekend: list(weekday, WEEKEND_MAX),
}
/** A calendar with its holidays as days since 1 January 1970. */
export interface CalendarRow extends Infer<typeof calendarRow> {}
export const calendarRow = struct('BusinessCalendarRow', {
  ...calendarFields,
  owner: accountId,
  /** Registration of the owner; the calendar has no owner after its removal. */
  ownerIncarnation: incarnation,
  holidays: list(varint, HOLIDAYS_MAX),
})
