/** Instructions of repos: permissions, errors, and the order of the checks. */
import { beforeEach, describe, expect, it } from 'vitest'
import { accounts, accountUse } from '../../../src/executor/accounts.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { vaultOfRepo } from '../../../src/features/repo/ledger/items.js'
import { agreements } from '../../../src/features/repo/ledger/tables.js'
import type { RepoTerms } from '../../../src/features/repo/schema/records.js'
import { balances, controls } from '../../../src/ledger/tables.js'
import { type AccountId, instruction } from '../../../src/model/index.js'
import { Blocks, entry, eventsOf } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import {
  act,
  alice,
  asset,
  BOND,
  blacklist,
  bob,
  carol,
  cents,
  consent,
  DAY_MS,
  dateAfter,
  EUR,
  freeze,
  GOLD,
  HELD,
  HOUR_MS,
  idOf,
  margin,
  outsider,
  owner,
  price,
  propose,
  repoWorld,
  SIDES,
  START_MS,
  setCalendar,
  TERMS,
  TODAY,
} from '../../support/repos.js'

let bench: Bench
beforeEach(() => {
  bench = repoWorld()
})

const rowOf = (reference = 'R1') => bench.state.get(agreements, idOf(reference))
const liveOf = (reference = 'R1') => {
  const row = rowOf(reference)
  if (row?.kind !== 'live') throw new Error('the agreement is not live')
  return row.value
}
const held = (account: AccountId, definition = EUR): bigint => {
  const { mantissa, scale } = bench.state.get(balances, { definition, account }) ?? core.units(0n)
  return mantissa * 10n ** BigInt(2 - scale)
}
const open = (terms: RepoTerms = TERMS, reference = 'R1'): void => {
  expect(bench.run(alice, propose(reference, terms))).toBeUndefined()
  expect(bench.run(bob, consent(reference, terms))).toBeUndefined()
}
/** The cut-off of today: 18:00 in the time of the calendar. */
const CUTOFF_MS = START_MS + 5 * HOUR_MS

describe('a repo calendar', () => {
  it('can be created with CanManageCalendars, and then changed only by its owner', () => {
    expect(bench.run(alice, setCalendar({ calendar: 'new' }))).toBe('not_permitted')
    bench.genesis(owner, core.permission('grant', 'CanManageCalendars', undefined, alice))
    expect(bench.run(alice, setCalendar({ calendar: 'new' }))).toBeUndefined()
    expect(bench.run(owner, setCalendar({ calendar: 'new' }))).toBe('not_permitted')
    expect(bench.run(alice, setCalendar({ calendar: 'new', holidays: [] }))).toBeUndefined()
  })

  it('has no owner if the owner was unregistered, even if the account is registered again', () => {
    bench.genesis(owner, core.permission('grant', 'CanManageCalendars', undefined, outsider))
    expect(bench.run(outsider, setCalendar({ calendar: 'new' }))).toBeUndefined()
    bench.genesis(owner, core.permission('revoke', 'CanManageCalendars', undefined, outsider))
    expect(bench.run(outsider, core.unregister('Account', outsider))).toBeUndefined()
    bench.genesis(owner, core.registerAccount(outsider))
    expect(bench.run(outsider, setCalendar({ calendar: 'new' }))).toBe('not_permitted')
    expect(bench.run(owner, setCalendar({ calendar: 'new' }))).toBeUndefined()
  })

  it('rejects unordered or duplicate holidays, and duplicate weekend days', () => {
    expect(bench.run(owner, setCalendar({ holidays: ['2026-12-25', '2026-12-24'] }))).toBe('bad_terms')
    expect(bench.run(owner, setCalendar({ holidays: ['2026-12-25', '2026-12-25'] }))).toBe('bad_terms')
    expect(bench.run(owner, setCalendar({ weekend: ['sat', 'sat'] }))).toBe('bad_terms')
  })
})

describe('a posted price', () => {
  it('requires existing definitions, and a value above zero with at most 38 digits', () => {
    expect(bench.run(bob, price(5_500n, 'lead#bank'))).toBe('absent')
    expect(bench.run(bob, price(0n))).toBe('bad_amount')
    expect(bench.run(bob, price(-1n))).toBe('bad_amount')
    expect(bench.run(bob, price(10n ** 38n + 1n))).toBe('bad_amount')
    expect(bench.run(outsider, price(10n ** 38n - 1n))).toBeUndefined()
  })

  it('is ignored if its account is not a price poster of the agreement', () => {
    open()
    expect(bench.run(outsider, price(1n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBe('price_stale')
    expect(bench.run(bob, price(6_200n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBe('no_exposure')
  })

  it('is ignored if its poster was registered again', () => {
    open({ ...TERMS, posters: [outsider] })
    expect(bench.run(outsider, price(6_200n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBe('no_exposure')
    expect(bench.run(outsider, core.unregister('Account', outsider))).toBeUndefined()
    bench.genesis(owner, core.registerAccount(outsider))
    expect(bench.run(bob, act('callMargin'))).toBe('price_stale')
    expect(bench.run(outsider, price(6_200n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBe('no_exposure')
  })

  it('is ignored if its definition was registered again', () => {
    const terms = { ...TERMS, eligible: [...TERMS.eligible, { definition: 'coin#bank', haircutPpm: 0 }] }
    bench.genesis(owner, core.registerDefinition('coin#bank'))
    open(terms)
    expect(bench.run(bob, price(9_000n))).toBeUndefined()
    expect(bench.run(bob, price(9_000n, 'coin#bank'))).toBeUndefined()
    expect(bench.run(owner, core.unregister('AssetDefinition', 'coin#bank'))).toBeUndefined()
    bench.genesis(owner, core.registerDefinition('coin#bank'), core.mint(alice, 1_000n, 'coin#bank'))
    expect(bench.run(alice, margin('meetMargin', [asset('coin#bank', 100n)]))).toBe('bad_terms')
  })
})

describe('a repo proposal', () => {
  const proposed = (more: Partial<RepoTerms>) => bench.run(alice, propose('R1', { ...TERMS, ...more }))

  it('can be made only by the seller or the buyer', () => {
    expect(bench.run(carol, propose())).toBe('not_permitted')
    expect(bench.run(carol, propose('R1', TERMS, { ...SIDES, custodian: carol }))).toBe('not_permitted')
    expect(bench.run(bob, propose())).toBeUndefined()
  })

  it('rejects a reference that the account has used before', () => {
    expect(bench.run(alice, propose())).toBeUndefined()
    expect(bench.run(alice, propose())).toBe('exists')
    expect(bench.run(bob, act('withdrawRepo'))).toBeUndefined()
    expect(bench.run(alice, propose())).toBe('exists')
    expect(bench.run(bob, propose())).toBeUndefined()
  })

  it('requires that its accounts, calendar and definitions exist', () => {
    const unregistered = idOf('nobody')
    const unknown = `${bob.slice(0, 3)}${Buffer.from(unregistered).toString('latin1')}`
    expect(bench.run(alice, propose('R1', TERMS, { seller: alice, buyer: unknown }))).toBe('unknown_account')
    expect(proposed({ calendar: 'none' })).toBe('absent')
    expect(proposed({ cash: { definition: 'lead#bank', amount: cents(1n) } })).toBe('absent')
    expect(proposed({ eligible: [...TERMS.eligible, { definition: 'lead#bank', haircutPpm: 0 }] })).toBe('absent')
  })

  it.each<[string, Partial<RepoTerms>]>([
    ['cash of zero', { cash: { definition: EUR, amount: core.units(0n) } }],
    ['cash with too many fraction digits', { cash: { definition: EUR, amount: { mantissa: 1n, scale: 3 } } }],
    ['no collateral', { collateral: [] }],
    ['collateral named twice', { collateral: [asset(GOLD, 1n), asset(GOLD, 2n)] }],
    ['collateral of zero', { collateral: [asset(GOLD, 0n)] }],
    ['collateral that is not eligible', { eligible: [{ definition: BOND, haircutPpm: 0 }] }],
    ['a haircut of 100 %', { eligible: [{ definition: GOLD, haircutPpm: 1_000_000 }] }],
    ['cash that is eligible', { eligible: [...TERMS.eligible, { definition: EUR, haircutPpm: 0 }] }],
    ['a definition that is eligible twice', { eligible: [...TERMS.eligible, ...TERMS.eligible] }],
    ['a negative threshold', { threshold: core.units(-1n) }],
    ['a minimum transfer with too many fraction digits', { minimumTransfer: { mantissa: 1n, scale: 3 } }],
    ['a rate above 100 %', { ratePpm: 1_000_001 }],
    ['a rate below -100 %', { ratePpm: -1_000_001 }],
    ['too many margin days', { marginDays: 31 }],
    ['no poster', { posters: [] }],
    ['a poster named twice', { posters: [bob, bob] }],
    ['a price age of zero', { priceMaxAgeMs: 0 }],
    ['a price age above 30 days', { priceMaxAgeMs: 30 * DAY_MS + 1 }],
    ['a grace above 72 h', { graceMs: 72 * HOUR_MS + 1 }],
    ['a purchase date in the past', { purchaseDate: dateAfter(TODAY, -3) }],
    ['a purchase date on a holiday', { purchaseDate: '2026-12-05' }],
    ['a purchase date too far ahead', { purchaseDate: '2026-12-15', repurchaseDate: '2026-12-16' }],
    ['a repurchase date that is the purchase date', { repurchaseDate: TODAY }],
    ['a repurchase date on a holiday', { repurchaseDate: '2026-12-25' }],
    ['a repurchase date on a Saturday', { repurchaseDate: '2026-12-05' }],
    ['a term above 10 years', { repurchaseDate: '2036-12-03' }],
  ])('rejects %s', (_what, more) => {
    expect(proposed(more)).toBe('bad_terms')
    expect(rowOf()).toBeUndefined()
  })

  it('rejects an account that has two roles', () => {
    expect(bench.run(alice, propose('R1', TERMS, { seller: alice, buyer: alice }))).toBe('bad_terms')
    expect(bench.run(alice, propose('R1', TERMS, { ...SIDES, custodian: bob }))).toBe('bad_terms')
  })

  it('rejects cash without a fixed number of fraction digits', () => {
    const free = { kind: 'infinitely', value: undefined } as const
    const cash = { definition: 'fine#bank', amount: core.units(1n) }
    bench.genesis(
      owner,
      instruction(assets.registerAssetDefinition, {
        id: 'fine#bank',
        scale: undefined,
        mintable: free,
        metadata: new Map(),
      }),
    )
    expect(proposed({ cash })).toBe('bad_terms')
  })

  it('accepts a purchase date ten business days ahead', () => {
    expect(proposed({ purchaseDate: '2026-12-14', repurchaseDate: '2026-12-15' })).toBeUndefined()
  })

  it('prevents the removal of its account until it is withdrawn', () => {
    bench.genesis(owner, core.registerAccount(core.agent))
    const sides = { seller: core.agent, buyer: bob }
    expect(bench.run(core.agent, propose('R1', TERMS, sides))).toBeUndefined()
    expect(bench.run(core.agent, core.unregister('Account', core.agent))).toBe('not_empty')
    expect(bench.run(bob, act('withdrawRepo', 'R1', core.agent))).toBeUndefined()
    expect(bench.run(core.agent, core.unregister('Account', core.agent))).toBeUndefined()
    expect(bench.state.get(accountUse, core.agent)).toBeUndefined()
  })
})

describe('the consent to a repo proposal', () => {
  it('requires a proposed agreement, a party that has not consented yet, and the hash of the terms', () => {
    expect(bench.run(bob, consent())).toBe('absent')
    expect(bench.run(alice, propose('R1', TERMS, { ...SIDES, custodian: carol }))).toBeUndefined()
    const sides = { ...SIDES, custodian: carol }
    expect(bench.run(outsider, consent('R1', TERMS, sides))).toBe('not_permitted')
    expect(bench.run(alice, consent('R1', TERMS, sides))).toBe('exists')
    expect(bench.run(bob, consent('R1', { ...TERMS, ratePpm: 0 }, sides))).toBe('terms_changed')
    expect(bench.run(bob, consent('R1', TERMS))).toBe('terms_changed')
    expect(bench.run(bob, consent('R1', TERMS, sides))).toBeUndefined()
    expect(liveOf().status).toBe('proposed')
    expect(bench.run(carol, consent('R1', TERMS, sides))).toBeUndefined()
    expect(liveOf().status).toBe('open')
    expect(bench.run(bob, consent('R1', TERMS, sides))).toBe('repo_state')
  })

  it('is rejected after seven days and after the purchase date', () => {
    const later = { ...TERMS, purchaseDate: '2026-12-11', repurchaseDate: '2026-12-14' }
    expect(bench.run(alice, propose('R1'))).toBeUndefined()
    expect(bench.run(alice, propose('R2', later))).toBeUndefined()
    bench.timeMs = CUTOFF_MS
    expect(bench.run(bob, consent('R1'))).toBe('repo_state')
    bench.timeMs = START_MS + 7 * DAY_MS
    expect(bench.run(bob, consent('R2', later))).toBe('repo_state')
    bench.timeMs = START_MS + 7 * DAY_MS - 1
    expect(bench.run(bob, consent('R2', later))).toBeUndefined()
    expect(liveOf('R2').status).toBe('waiting')
  })

  it('transfers both legs, or neither', () => {
    expect(bench.run(alice, propose())).toBeUndefined()
    bench.genesis(owner, freeze(EUR, bob))
    expect(bench.run(bob, consent())).toBe('asset_frozen')
    expect([held(alice), held(alice, GOLD)]).toEqual([HELD, HELD])
    expect(bench.state.has(accounts, vaultOfRepo(idOf('R1')))).toBe(false)
    expect(liveOf()).toMatchObject({ status: 'proposed', consents: [alice] })
    bench.genesis(owner, freeze(EUR, bob, false))
    expect(bench.run(bob, consent())).toBeUndefined()
    expect([held(alice), held(alice, GOLD)]).toEqual([HELD + 9_000_000n, HELD - 150_000n])
    expect(held(vaultOfRepo(idOf('R1')), GOLD)).toBe(150_000n)
  })

  it('reports missing collateral before missing cash', () => {
    const terms = {
      ...TERMS,
      collateral: [asset(GOLD, HELD + 1n)],
      cash: { definition: EUR, amount: cents(HELD + 1n) },
    }
    expect(bench.run(alice, propose('R1', terms))).toBeUndefined()
    bench.genesis(owner, blacklist(GOLD, alice))
    expect(bench.run(bob, consent('R1', terms))).toBe('asset_blacklisted')
    bench.genesis(owner, blacklist(GOLD, alice, false))
    expect(bench.run(bob, consent('R1', terms))).toBe('not_enough')
  })
})

describe('collateral in the vault', () => {
  it('can be frozen but not burned by its issuer, and the vault rejects deposits', () => {
    open()
    const vault = vaultOfRepo(idOf('R1'))
    expect(bench.run(owner, core.burn(vault, 1n, GOLD))).toBe('vault_closed')
    expect(bench.run(owner, core.mint(vault, 1n, GOLD))).toBe('vault_closed')
    expect(bench.run(alice, core.transfer(alice, vault, 1n, GOLD))).toBe('vault_closed')
    expect(bench.run(owner, freeze(GOLD, vault))).toBeUndefined()
    expect(bench.state.get(controls, core.balance(vault, GOLD))?.frozen).toBe(true)
    expect(held(vault, GOLD)).toBe(150_000n)
  })
})

describe('margin of a repo', () => {
  beforeEach(() => {
    open({ ...TERMS, threshold: cents(100_000n), minimumTransfer: cents(200_000n) })
  })

  it('can be called by the buyer if the exposure is above the threshold and the minimum', () => {
    expect(bench.run(bob, act('callMargin', 'none'))).toBe('absent')
    expect(bench.run(alice, act('callMargin'))).toBe('not_permitted')
    expect(bench.run(carol, act('callMargin'))).toBe('not_permitted')
    expect(bench.run(bob, act('callMargin'))).toBe('price_stale')
    // 1,500 at 60.55 less 2 % cover 89,008.50: an exposure of 991.50 is below the threshold of 1,000.
    expect(bench.run(bob, price(6_055n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBe('no_exposure')
    // 59.90: 1,947.00 is below the minimum of 2,000.
    expect(bench.run(bob, price(5_990n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBe('no_exposure')
    expect(bench.run(bob, price(5_500n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBeUndefined()
    expect(liveOf().call).toEqual({ exposure: cents(915_000n), atMs: START_MS, dueMs: CUTOFF_MS })
  })

  it('can be delivered by the seller as eligible items and cash that cover the debt', () => {
    expect(bench.run(bob, price(5_500n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBeUndefined()
    expect(bench.run(bob, margin('meetMargin', [], 1n))).toBe('not_permitted')
    expect(bench.run(alice, margin('meetMargin', [asset(EUR, 1n)]))).toBe('bad_terms')
    expect(bench.run(alice, margin('meetMargin', [asset(BOND, 1n), asset(BOND, 1n)]))).toBe('bad_terms')
    expect(bench.run(alice, margin('meetMargin', [asset(BOND, 0n)]))).toBe('bad_amount')
    expect(bench.run(alice, margin('meetMargin', [], HELD * 2n))).toBe('not_enough')
    expect(bench.run(alice, margin('meetMargin', [asset(BOND, 1n)]))).toBe('price_stale')
    expect(bench.run(alice, margin('meetMargin', [], 914_999n))).toBe('margin_short')
    expect(bench.run(alice, margin('meetMargin', [], 915_000n))).toBeUndefined()
    expect(liveOf()).toMatchObject({ call: undefined, cashMargin: cents(915_000n) })
  })

  it('is no longer due if the exposure has ended, and the call can then be cleared without items', () => {
    expect(bench.run(bob, price(5_500n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBeUndefined()
    expect(bench.run(alice, margin('meetMargin', []))).toBe('margin_short')
    expect(bench.run(bob, price(6_200n))).toBeUndefined()
    expect(bench.run(alice, margin('meetMargin', []))).toBeUndefined()
    expect(liveOf().call).toBeUndefined()
  })

  it('can be returned as excess if the debt remains covered', () => {
    expect(bench.run(bob, price(6_500n))).toBeUndefined()
    expect(bench.run(bob, margin('takeExcess', [], 1n))).toBe('not_permitted')
    expect(bench.run(alice, margin('takeExcess', []))).toBe('bad_terms')
    expect(bench.run(alice, margin('takeExcess', [asset(BOND, 1n)]))).toBe('bad_terms')
    expect(bench.run(alice, margin('takeExcess', [asset(GOLD, 150_001n)]))).toBe('not_enough')
    expect(bench.run(alice, margin('takeExcess', [], 1n))).toBe('not_enough')
    // 63.70 a gram: 1,412.88 g cover 90,000, 1,412.87 g do not.
    expect(bench.run(alice, margin('takeExcess', [asset(GOLD, 8_713n)]))).toBe('margin_short')
    expect(bench.run(alice, margin('takeExcess', [asset(GOLD, 8_712n)]))).toBeUndefined()
    expect(held(alice, GOLD)).toBe(HELD - 150_000n + 8_712n)
  })

  it('can cover an agreement with cash alone, without items', () => {
    expect(bench.run(bob, price(6_500n))).toBeUndefined()
    expect(bench.run(alice, margin('meetMargin', [], 9_000_000n))).toBeUndefined()
    expect(bench.run(alice, margin('takeExcess', [asset(GOLD, 150_000n)]))).toBeUndefined()
    expect(liveOf().items).toEqual([])
  })
})

describe('the repurchase of a repo', () => {
  it('before its date requires requests of both parties on the same day', () => {
    open({ ...TERMS, repurchaseDate: dateAfter(TODAY, 3) })
    expect(bench.run(outsider, act('repurchaseRepo'))).toBe('not_permitted')
    expect(bench.run(alice, act('repurchaseRepo'))).toBeUndefined()
    expect(bench.run(alice, act('repurchaseRepo'))).toBe('exists')
    bench.timeMs = CUTOFF_MS
    expect(bench.run(bob, act('repurchaseRepo'))).toBeUndefined()
    expect(liveOf().early).toEqual({ by: bob, day: 1 })
    expect(bench.run(alice, act('repurchaseRepo'))).toBeUndefined()
    expect(rowOf()).toMatchObject({ kind: 'closed', value: { cause: 'repurchased', paid: cents(9_000_913n) } })
    expect(held(bob)).toBe(HELD + 913n)
    expect(bench.state.has(accounts, vaultOfRepo(idOf('R1')))).toBe(false)
  })

  it('from its date on can be submitted by any account, and uses the cash margin first', () => {
    open()
    expect(bench.run(bob, price(5_500n))).toBeUndefined()
    expect(bench.run(alice, margin('meetMargin', [], 915_000n))).toBeUndefined()
    bench.timeMs = CUTOFF_MS
    expect(bench.run(outsider, act('repurchaseRepo'))).toBeUndefined()
    expect([held(alice), held(bob), held(alice, GOLD)]).toEqual([HELD - 913n, HELD + 913n, HELD])
    expect(bench.run(alice, act('repurchaseRepo'))).toBe('repo_state')
  })

  it('returns the part of the margin that exceeds the debt', () => {
    open()
    expect(bench.run(bob, price(1n))).toBeUndefined()
    expect(bench.run(alice, margin('meetMargin', [], 12_000_000n))).toBeUndefined()
    bench.timeMs = CUTOFF_MS
    expect(bench.run(bob, act('repurchaseRepo'))).toBeUndefined()
    expect([held(alice), held(bob)]).toEqual([HELD - 913n, HELD + 913n])
  })

  it('has an amount of at least zero even with negative interest', () => {
    const terms = { ...TERMS, ratePpm: -1_000_000, repurchaseDate: '2028-11-30' }
    open(terms)
    bench.timeMs = CUTOFF_MS + 731 * DAY_MS
    expect(bench.run(outsider, act('repurchaseRepo'))).toBeUndefined()
    expect(rowOf()).toMatchObject({ kind: 'closed', value: { paid: core.units(0n) } })
    expect(held(alice, GOLD)).toBe(HELD)
  })
})

describe('the default of a repo', () => {
  it('can be declared only by the buyer after a missed deadline', () => {
    open()
    expect(bench.run(alice, act('defaultRepo'))).toBe('not_permitted')
    expect(bench.run(bob, act('defaultRepo'))).toBe('not_in_default')
    expect(bench.run(bob, act('closeOutRepo'))).toBe('repo_state')
  })

  it('can be declared on an unmet margin call only while the exposure remains', () => {
    open({ ...TERMS, repurchaseDate: dateAfter(TODAY, 3) })
    expect(bench.run(bob, price(5_500n))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBeUndefined()
    bench.timeMs = CUTOFF_MS - 1
    expect(bench.run(bob, act('defaultRepo'))).toBe('not_in_default')
    bench.timeMs = CUTOFF_MS
    expect(bench.run(bob, price(6_200n))).toBeUndefined()
    expect(bench.run(bob, act('defaultRepo'))).toBe('not_in_default')
    expect(bench.run(bob, price(5_500n))).toBeUndefined()
    expect(bench.run(bob, act('defaultRepo'))).toBeUndefined()
    expect(liveOf()).toMatchObject({ status: 'defaulted', defaulted: { cause: 'marginUnpaid', atMs: CUTOFF_MS } })
    expect(bench.run(alice, act('repurchaseRepo'))).toBe('repo_state')
  })

  it('can be declared after the grace period if the seller lacks the cash, without a fresh price', () => {
    open()
    bench.timeMs = CUTOFF_MS + 2 * HOUR_MS
    expect(bench.run(bob, act('defaultRepo'))).toBe('not_in_default')
    expect(bench.run(alice, core.transfer(alice, carol, (HELD + 9_000_000n) / 100n, EUR))).toBeUndefined()
    bench.genesis(owner, freeze(EUR, alice))
    expect(bench.run(bob, act('defaultRepo'))).toBe('not_in_default')
    bench.genesis(owner, freeze(EUR, alice, false))
    bench.timeMs -= 1
    expect(bench.run(bob, act('defaultRepo'))).toBe('not_in_default')
    bench.timeMs += 1
    expect(bench.run(bob, act('defaultRepo'))).toBeUndefined()
    expect(liveOf().defaulted?.cause).toBe('repurchaseUnpaid')
    expect(held(alice)).toBe(0n)
  })

  const fallen = (units: bigint): void => {
    open({ ...TERMS, repurchaseDate: dateAfter(TODAY, 3) })
    expect(bench.run(bob, price(units))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBeUndefined()
    bench.timeMs = CUTOFF_MS
    expect(bench.run(bob, act('defaultRepo'))).toBeUndefined()
  }

  it('is closed out with the smallest quantity that covers the debt, and the rest is returned', () => {
    fallen(6_100n)
    expect(bench.run(alice, act('closeOutRepo'))).toBe('not_permitted')
    expect(bench.run(bob, act('closeOutRepo'))).toBeUndefined()
    // 90,009.13 / 61 = 1,475.559...
    expect([held(bob, GOLD), held(alice, GOLD)]).toEqual([HELD + 147_556n, HELD - 147_556n])
    expect(rowOf()).toMatchObject({ kind: 'closed', value: { cause: 'closedOut', shortfall: undefined } })
  })

  it('records the debt that is not covered as a shortfall', () => {
    fallen(5_500n)
    expect(bench.run(bob, act('closeOutRepo'))).toBeUndefined()
    expect([held(bob, GOLD), held(alice, GOLD)]).toEqual([HELD + 150_000n, HELD - 150_000n])
    expect(rowOf()).toMatchObject({ value: { shortfall: cents(9_000_913n - 8_250_000n) } })
  })

  it('cannot be closed out without a fresh price', () => {
    fallen(5_500n)
    bench.timeMs += 30 * DAY_MS + 1
    expect(bench.run(bob, act('closeOutRepo'))).toBe('price_stale')
  })
})

describe('due runs of repos', () => {
  const context = () => bench.abi.codec('cw')
  const block = (blocks: Blocks, timeMs: number, by: AccountId, ...made: Parameters<typeof entry>[1]) =>
    blocks.run(timeMs, ...(made.length === 0 ? [] : [entry(by, made, { context: context() })]))

  it('pay at the cut-off time, or retry every hour until the grace period ends', () => {
    open({ ...TERMS, graceMs: 90 * 60_000 })
    const blocks = new Blocks(bench)
    bench.genesis(owner, freeze(EUR, alice))
    expect(block(blocks, CUTOFF_MS - 1, alice).events).toEqual([])
    const retries: unknown[] = []
    for (let at = CUTOFF_MS; at <= CUTOFF_MS + 3 * HOUR_MS; at += 30 * 60_000)
      retries.push(...eventsOf(block(blocks, at, alice), 'repoLate').map(({ retryMs }) => retryMs))
    expect(retries).toEqual([CUTOFF_MS + HOUR_MS, CUTOFF_MS + 90 * 60_000, undefined])
    expect(liveOf()).toMatchObject({ status: 'late', failure: 'asset_frozen' })
  })

  it('use at most their declared units even with 16 items', () => {
    const ids = Array.from({ length: 15 }, (_, at) => `n${at}#bank`)
    bench.genesis(owner, ...ids.flatMap((id) => [core.registerDefinition(id), core.mint(alice, 1_000n, id)]))
    const eligible = [GOLD, ...ids].map((definition) => ({ definition, haircutPpm: 0 }))
    const terms = {
      ...TERMS,
      eligible,
      collateral: [asset(GOLD, 150_000n), ...ids.slice(0, 7).map((id) => asset(id, 1n))],
    }
    open(terms)
    for (const id of [GOLD, ...ids]) expect(bench.run(bob, price(100_000n, id))).toBeUndefined()
    expect(
      bench.run(
        alice,
        margin(
          'meetMargin',
          ids.slice(7, 15).map((id) => asset(id, 1n)),
        ),
      ),
    ).toBeUndefined()
    expect(bench.run(alice, margin('meetMargin', [asset(BOND, 1n)]))).toBe('bad_terms')
    expect(liveOf().items).toHaveLength(16)
    const run = block(new Blocks(bench), CUTOFF_MS, alice)
    expect(eventsOf(run, 'dueRunRan')[0]).toMatchObject({ error: undefined })
    expect(rowOf()).toMatchObject({ kind: 'closed', value: { cause: 'repurchased' } })
  })

  it('close an agreement that cannot be funded', () => {
    const terms = { ...TERMS, purchaseDate: dateAfter(TODAY, 1), repurchaseDate: dateAfter(TODAY, 2) }
    open(terms)
    expect(liveOf().status).toBe('waiting')
    bench.genesis(owner, freeze(EUR, bob))
    const run = block(new Blocks(bench), CUTOFF_MS, alice)
    expect(eventsOf(run, 'repoClosed')).toMatchObject([{ cause: 'unfunded', failure: 'asset_frozen' }])
    expect([held(alice), held(alice, GOLD)]).toEqual([HELD, HELD])
  })

  it('do not open an agreement whose purchase date passed during an outage', () => {
    const terms = { ...TERMS, purchaseDate: dateAfter(TODAY, 1), repurchaseDate: dateAfter(TODAY, 2) }
    open(terms)
    const run = block(new Blocks(bench), CUTOFF_MS + DAY_MS, alice)
    expect(eventsOf(run, 'repoClosed')).toMatchObject([{ cause: 'unfunded', failure: 'repo_state' }])
  })
})
