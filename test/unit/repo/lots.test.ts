/** Lots as collateral: in the vault, returned to the seller, in parts to the buyer, and their income. */
import { beforeEach, describe, expect, it } from 'vitest'
import { vaultOfRepo } from '../../../src/features/repo/ledger/items.js'
import { agreements } from '../../../src/features/repo/ledger/tables.js'
import type { RepoItem, RepoTerms } from '../../../src/features/repo/schema/records.js'
import { instructions as rwas } from '../../../src/features/rwas/schema/instructions.js'
import { rwaLots } from '../../../src/ledger/lot-tables.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { keysIn } from '../../support/nodes.js'
import {
  act,
  alice,
  asset,
  bob,
  carol,
  cents,
  consent,
  DAY_MS,
  dateAfter,
  EUR,
  HOUR_MS,
  idOf,
  lotItem,
  margin,
  owner,
  price,
  propose,
  repoWorld,
  START_MS,
  TERMS,
  TODAY,
} from '../../support/repos.js'
import { ALL, issue, registerClass } from '../../support/rwas.js'

const BAR = 'bar#bank'
const LOT = `${BAR}/1`
const CUTOFF_MS = START_MS + 5 * HOUR_MS
const vault = vaultOfRepo(idOf('R1'))

let bench: Bench
beforeEach(() => {
  bench = repoWorld()
})

const termsWith = (...collateral: readonly RepoItem[]): RepoTerms => ({
  ...TERMS,
  collateral,
  eligible: [{ definition: BAR, haircutPpm: 20_000 }],
  repurchaseDate: dateAfter(TODAY, 1),
})
/** A class with a lot of 1,500 of alice. */
const world = (eligibleOnly = false): void => {
  bench.genesis(owner, registerClass(BAR, { flags: { ...ALL, eligibleOnly } }))
  if (eligibleOnly) admit(alice)
  expect(bench.run(owner, issue(alice, 150_000n, { id: BAR }))).toBeUndefined()
}
const admit = (account: AccountId, eligibleUntilMs: number | undefined = START_MS + 30 * DAY_MS): void => {
  expect(bench.run(owner, instruction(rwas.setRwaHolder, { class: BAR, account, eligibleUntilMs }))).toBeUndefined()
}
const open = (terms: RepoTerms): string | undefined => {
  expect(bench.run(alice, propose('R1', terms))).toBeUndefined()
  return bench.run(bob, consent('R1', terms))
}
const lotOf = (number: number) => {
  const row = bench.state.get(rwaLots, { definition: BAR, number })
  return row?.kind === 'live' ? row.value : undefined
}
/** Lots of each holder sum to its balance. */
const expectSums = (): void => {
  const sums = new Map<string, bigint>()
  for (const key of keysIn(bench.state, rwaLots)) {
    const row = bench.state.get(rwaLots, key)
    if (row?.kind !== 'live') continue
    const { holder, quantity } = row.value
    sums.set(holder, (sums.get(holder) ?? 0n) + quantity.mantissa * 10n ** BigInt(2 - quantity.scale))
  }
  for (const account of [alice, bob, carol, vault]) {
    const { mantissa, scale } = bench.state.get(balances, { definition: BAR, account }) ?? core.units(0n)
    expect(mantissa * 10n ** BigInt(2 - scale)).toBe(sums.get(account) ?? 0n)
  }
}

describe('a lot used as repo collateral', () => {
  it('is held by the vault of the agreement and returns as the same lot', () => {
    world()
    expect(open(termsWith(lotItem(LOT)))).toBeUndefined()
    expect(lotOf(1)).toMatchObject({ holder: vault, beneficiary: alice, quantity: cents(150_000n) })
    expectSums()
    expect(bench.run(alice, instruction(rwas.transferRwa, { lot: LOT, to: carol, quantity: undefined }))).toBe(
      'not_permitted',
    )
    bench.timeMs = CUTOFF_MS
    expect(bench.run(carol, act('repurchaseRepo'))).toBeUndefined()
    expect(lotOf(1)).toMatchObject({ holder: alice, beneficiary: undefined })
    expectSums()
  })

  it('is split if only a part of it is pledged', () => {
    world()
    expect(open(termsWith(lotItem(LOT, 40_000n)))).toBeUndefined()
    expect(bench.state.get(agreements, idOf('R1'))).toMatchObject({
      value: { items: [{ definition: BAR, amount: cents(40_000n), lot: `${BAR}/2` }] },
    })
    expect(lotOf(1)).toMatchObject({ holder: alice, quantity: cents(110_000n) })
    expect(lotOf(2)).toMatchObject({ holder: vault, quantity: cents(40_000n) })
    expectSums()
  })

  it('cannot be pledged as a plain amount, by another account, or twice', () => {
    world()
    expect(open(termsWith(asset(BAR, 1n)))).toBe('lots_only')
    bench = repoWorld()
    world()
    expect(bench.run(alice, instruction(rwas.transferRwa, { lot: LOT, to: carol, quantity: undefined }))).toBe(
      undefined,
    )
    expect(open(termsWith(lotItem(LOT)))).toBe('not_enough')
    expect(bench.run(alice, propose('R2', termsWith(lotItem(LOT), lotItem(LOT, 1n))))).toBe('bad_terms')
  })

  it('requires that both parties are eligible, but always returns to the seller', () => {
    world(true)
    expect(open(termsWith(lotItem(LOT)))).toBe('not_eligible')
    admit(bob)
    expect(bench.run(bob, consent('R1', termsWith(lotItem(LOT))))).toBeUndefined()
    admit(alice, undefined)
    bench.timeMs = CUTOFF_MS
    expect(bench.run(bob, act('repurchaseRepo'))).toBeUndefined()
    expect(lotOf(1)).toMatchObject({ holder: alice })
    expectSums()
  })

  it('stays in the vault while it is frozen, without a default of either party', () => {
    world()
    expect(open(termsWith(lotItem(LOT)))).toBeUndefined()
    expect(bench.run(owner, instruction(rwas.freezeRwa, { lot: LOT, frozen: true, reason: 'court' }))).toBeUndefined()
    bench.timeMs = CUTOFF_MS + 3 * HOUR_MS
    expect(bench.run(bob, act('repurchaseRepo'))).toBe('lot_frozen')
    expect(bench.run(bob, act('defaultRepo'))).toBe('not_in_default')
    expect(bench.run(owner, instruction(rwas.forceTransferRwa, { lots: [LOT], to: carol, reason: 'court' }))).toBe(
      'vault_closed',
    )
    expectSums()
  })

  it('earns income for the seller while it is in the vault', () => {
    world()
    expect(open(termsWith(lotItem(LOT)))).toBeUndefined()
    bench.genesis(owner, core.mint(owner, 1_000n, EUR))
    expect(
      bench.run(owner, instruction(rwas.declareRwaIncome, { class: BAR, cash: EUR, amount: cents(30_000n) })),
    ).toBeUndefined()
    const before = bench.state.get(balances, { definition: EUR, account: alice })
    expect(before).toEqual(cents(100_000_000n + 9_000_000n))
    expect(
      bench.run(carol, instruction(rwas.claimRwaIncome, { class: BAR, lots: [LOT], accounts: [alice] })),
    ).toBeUndefined()
    expect(bench.state.get(balances, { definition: EUR, account: alice })).toEqual(cents(109_030_000n))
  })

  it('is closed out only for the part that covers the debt', () => {
    world()
    expect(open({ ...termsWith(lotItem(LOT)), repurchaseDate: dateAfter(TODAY, 3) })).toBeUndefined()
    expect(bench.run(bob, price(6_100n, BAR))).toBeUndefined()
    expect(bench.run(bob, act('callMargin'))).toBeUndefined()
    bench.timeMs = CUTOFF_MS
    expect(bench.run(bob, act('defaultRepo'))).toBeUndefined()
    expect(bench.run(bob, act('closeOutRepo'))).toBeUndefined()
    expect(lotOf(1)).toMatchObject({ holder: alice, quantity: cents(2_444n) })
    expect(lotOf(2)).toMatchObject({ holder: bob, quantity: cents(147_556n) })
    expectSums()
  })

  it('can be returned in part as excess', () => {
    world()
    expect(open(termsWith(lotItem(LOT)))).toBeUndefined()
    expect(bench.run(bob, price(6_500n, BAR))).toBeUndefined()
    expect(bench.run(alice, margin('takeExcess', [lotItem(LOT, 8_713n)]))).toBe('margin_short')
    expect(bench.run(alice, margin('takeExcess', [lotItem(LOT, 8_712n)]))).toBeUndefined()
    expect(lotOf(2)).toMatchObject({ holder: alice, quantity: cents(8_712n) })
    expectSums()
  })
})
