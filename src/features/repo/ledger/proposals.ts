/** Owns proposals of agreements, their terms, and the consents to them. */
import { accounts, countUse } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { cancelRun, scheduleRun } from '../../../executor/due-runs/index.js'
import {
  type BusinessCalendar,
  businessDate,
  isBusinessDay,
  shift,
  startOfDayMs,
} from '../../../ledger/business-days.js'
import { amountFault, ZERO } from '../../../ledger/money.js'
import { definitionOf } from '../../../ledger/moves.js'
import { type AccountId, dayOfDate, domainOfDefinition, type Incarnation } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { ConsentRepo, OfRepo, ProposeRepo } from '../schema/instructions.js'
import {
  AHEAD_MAX_DAYS,
  COLLATERAL_MAX,
  CONSENT_MS,
  GRACE_MAX_MS,
  type LiveRepo,
  MARGIN_DAYS_MAX,
  PPM,
  PRICE_AGE_MAX_MS,
  RATE_MAX_PPM,
  type RepoTerms,
  repoIdOf,
  TERM_MAX_DAYS,
  termsHashOf,
} from '../schema/records.js'
import { endRepo } from './ending.js'
import { definitionOfItem, repeatedItemFault } from './items.js'
import { giveItemsBack, ITEM_TEU } from './maturity.js'
import { closingMsOf, openRepo, openRun } from './opening.js'
import { agreements, calendars, repoIn } from './tables.js'

const bad = (message: string): Rejection => reject('bad_terms', message)
const twice = (texts: readonly string[]): boolean => new Set(texts).size < texts.length

/** Reason why the parties are invalid, or undefined. */
function sidesFault({ seller, buyer, custodian }: ProposeRepo['sides']): Rejection | undefined {
  const all = [seller, buyer, ...(custodian === undefined ? [] : [custodian])]
  return twice(all) ? bad('seller, buyer and custodian must be different accounts') : undefined
}

/** Reason why amounts of cash are invalid, or undefined. */
function cashFault({ cash, threshold, minimumTransfer }: RepoTerms, digits: number): Rejection | undefined {
  if (amountFault(cash.amount, digits) !== undefined)
    return bad(`cash must be greater than zero and have at most ${digits} fraction digits`)
  const isFine = [threshold, minimumTransfer].every(({ mantissa, scale }) => mantissa >= 0n && scale <= digits)
  return isFine
    ? undefined
    : bad(`threshold and minimum transfer must not be negative and have at most ${digits} fraction digits`)
}

/** Reason why the collateral or the eligible definitions are invalid, or undefined. */
function collateralFault({ cash, collateral, eligible }: RepoTerms): Rejection | undefined {
  const names = eligible.map(({ definition }) => definition)
  if (twice(names)) return bad('an eligible definition is named twice')
  if (names.includes(cash.definition))
    return bad('the cash definition counts as margin and must not be named as eligible')
  if (eligible.some(({ haircutPpm }) => haircutPpm >= PPM)) return bad(`a haircut must be less than ${PPM} ppm`)
  if (collateral.length === 0) return bad('an agreement must have collateral')
  const repeated = repeatedItemFault(collateral)
  if (repeated !== undefined) return repeated
  for (const item of collateral) {
    const definition = definitionOfItem(item)
    if (!names.includes(definition)) return bad(`collateral ${definition} is not eligible`)
    const amount = item.kind === 'asset' ? item.value.amount : item.value.quantity
    if (amount !== undefined && amount.mantissa <= 0n) return bad('an amount of collateral must be greater than zero')
  }
  return undefined
}

/** Reason why dates are invalid, or undefined. */
function datesFault(terms: RepoTerms, calendar: BusinessCalendar, timeMs: number): Rejection | undefined {
  const [purchase, repurchase] = [dayOfDate(terms.purchaseDate) ?? 0, dayOfDate(terms.repurchaseDate) ?? 0]
  const today = businessDate(calendar, timeMs)
  if (purchase < today || purchase > shift(calendar, today, AHEAD_MAX_DAYS))
    return bad(`the purchase date must be at most ${AHEAD_MAX_DAYS} business days ahead`)
  if (repurchase <= purchase || repurchase > purchase + TERM_MAX_DAYS)
    return bad(`the repurchase date must be 1 to ${TERM_MAX_DAYS} days after the purchase date`)
  const isOpen = isBusinessDay(calendar, purchase) && isBusinessDay(calendar, repurchase)
  return isOpen ? undefined : bad('purchase and repurchase dates must be business days')
}

/** Reason why rates, posters or times are invalid, or undefined. */
function rulesFault({ ratePpm, marginDays, posters, priceMaxAgeMs, graceMs }: RepoTerms): Rejection | undefined {
  if (Math.abs(ratePpm) > RATE_MAX_PPM) return bad(`the rate must be within ${RATE_MAX_PPM} ppm a year`)
  if (marginDays > MARGIN_DAYS_MAX) return bad(`margin days must be at most ${MARGIN_DAYS_MAX}`)
  if (posters.length === 0 || twice(posters)) return bad('an agreement must have 1 to 3 different posters')
  if (priceMaxAgeMs < 1 || priceMaxAgeMs > PRICE_AGE_MAX_MS)
    return bad(`the age of prices must be 1 to ${PRICE_AGE_MAX_MS} ms`)
  return graceMs > GRACE_MAX_MS ? bad(`the grace must be at most ${GRACE_MAX_MS} ms`) : undefined
}

/** Registrations of cash and of eligible definitions, or `absent`. */
function registrationsOf(ctx: ExecContext, { cash, eligible }: RepoTerms): readonly Incarnation[] | Rejection {
  const found: Incarnation[] = []
  for (const { definition } of [cash, ...eligible]) {
    const row = definitionOf(ctx, { definition })
    if ('code' in row) return row
    found.push(row.incarnation)
  }
  return found
}

export const proposeRepo: Execution<ProposeRepo> = {
  cost: { base: 400, per: [{ teu: 40, item: 'item', count: ({ terms }) => terms.collateral.length }] },
  primaryDomain: ({ terms }) => domainOfDefinition(terms.cash.definition),
  execute(ctx, { reference, sides, terms }) {
    const { authority } = ctx
    const { timeMs } = ctx.env
    const id = repoIdOf(authority, reference)
    if (ctx.has(agreements, id)) return reject('exists', 'the account has already used this reference')
    const { seller, buyer, custodian } = sides
    for (const party of [seller, buyer, ...(custodian === undefined ? [] : [custodian])])
      if (!ctx.has(accounts, party)) return unknownAccount(ctx, party)
    const calendar = ctx.get(calendars, terms.calendar)
    if (calendar === undefined) return reject('absent', `calendar ${terms.calendar} does not exist`)
    const registrations = registrationsOf(ctx, terms)
    if ('code' in registrations) return registrations
    if (authority !== seller && authority !== buyer)
      return reject('not_permitted', 'a proposal requires the seller or the buyer')
    const digits = definitionOf(ctx, terms.cash)
    if ('code' in digits) return digits
    if (digits.scale === undefined) return bad('the definition of cash must have a fixed number of fraction digits')
    const fault =
      sidesFault(sides) ??
      cashFault(terms, digits.scale) ??
      collateralFault(terms) ??
      rulesFault(terms) ??
      datesFault(terms, calendar, timeMs)
    if (fault) return fault
    const termsHash = termsHashOf({ seller, buyer, custodian, terms })
    const repo: LiveRepo = {
      reference,
      seller,
      buyer,
      custodian,
      proposer: authority,
      terms,
      termsHash,
      status: 'proposed',
      consents: [authority],
      proposedMs: timeMs,
      digits: digits.scale,
      registrations,
      accruedFromMs: startOfDayMs(calendar, dayOfDate(terms.purchaseDate) ?? 0),
      items: [],
      cashMargin: ZERO,
      call: undefined,
      early: undefined,
      failure: undefined,
      defaulted: undefined,
    }
    countUse(ctx, authority, 'objects', 1)
    ctx.set(agreements, id, { kind: 'live', value: repo })
    ctx.emit(events.repoProposed, { id, seller, buyer, custodian, reference, termsHash })
    return undefined
  },
}

export const withdrawRepo: Execution<OfRepo> = {
  cost: { base: 128 },
  execute(ctx, { id }) {
    const found = repoIn(ctx, id, 'proposed', 'waiting')
    if ('code' in found) return found
    const { seller, buyer } = found.repo
    if (ctx.authority !== seller && ctx.authority !== buyer)
      return reject('not_permitted', 'withdrawing an agreement requires the seller or the buyer')
    cancelRun(ctx, openRun, id)
    return endRepo(ctx, found, { cause: 'withdrawn' })
  },
}

/** Accounts whose consent is required. */
const partiesOf = ({ seller, buyer, custodian }: LiveRepo): readonly AccountId[] => [
  ...[seller, buyer],
  ...(custodian === undefined ? [] : [custodian]),
]

export const consentRepo: Execution<ConsentRepo> = {
  cost: { base: 600 + ITEM_TEU * COLLATERAL_MAX },
  execute(ctx, { id, termsHash }) {
    const found = repoIn(ctx, id, 'proposed')
    if ('code' in found) return found
    const { repo } = found
    const { authority } = ctx
    const { timeMs } = ctx.env
    giveItemsBack(ctx, ITEM_TEU, COLLATERAL_MAX, repo.terms.collateral.length)
    if (timeMs >= repo.proposedMs + CONSENT_MS || timeMs >= closingMsOf(repo))
      return reject('repo_state', 'the proposal has expired')
    const parties = partiesOf(repo)
    if (!parties.includes(authority)) return reject('not_permitted', 'consenting requires a party or the custodian')
    if (repo.consents.includes(authority)) return reject('exists', 'the account has already consented')
    if (Buffer.compare(termsHash, repo.termsHash) !== 0)
      return reject('terms_changed', 'the hash does not match the parties and terms of the agreement')
    const { seller, buyer } = repo
    const consents = [...repo.consents, authority]
    countUse(ctx, authority, 'objects', 1)
    ctx.emit(events.repoConsented, { id, seller, buyer, by: authority })
    const agreed: LiveRepo = { ...repo, consents }
    if (consents.length < parties.length) {
      ctx.set(agreements, id, { kind: 'live', value: agreed })
      return undefined
    }
    if (timeMs >= repo.accruedFromMs) return openRepo(ctx, { id, repo: agreed })
    const due = scheduleRun(ctx, openRun, id, { owner: seller, dueMs: repo.accruedFromMs })
    if (typeof due !== 'number') return due
    ctx.set(agreements, id, { kind: 'live', value: { ...agreed, status: 'waiting' } })
    ctx.emit(events.repoWaiting, { id, seller, buyer, opensMs: due })
    return undefined
  },
}
