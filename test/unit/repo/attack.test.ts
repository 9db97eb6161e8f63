/** Attacks on repos: what strangers, custodians and issuers try in order to keep value in a vault. */
import { beforeEach, describe, expect, it } from 'vitest'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'
import { vaultOfRepo } from '../../../src/features/repo/ledger/items.js'
import { agreements, calendars } from '../../../src/features/repo/ledger/tables.js'
import { changeOfPlace } from '../../../src/features/repo/schema/views.js'
import { numberValue } from '../../../src/ledger/indexes.js'
import { instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'
import {
  act,
  alice,
  bob,
  CALENDAR,
  carol,
  cents,
  consent,
  DAY_MS,
  EUR,
  HELD,
  idOf,
  lotItem,
  owner,
  price,
  propose,
  repoWorld,
  SIDES,
  setCalendar,
  TERMS,
} from '../../support/repos.js'
import { ALL, issue, registerClass } from '../../support/rwas.js'

let bench: Bench
beforeEach(() => {
  bench = repoWorld()
})

const statusOf = () => {
  const row = bench.state.get(agreements, idOf('R1'))
  return row?.kind === 'live' ? row.value.status : row?.kind
}
const open = (): void => {
  expect(bench.run(alice, propose())).toBeUndefined()
  expect(bench.run(bob, consent())).toBeUndefined()
}

describe('the vault of a repo', () => {
  it('cannot be given a name by another account, which would prevent its closing', () => {
    const mallory = accountNamed('mallory')
    bench.genesis(owner, core.registerAccount(mallory, 'mallory'))
    open()
    const vault = vaultOfRepo(idOf('R1'))
    const give = instruction(names.createSubname, {
      parent: 'mallory@bank',
      label: 'gift',
      owner: vault,
      account: undefined,
      expiresMs: undefined,
    })
    expect(bench.run(mallory, give)).toBe('vault_closed')
    bench.timeMs += 2 * DAY_MS
    expect(bench.run(bob, act('repurchaseRepo'))).toBeUndefined()
    expect(statusOf()).toBe('closed')
  })
})

describe('a repo calendar', () => {
  it('is rejected if it contains a holiday before 1970', () => {
    expect(bench.run(owner, setCalendar({ holidays: ['1969-12-31'] }))).toBe('bad_terms')
    expect(bench.state.get(calendars, CALENDAR)?.holidays[0]).toBeGreaterThan(0)
  })
})

describe('a margin call of a custodian', () => {
  it('does not extend the deadline of an earlier margin call', () => {
    const sides = { ...SIDES, custodian: carol }
    expect(bench.run(alice, propose('R1', { ...TERMS, graceMs: 0 }, sides))).toBeUndefined()
    expect(bench.run(bob, consent('R1', { ...TERMS, graceMs: 0 }, sides))).toBeUndefined()
    expect(bench.run(carol, consent('R1', { ...TERMS, graceMs: 0 }, sides))).toBeUndefined()
    expect(bench.run(bob, price(1_000n))).toBeUndefined()
    const dueOf = () => {
      const row = bench.state.get(agreements, idOf('R1'))
      return row?.kind === 'live' ? row.value.call?.dueMs : undefined
    }
    expect(bench.run(bob, act('callMargin'))).toBeUndefined()
    const dueMs = dueOf() ?? 0
    expect(dueMs).toBeGreaterThan(bench.timeMs)
    bench.timeMs = dueMs - 1
    bench.timeMs += 1
    expect(bench.run(carol, act('callMargin'))).toBeUndefined()
    expect(dueOf()).toBe(dueMs)
  })
})

describe('an agreement whose cash definition was unregistered', () => {
  it('returns the collateral once both parties request it', () => {
    open()
    for (const [account, units] of [
      [alice, HELD + 9_000_000n],
      [bob, HELD - 9_000_000n],
      [carol, HELD],
    ] as const)
      expect(
        bench.run(owner, instruction(assets.burn, { asset: core.balance(account, EUR), amount: cents(units) })),
      ).toBeUndefined()
    expect(bench.run(owner, instruction(assets.unregisterAssetDefinition, { id: EUR }))).toBeUndefined()
    expect(bench.run(alice, act('repurchaseRepo'))).toBeUndefined()
    expect(bench.run(bob, act('repurchaseRepo'))).toBeUndefined()
    expect(statusOf()).toBe('closed')
  })
})

describe('a cursor in the changes of an agreement', () => {
  it('is rejected if its height exceeds the range of the index', () => {
    expect(() => numberValue(changeOfPlace('99999999999999.0')?.[0] ?? -1)).not.toThrow()
    expect(changeOfPlace('281474976710656.0')).toBeUndefined()
    expect(changeOfPlace('999999999999999.0')).toBeUndefined()
  })
})

describe('a lot of a class that cannot have another holder', () => {
  it('is rejected as collateral, since the buyer could never receive it', () => {
    bench.genesis(owner, registerClass('bar#bank', { flags: ALL, holdersMax: 1 }))
    const lots = [issue(alice, 150_000n, { id: 'bar#bank' }), issue(alice, 1n, { id: 'bar#bank' })]
    expect(bench.run(owner, ...lots)).toBeUndefined()
    const eligible = [{ definition: 'bar#bank', haircutPpm: 0 }]
    const terms = { ...TERMS, collateral: [lotItem('bar#bank/1')], eligible }
    expect(bench.run(alice, propose('R1', terms))).toBeUndefined()
    expect(bench.run(bob, consent('R1', terms))).toBe('holder_limit')
  })
})
