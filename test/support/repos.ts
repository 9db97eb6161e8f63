/** Owns a small world of repos for tests: two desks, a custodian, euros, two kinds of collateral, a calendar. */
import { normalizeNumeric } from '../../src/codec/index.js'
import type { Abi } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as repos, type SetBusinessCalendar } from '../../src/features/repo/schema/instructions.js'
import { type RepoItem, type RepoTerms, repoIdOf, termsHashOf } from '../../src/features/repo/schema/records.js'
import { type AccountId, dateOfDay, dayOfDate, type Instruction, instruction } from '../../src/model/index.js'
import type { RowReader } from '../../src/state/index.js'
import * as core from './core.js'
import { accountNamed, Bench } from './executor.js'

export const { owner, alice, bob, outsider } = core
export const carol = accountNamed('carol')
export const EUR = 'eur#bank'
export const GOLD = 'gold#bank'
export const BOND = 'bond#bank'
export const CALENDAR = 'demo'
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
/** Monday, 30 November 2026, noon in UTC. */
export const START_MS = Date.UTC(2026, 10, 30, 12)
/** An hour ahead of UTC, with the cut-off at 18:00. */
export const RULES = { offsetMinutes: 60, cutoffMinute: 18 * 60 } as const
export const TODAY = '2026-11-30'
export const HOLIDAYS = ['2026-12-25', '2027-01-01']
/** Initial amount of each definition held by alice, bob and carol, in the smallest units. */
export const HELD = 100_000_000n

/** Date a number of days after another. */
export const dateAfter = (date: string, days: number): string => dateOfDay((dayOfDate(date) ?? 0) + days)

/** Amount in units of a hundredth. */
export const cents = (units: bigint) => normalizeNumeric({ mantissa: units, scale: 2 }) ?? core.units(0n)

export const asset = (definition: string, units: bigint): RepoItem => ({
  kind: 'asset',
  value: { definition, amount: cents(units) },
})
export const lotItem = (lot: string, units?: bigint): RepoItem => ({
  kind: 'lot',
  value: { lot, quantity: units === undefined ? undefined : cents(units) },
})

/** Terms: 90,000 euros for a day against 1,500 g of gold. */
export const TERMS: RepoTerms = {
  cash: { definition: EUR, amount: cents(9_000_000n) },
  collateral: [asset(GOLD, 150_000n)],
  eligible: [
    { definition: GOLD, haircutPpm: 20_000 },
    { definition: BOND, haircutPpm: 50_000 },
  ],
  ratePpm: 36_500,
  basis: 'act360',
  purchaseDate: TODAY,
  repurchaseDate: dateAfter(TODAY, 1),
  calendar: CALENDAR,
  threshold: core.units(0n),
  minimumTransfer: core.units(0n),
  marginDays: 0,
  posters: [bob],
  priceMaxAgeMs: 30 * DAY_MS,
  graceMs: 2 * HOUR_MS,
}

export interface Sides {
  readonly seller: AccountId
  readonly buyer: AccountId
  readonly custodian?: AccountId | undefined
}
export const SIDES: Sides = { seller: alice, buyer: bob }
const full = ({ seller, buyer, custodian }: Sides) => ({ seller, buyer, custodian })

export const idOf = (reference: string, proposer: AccountId = alice): Buffer => repoIdOf(proposer, reference)
export const propose = (reference = 'R1', terms: RepoTerms = TERMS, sides: Sides = SIDES): Instruction =>
  instruction(repos.proposeRepo, { reference, sides: full(sides), terms })
export const consent = (
  reference = 'R1',
  terms: RepoTerms = TERMS,
  { proposer = alice, ...sides }: Partial<Sides> & { readonly proposer?: AccountId } = {},
): Instruction =>
  instruction(repos.consentRepo, {
    id: idOf(reference, proposer),
    termsHash: termsHashOf({ ...full({ ...SIDES, ...sides }), terms }),
  })
type Verb = 'withdrawRepo' | 'callMargin' | 'repurchaseRepo' | 'defaultRepo' | 'closeOutRepo'
export const act = (verb: Verb, reference = 'R1', proposer: AccountId = alice): Instruction =>
  instruction(repos[verb], { id: idOf(reference, proposer) })
export const margin = (
  verb: 'meetMargin' | 'takeExcess',
  items: readonly RepoItem[],
  cash = 0n,
  id: Uint8Array = idOf('R1'),
): Instruction => instruction(repos[verb], { id, items, cash: cash === 0n ? undefined : cents(cash) })
export const price = (units: bigint, definition = GOLD, scale = 2): Instruction =>
  instruction(repos.postRepoPrice, {
    definition,
    cash: EUR,
    price: normalizeNumeric({ mantissa: units, scale }) ?? core.units(0n),
  })
export const setCalendar = (more: Partial<SetBusinessCalendar> = {}): Instruction =>
  instruction(repos.setBusinessCalendar, {
    calendar: CALENDAR,
    ...RULES,
    weekend: ['sat', 'sun'] as const,
    holidays: HOLIDAYS,
    ...more,
  })

export const freeze = (definition: string, account: AccountId, frozen = true): Instruction =>
  instruction(assets.setFreeze, { asset: core.balance(account, definition), frozen, reason: undefined })
export const blacklist = (definition: string, account: AccountId, blacklisted = true): Instruction =>
  instruction(assets.setBlacklist, { asset: core.balance(account, definition), blacklisted })

export const capDay = (definition: string, account: AccountId, units: bigint | undefined): Instruction =>
  instruction(assets.setLimits, {
    asset: core.balance(account, definition),
    limits: units === undefined ? [] : [{ window: 'day', cap: cents(units) }],
  })
export const burn = (definition: string, account: AccountId, units: bigint): Instruction =>
  instruction(assets.burn, { asset: core.balance(account, definition), amount: cents(units) })

/** Bank whose three desks have euros and collateral. */
export function repoWorld(parent?: RowReader, abi: Abi = ABI_2): Bench {
  const bench = new Bench(parent, abi)
  bench.timeMs = START_MS
  bench.genesis(
    owner,
    core.registerDomain('bank'),
    ...[owner, alice, bob, carol, outsider].map((id) => core.registerAccount(id)),
    ...[EUR, GOLD, BOND].map((id) => core.registerDefinition(id)),
    ...[alice, bob, carol].flatMap((id) =>
      [EUR, GOLD, BOND].map((definition) => core.mint(id, HELD / 100n, definition)),
    ),
    core.permission('grant', 'CanManageCalendars', undefined, owner),
    setCalendar(),
  )
  return bench
}
