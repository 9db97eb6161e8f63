/** Owns the valuation of an agreement: debt, cover and exposure. Amounts of cash are integers in its smallest units. */
import { type Numeric, normalizeNumeric } from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import { type Rejection, reject } from '../../../executor/contract.js'
import { definitions } from '../../../ledger/tables.js'
import { type AccountId, dayOfDate, exceeds, sameIncarnation, sameRegistration } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { interestOf } from '../schema/interest.js'
import { type HeldItem, type LiveRepo, PPM, type PriceRow, type RepoTerms } from '../schema/records.js'
import { prices } from './tables.js'

const DAY_MS = 86_400_000
/** Largest integer that a numeric can represent. It exceeds any supply, so that a payment of it is `not_enough`. */
const UNITS_MAX = (1n << 511n) - 1n

export const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent)

/** Number of smallest units of an amount with at most `digits` fraction digits. */
export const unitsOf = ({ mantissa, scale }: Numeric, digits: number): bigint => mantissa * tenTo(digits - scale)

/** Amount with an integer number of smallest units, limited to `UNITS_MAX`. */
export function amountOf(units: bigint, digits: number): Numeric {
  const found = normalizeNumeric({ mantissa: units, scale: digits })
  return found ?? { mantissa: units < 0n ? -UNITS_MAX : UNITS_MAX, scale: digits }
}

export const ceilOf = (over: bigint, under: bigint): bigint => (over + under - 1n) / under

/** Days between two dates of valid terms. */
const daysBetween = (from: string, to: string): number => (dayOfDate(to) ?? 0) - (dayOfDate(from) ?? 0)

/** Header time at which the repurchase date begins. */
export const maturityMsOf = ({ accruedFromMs, terms }: LiveRepo): number =>
  accruedFromMs + daysBetween(terms.purchaseDate, terms.repurchaseDate) * DAY_MS

/** Days since the purchase date began. */
export const daysSince = ({ accruedFromMs }: LiveRepo, timeMs: number): number =>
  Math.max(0, Math.floor((timeMs - accruedFromMs) / DAY_MS))

/** Number of the day of an agreement at a time, and header time at which a day begins. */
export const dayAt = (repo: LiveRepo, timeMs: number): number =>
  (dayOfDate(repo.terms.purchaseDate) ?? 0) + daysSince(repo, timeMs)
export const startOf = ({ accruedFromMs, terms }: LiveRepo, day: number): number =>
  accruedFromMs + (day - (dayOfDate(terms.purchaseDate) ?? 0)) * DAY_MS

/** Repurchase price at a time: cash and accrued interest, never below zero. */
export function owedAt({ terms, digits, ...repo }: LiveRepo, timeMs: number): bigint {
  const cash = unitsOf(terms.cash.amount, digits)
  const { ratePpm, basis } = terms
  const owed = cash + interestOf(cash, { ratePpm, basis, days: daysSince({ terms, digits, ...repo }, timeMs) })
  return owed < 0n ? 0n : owed
}

/** Fresh price of a poster. */
export interface FreshPrice {
  readonly poster: AccountId
  readonly price: Numeric
  readonly atMs: number
}

/** True if the current registration of an account posted a price. */
export const isOfPoster = (state: StateReader, poster: AccountId, { posterIncarnation }: PriceRow): boolean =>
  sameRegistration(posterIncarnation, state.get(accounts, poster)?.incarnation)

/** Fresh prices of a definition at a time, in ascending order. */
export function freshPrices(state: StateReader, terms: RepoTerms, definition: string, timeMs: number): FreshPrice[] {
  const cash = terms.cash.definition
  const [asset, money] = [definition, cash].map((id) => state.get(definitions, id)?.incarnation)
  return terms.posters
    .flatMap((poster): FreshPrice[] => {
      const row = state.get(prices, { poster, definition, cash })
      const isMeant =
        row !== undefined &&
        timeMs - row.atMs <= terms.priceMaxAgeMs &&
        isOfPoster(state, poster, row) &&
        sameIncarnation(row.definitionIncarnation, asset) &&
        sameIncarnation(row.cashIncarnation, money)
      return isMeant ? [{ poster, price: row.price, atMs: row.atMs }] : []
    })
    .sort((a, b) => (exceeds(a.price, b.price) ? 1 : exceeds(b.price, a.price) ? -1 : 0))
}

/** Lower median of the fresh prices of a definition; `price_stale` if there are none. */
export function priceOf(state: StateReader, terms: RepoTerms, definition: string, timeMs: number): Numeric | Rejection {
  const fresh = freshPrices(state, terms, definition, timeMs)
  const median = fresh[Math.floor((fresh.length - 1) / 2)]
  return median?.price ?? reject('price_stale', `no poster has a fresh price of ${definition}`)
}

/** Value of an amount at a price less a haircut, rounded down. */
export function worthOf(amount: Numeric, price: Numeric, haircutPpm: number, digits: number): bigint {
  const over = amount.mantissa * price.mantissa * BigInt(PPM - haircutPpm) * tenTo(digits)
  return over / (BigInt(PPM) * tenTo(amount.scale + price.scale))
}

export const haircutOf = (terms: RepoTerms, definition: string): number =>
  terms.eligible.find((one) => one.definition === definition)?.haircutPpm ?? 0

/** Value of items and cash margin after haircuts, or `price_stale`. */
export function coverOf(state: StateReader, repo: LiveRepo, timeMs: number): bigint | Rejection {
  const { terms, digits, items, cashMargin } = repo
  const known = new Map<string, Numeric>()
  let sum = unitsOf(cashMargin, digits)
  for (const { definition, amount } of items as readonly HeldItem[]) {
    const price = known.get(definition) ?? priceOf(state, terms, definition, timeMs)
    if ('code' in price) return price
    known.set(definition, price)
    sum += worthOf(amount, price, haircutOf(terms, definition), digits)
  }
  return sum
}

/** Exposure of the buyer: debt less cover. */
export function exposureOf(state: StateReader, repo: LiveRepo, timeMs: number): bigint | Rejection {
  const cover = coverOf(state, repo, timeMs)
  return typeof cover === 'bigint' ? owedAt(repo, timeMs) - cover : cover
}

/** True if margin can be called for an exposure. */
export const isCallable = ({ terms, digits }: LiveRepo, exposure: bigint): boolean =>
  exposure > unitsOf(terms.threshold, digits) && exposure >= unitsOf(terms.minimumTransfer, digits)
