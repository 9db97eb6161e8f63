/**
 * Owns the inputs about repos: the longest calendars and ids, and agreements with the maximum number of items and
 * prices.
 */
import { ABI_2 } from '../../../src/features/abi.js'
import type { RepoTerms } from '../../../src/features/repo/schema/records.js'
import { type AccountId, dateOfDay, dayOfDate, type Instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import * as repos from '../../support/repos.js'
import { alice, bob, LONG_DOMAIN, owner, repeat, type WorstCase } from './inputs.js'

const { carol, EUR, GOLD, START_MS, TERMS, TODAY } = repos
const CUTOFF_MS = START_MS + 6 * repos.HOUR_MS
/** Definitions with the longest ids. */
const FAT = repeat(16, (at) => `${String(at).padStart(128, 'r')}#${LONG_DOMAIN}`)
/** All working days after today as holidays, with a weekend of six days: a roll walks over 7,168 days. */
const HOLIDAYS = repeat(1_024, (week) => dateOfDay((dayOfDate(TODAY) ?? 0) + 1 + 7 * (week + 1)))
const LAZY = repos.setCalendar({
  calendar: 'lazy',
  weekend: ['mon', 'wed', 'thu', 'fri', 'sat', 'sun'] as const,
  holidays: HOLIDAYS,
})
const AGREEMENTS = 12
const POSTERS: readonly AccountId[] = [alice, bob, carol]

const world = (bench: Bench): void => {
  bench.timeMs = START_MS
  bench.genesis(
    owner,
    core.registerDomain(LONG_DOMAIN),
    core.registerAccount(carol),
    core.permission('grant', 'CanManageCalendars', undefined, owner),
    ...[EUR, GOLD, ...FAT].map((id) => core.registerDefinition(id)),
    ...[alice, bob].flatMap((id) => [EUR, ...FAT].map((definition) => core.mint(id, 10_000_000n, definition))),
    repos.setCalendar({ weekend: [] }),
    LAZY,
  )
}
const FULL: RepoTerms = {
  ...TERMS,
  collateral: FAT.slice(0, 8).map((id) => repos.asset(id, 100n)),
  eligible: FAT.map((definition) => ({ definition, haircutPpm: 10 })),
  posters: POSTERS,
}
const reference = (at: number): string => `R${at}`.padEnd(35, 'x')
const proposals = (terms: RepoTerms): Instruction[] => repeat(AGREEMENTS, (at) => repos.propose(reference(at), terms))
const proposed = (bench: Bench): void => {
  world(bench)
  bench.genesis(alice, ...proposals(FULL))
}
/** Open agreements with 16 items, each with three prices. */
const opened = (bench: Bench): void => {
  proposed(bench)
  for (const poster of POSTERS) bench.genesis(poster, ...FAT.map((id) => repos.price(1_000_000n, id)))
  bench.genesis(bob, ...repeat(AGREEMENTS, (at) => repos.consent(reference(at), FULL)))
  const more = FAT.slice(8).map((id) => repos.asset(id, 100n))
  bench.genesis(alice, ...repeat(AGREEMENTS, (at) => repos.margin('meetMargin', more, 1n, repos.idOf(reference(at)))))
}
/** The same after a fall of their prices. */
const fallen = (bench: Bench): void => {
  opened(bench)
  for (const poster of POSTERS) bench.genesis(poster, ...FAT.map((id) => repos.price(1n, id)))
}
const defaulted = (bench: Bench): void => {
  fallen(bench)
  bench.genesis(bob, ...repeat(AGREEMENTS, (at) => repos.act('callMargin', reference(at))))
  bench.timeMs = CUTOFF_MS
  bench.genesis(bob, ...repeat(AGREEMENTS, (at) => repos.act('defaultRepo', reference(at))))
}
const each = (verb: Parameters<typeof repos.act>[0]) => () =>
  repeat(AGREEMENTS, (at) => [repos.act(verb, reference(at))])

const shared = { abi: ABI_2, timeMs: START_MS } as const
export const REPO_CASES: Readonly<Record<string, WorstCase>> = {
  'repo: calendars of 1,024 holidays': {
    ...shared,
    by: owner,
    prepare: world,
    transactions: () => repeat(30, () => [LAZY]),
  },
  'repo: proposals after 1,024 holidays': {
    ...shared,
    prepare: world,
    transactions: () =>
      proposals({ ...FULL, calendar: 'lazy', purchaseDate: '2026-12-01', repurchaseDate: '2026-12-15' }).map((one) => [
        one,
      ]),
    fails: true,
  },
  'repo: consents that deliver 8 items': {
    ...shared,
    by: bob,
    prepare: proposed,
    transactions: () => repeat(AGREEMENTS, (at) => [repos.consent(reference(at), FULL)]),
  },
  'repo: prices': {
    ...shared,
    by: bob,
    isCommon: true,
    prepare: world,
    transactions: () => repeat(40, (at) => [repos.price(BigInt(at + 1), FAT[0])]),
  },
  'repo: margin calls on 16 items': { ...shared, by: bob, prepare: fallen, transactions: each('callMargin') },
  'repo: repurchases of 16 items': {
    ...shared,
    timeMs: CUTOFF_MS,
    by: bob,
    prepare: opened,
    transactions: each('repurchaseRepo'),
  },
  'repo: close-outs of 16 items': {
    ...shared,
    timeMs: CUTOFF_MS,
    by: bob,
    prepare: defaulted,
    transactions: each('closeOutRepo'),
  },
}
