/** Value of a restricted dataspace in vaults: the payer passes the gate once, and the agreement can always be completed. */
import { describe, expect, it } from 'vitest'
import { balances } from '../../../src/ledger/tables.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import * as repos from '../../support/repos.js'
import * as rwas from '../../support/rwas.js'
import { alice, BOND, bob, outsider, owner, spaceWorld } from '../../support/spaces.js'

const CLASS = 'gold#bank'
const CASH = 1_000_000n
const PLEDGED = 150_000n
const SELLER_AT_HOME = { seller: bob, buyer: alice }
const TERMS = {
  ...repos.TERMS,
  collateral: [repos.asset(BOND, PLEDGED)],
  eligible: [{ definition: BOND, haircutPpm: 0 }],
  posters: [alice],
}

const balanceOf = (bench: Bench, account: string, definition: string) =>
  bench.state.get(balances, { account, definition })

/** The dataspaces of the tests of guests, with cash and a calendar at the bank. */
function repoWorld(): Bench {
  const bench = spaceWorld()
  bench.timeMs = repos.START_MS
  bench.genesis(
    owner,
    core.registerDefinition(repos.EUR),
    core.mint(alice, CASH, repos.EUR),
    core.mint(bob, CASH, repos.EUR),
    core.permission('grant', 'CanManageCalendars', undefined, owner),
    repos.setCalendar(),
  )
  return bench
}

describe('collateral of a restricted dataspace', () => {
  it('returns to a seller at home in the dataspace when the repo is repurchased', () => {
    const bench = repoWorld()
    const before = balanceOf(bench, bob, BOND)
    expect(bench.run(bob, repos.propose('R1', TERMS, SELLER_AT_HOME))).toBeUndefined()
    expect(bench.run(alice, repos.consent('R1', TERMS, { ...SELLER_AT_HOME, proposer: bob }))).toBeUndefined()
    expect(balanceOf(bench, bob, BOND)).not.toEqual(before)
    bench.timeMs = repos.START_MS + 5 * repos.HOUR_MS
    expect(bench.run(bob, repos.act('repurchaseRepo', 'R1', bob))).toBeUndefined()
    expect(balanceOf(bench, bob, BOND)).toEqual(before)
  })

  it('is refused from a seller outside of the dataspace', () => {
    const bench = repoWorld()
    const sides = { seller: alice, buyer: bob }
    expect(bench.run(alice, repos.propose('R1', TERMS, sides))).toBeUndefined()
    expect(bench.run(bob, repos.consent('R1', TERMS, { ...sides, proposer: alice }))).toBe('space_denied')
  })
})

describe('income in an asset of a restricted dataspace', () => {
  /** A class whose issuer may use the dataspace or not. */
  function issued(mayUse: boolean): Bench {
    const bench = spaceWorld()
    bench.genesis(owner, core.mint(owner, 1_000n, BOND))
    if (mayUse) bench.genesis(owner, core.permission('grant', 'CanUseDataspace', '7', owner))
    expect(bench.run(owner, rwas.registerClass(CLASS))).toBeUndefined()
    expect(bench.run(owner, rwas.issue(outsider, 1_000n, { id: CLASS }))).toBeUndefined()
    return bench
  }

  it('is paid out of the vault to a holder outside of the dataspace', () => {
    const bench = issued(true)
    const before = balanceOf(bench, outsider, BOND)
    expect(bench.run(owner, rwas.declare(300n, BOND))).toBeUndefined()
    expect(bench.run(outsider, rwas.claim([1]))).toBeUndefined()
    expect(balanceOf(bench, outsider, BOND)).not.toEqual(before)
  })

  it('is refused from an issuer that may not use the dataspace', () => {
    expect(issued(false).run(owner, rwas.declare(300n, BOND))).toBe('space_denied')
  })
})
