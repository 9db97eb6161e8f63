/** The movements of lots, their errors in order, and what each leaves. */
import { beforeEach, describe, expect, it } from 'vitest'
import { rwaClasses, rwaLots } from '../../../src/ledger/lot-tables.js'
import { balances } from '../../../src/ledger/tables.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { alice, bob, GOLD, hundredths, issue, move, owner, rwaWorld } from '../../support/rwas.js'

let bench: Bench
beforeEach(() => {
  bench = rwaWorld()
  bench.run(owner, issue(alice, 10n))
})

describe('TransferRwa', () => {
  it('moves a whole lot under its number', () => {
    expect(bench.run(alice, move(1, bob))).toBeUndefined()
    expect(bench.state.get(rwaLots, { definition: GOLD, number: 1 })).toMatchObject({
      kind: 'live',
      value: { holder: bob, quantity: hundredths(10n) },
    })
    expect(bench.state.get(balances, { definition: GOLD, account: bob })).toEqual(hundredths(10n))
    expect(bench.state.get(rwaClasses, GOLD)).toMatchObject({ holders: 1, nextLot: 2 })
  })

  it('makes a part a lot of its own', () => {
    expect(bench.run(alice, move(1, bob, 4n))).toBeUndefined()
    expect(bench.state.get(rwaLots, { definition: GOLD, number: 2 })).toMatchObject({
      value: { holder: bob, quantity: hundredths(4n), parents: [{ number: 1, quantity: hundredths(4n) }] },
    })
    expect(bench.state.get(rwaClasses, GOLD)).toMatchObject({ holders: 2, nextLot: 3 })
  })

  it('rejects plain movements of a class', () => {
    expect(bench.run(owner, core.mint(alice, 1n, GOLD))).toBe('lots_only')
    expect(bench.run(alice, core.transfer(alice, bob, 1n, GOLD))).toBe('lots_only')
    expect(bench.run(alice, core.burn(alice, 1n, GOLD))).toBe('lots_only')
  })
})
