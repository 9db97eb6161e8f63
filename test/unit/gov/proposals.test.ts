/** Proposals: who submits and decides them, their statuses, times and deposits, and the order of the checks. */
import { describe, expect, it } from 'vitest'
import { accountUse } from '../../../src/executor/accounts.js'
import { parameterOf } from '../../../src/executor/parameters.js'
import { BLOCK_TIME_MS } from '../../../src/executor/system-parameters.js'
import { stateOf } from '../../../src/features/gov/ledger/account.js'
import { ballots, contents, locks, outcomes, seals } from '../../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import {
  accountOfPeer,
  act,
  alice,
  assetTrack,
  BY_VALIDATORS,
  bob,
  COIN,
  cancelProposal,
  carol,
  dave,
  enact,
  finalize,
  GOV,
  GovChain,
  HELD,
  lock,
  MINUTE_MS,
  outsider,
  owner,
  PEERS,
  ROLE,
  setParameter,
  submit,
  track,
  unlock,
  VOTE,
  VOTERS,
} from '../../support/gov.js'

const held = (chain: GovChain, account: AccountId, definition = COIN): bigint =>
  chain.state.get(balances, { definition, account })?.mantissa ?? 0n

describe('a proposal decided by a sealed role', () => {
  it('closes early, waits for its timelock, and is enacted by any account', () => {
    const chain = new GovChain()
    expect(chain.run(alice, submit(0))).toBeUndefined()
    expect(chain.status()).toBe('voting')
    for (const voter of [alice, bob]) expect(chain.run(voter, chain.vote(1))).toBeUndefined()
    expect(chain.run(outsider, finalize(1))).toBe('not_due')
    expect(chain.run(carol, chain.vote(1))).toBeUndefined()
    expect(chain.run(outsider, finalize(1))).toBeUndefined()
    expect(chain.status()).toBe('approved')
    expect(chain.run(outsider, enact(1))).toBe('not_due')
    expect(chain.after(1_000, outsider, enact(1))).toBeUndefined()
    expect(chain.status()).toBe('enacted')
    chain.pass(1)
    chain.pass(1)
    expect(parameterOf(chain.state, BLOCK_TIME_MS)).toBe(50)
    expect(chain.run(outsider, enact(1))).toBe('not_due')
    expect(chain.state.get(accountUse, alice)?.objects).toBe(0)
  })

  it('closes and is enacted by runs of the chain, at full minutes', () => {
    const chain = new GovChain()
    chain.run(alice, submit(0))
    for (const voter of VOTERS) chain.run(voter, chain.vote(1))
    expect(chain.status()).toBe('voting')
    chain.minutes(1)
    expect(chain.status()).toBe('approved')
    chain.minutes(1)
    expect(chain.status()).toBe('enacted')
  })

  it('is rejected without votes, without a quorum, or with as many nays as ayes', () => {
    for (const votes of [[], ['aye'], ['aye', 'nay']] as const) {
      const chain = new GovChain()
      chain.run(alice, submit(0))
      for (const [at, choice] of votes.entries()) chain.run(VOTERS[at] ?? alice, chain.vote(1, choice))
      expect(chain.after(20_000, outsider, finalize(1))).toBeUndefined()
      expect(chain.status()).toBe('rejected')
    }
  })

  it('accepts ballots until one millisecond before its end, and a second ballot replaces the first', () => {
    const chain = new GovChain()
    chain.run(alice, submit(0))
    const { endMs } = chain.row()
    chain.run(alice, chain.vote(1, 'nay'))
    expect(chain.after(endMs - 1 - chain.nowMs, alice, chain.vote(1))).toBeUndefined()
    expect(chain.state.get(ballots, 1)).toHaveLength(1)
    expect(chain.after(1, bob, chain.vote(1))).toBe('not_voting')
  })

  it('validates the proposal, the elector, the status, the digest and the amount of a ballot in this order', () => {
    const chain = new GovChain()
    chain.run(alice, submit(0))
    const wrong = { digest: Buffer.alloc(32, 7) }
    expect(chain.run(outsider, chain.vote(2))).toBe('absent')
    expect(chain.run(outsider, chain.vote(1, 'aye', wrong))).toBe('not_elector')
    expect(chain.run(alice, chain.vote(1, 'aye', { ...wrong, amount: 1n }))).toBe('wrong_digest')
    expect(chain.run(alice, chain.vote(1, 'aye', { amount: 1n }))).toBe('bad_parameter')
    expect(chain.run(alice, chain.vote(1, 'aye', { conviction: 1 }))).toBe('bad_parameter')
    expect(chain.after(20_000, alice, chain.vote(1, 'aye', wrong))).toBe('not_voting')
  })

  it('excludes the ballot of a member that resigns from the role before the end', () => {
    const chain = new GovChain([[0, track({ early: false })]])
    chain.run(alice, submit(0))
    for (const voter of [alice, bob]) chain.run(voter, chain.vote(1))
    expect(chain.run(bob, core.roleOf('revoke', ROLE, bob))).toBeUndefined()
    expect(chain.run(bob, chain.vote(1))).toBe('not_elector')
    expect(chain.after(20_000, outsider, finalize(1))).toBeUndefined()
    expect(chain.status()).toBe('rejected')
    expect(chain.row().tally.ayes).toEqual(core.units(1n))
  })

  it('can be withdrawn by its proposer in the lead time, and accepts ballots afterwards', () => {
    const chain = new GovChain([[0, track({ leadMs: 10_000 })]])
    chain.run(alice, submit(0))
    expect(chain.status()).toBe('lead')
    expect(chain.run(bob, chain.vote(1))).toBe('not_voting')
    expect(chain.run(bob, act('withdrawProposal', 1))).toBe('not_permitted')
    expect(chain.run(alice, finalize(1))).toBe('not_due')
    expect(chain.run(alice, act('withdrawProposal', 1))).toBeUndefined()
    expect(chain.status()).toBe('withdrawn')
    chain.run(alice, submit(0))
    expect(chain.after(10_000, alice, act('withdrawProposal', 2))).toBe('not_voting')
    expect(chain.run(bob, chain.vote(2))).toBeUndefined()
    expect(chain.status(2)).toBe('voting')
  })

  it('can be cancelled by governance until it is enacted', () => {
    const chain = new GovChain()
    const number = chain.approved([setParameter('block_time_ms', 60)])
    expect(chain.run(outsider, cancelProposal(number))).toBe('not_permitted')
    expect(chain.enacted([cancelProposal(number)])).toBeUndefined()
    expect(chain.status(number)).toBe('cancelled')
    expect(chain.run(outsider, enact(number))).toBe('not_due')
    expect(chain.enacted([cancelProposal(number)])).toBe('not_voting')
  })

  it('cannot cancel or enact itself', () => {
    const chain = new GovChain()
    expect(chain.enacted([cancelProposal(1)])).toBe('not_voting')
    expect(chain.enacted([enact(2)])).toBe('not_due')
    expect(chain.status(1)).toBe('approved')
  })

  it('counts towards the limit of two per account, and towards the limit of its track', () => {
    const chain = new GovChain([[0, track({ places: 3 })]])
    for (let at = 0; at < 2; at += 1) expect(chain.run(alice, submit(0))).toBeUndefined()
    expect(chain.run(alice, submit(0))).toBe('too_many_proposals')
    expect(chain.run(bob, submit(0))).toBeUndefined()
    expect(chain.run(carol, submit(0))).toBe('too_many_proposals')
    expect(chain.after(20_000, outsider, finalize(1))).toBeUndefined()
    expect(chain.run(alice, submit(0))).toBeUndefined()
  })

  it('prevents the removal of the account of its proposer', () => {
    const chain = new GovChain()
    chain.run(alice, submit(0))
    expect(chain.run(alice, core.unregister('Account', alice))).toBe('not_empty')
  })

  it('is removed with its pages after 128 later proposals have closed', () => {
    const chain = new GovChain([[0, track({ leadMs: 1 })]])
    for (let number = 1; number <= 130; number += 1) {
      chain.nowMs += 2
      chain.blocks.run(chain.nowMs)
      expect(chain.after(0, alice, submit(0), act('withdrawProposal', number))).toBeUndefined()
    }
    expect(chain.state.has(contents, 2)).toBe(false)
    expect(chain.state.has(contents, 3)).toBe(true)
    expect(stateOf(chain.state)?.closed).toHaveLength(128)
    expect(chain.run(alice, chain.vote(2))).toBe('absent')
  })
})

describe('a proposal decided by validators', () => {
  const chain = () => new GovChain([[0, track({ electorate: BY_VALIDATORS })]])
  const [p0, p1, p2] = PEERS

  it('accepts ballots from the account of a network key, or from its elector', () => {
    const net = chain()
    if (p0 === undefined || p1 === undefined || p2 === undefined) throw new Error('three peers')
    expect(net.run(alice, instruction(gov.setElector, { peer: p0.key, account: alice }))).toBe('not_permitted')
    expect(net.run(accountOfPeer(p0), instruction(gov.setElector, { peer: p0.key, account: alice }))).toBeUndefined()
    expect(net.run(accountOfPeer(p0), submit(0, undefined, p0.key))).toBe('not_elector')
    expect(net.run(alice, submit(0, undefined, p0.key))).toBeUndefined()
    expect(net.run(alice, net.vote(1))).toBe('not_elector')
    expect(net.run(alice, net.vote(1, 'aye', { peer: p1.key }))).toBe('not_elector')
    expect(net.run(alice, net.vote(1, 'aye', { peer: p0.key }))).toBeUndefined()
    for (const one of [p1, p2])
      expect(net.run(accountOfPeer(one), net.vote(1, 'aye', { peer: one.key }))).toBeUndefined()
    expect(net.run(outsider, finalize(1))).toBeUndefined()
    expect(net.status()).toBe('approved')
  })

  it('ignores an elector that was registered again', () => {
    const net = chain()
    if (p0 === undefined) throw new Error('a peer')
    net.run(accountOfPeer(p0), instruction(gov.setElector, { peer: p0.key, account: outsider }))
    expect(net.run(outsider, core.unregister('Account', outsider))).toBeUndefined()
    expect(net.run(owner, core.registerAccount(outsider))).toBeUndefined()
    expect(net.run(outsider, submit(0, undefined, p0.key))).toBe('not_elector')
    expect(net.run(accountOfPeer(p0), submit(0, undefined, p0.key))).toBeUndefined()
  })
})

describe('a proposal decided by locked votes', () => {
  const start = (more = {}) => {
    const chain = new GovChain([
      [0, track()],
      [2, assetTrack(more)],
    ])
    for (const voter of VOTERS) expect(chain.run(voter, lock(100_000n))).toBeUndefined()
    return chain
  }

  it('requires a lock of the minimum, and a deposit', () => {
    const chain = start()
    expect(chain.run(outsider, submit(2))).toBe('not_elector')
    expect(chain.run(alice, unlock(99_901n), submit(2))).toBe('lock_too_small')
    expect(chain.run(alice, submit(2))).toBeUndefined()
    expect(held(chain, alice)).toBe(HELD - 10n)
  })

  it('returns the deposit at its end, but forfeits the deposit if support is below 5 %', () => {
    const chain = start()
    chain.run(alice, submit(2))
    chain.run(bob, chain.vote(1, 'aye', { amount: 5_000n }))
    chain.run(carol, chain.vote(1, 'nay', { amount: 95_000n }))
    expect(chain.after(80_000, outsider, finalize(1))).toBeUndefined()
    expect(held(chain, alice)).toBe(HELD)
    chain.run(alice, submit(2))
    chain.run(bob, chain.vote(2, 'aye', { amount: 4_999n }))
    chain.run(carol, chain.vote(2, 'nay', { amount: 95_001n }))
    expect(chain.after(80_000, outsider, finalize(2))).toBeUndefined()
    expect(held(chain, alice)).toBe(HELD - 10n)
    expect(held(chain, GOV)).toBe(10n)
  })

  it('keeps the deposit of a blacklisted proposer until the blacklisting is lifted', () => {
    const chain = start()
    chain.run(alice, submit(2))
    const blacklist = (blacklisted: boolean) => ({
      kind: 'setBlacklist',
      value: { asset: core.balance(alice, COIN), blacklisted },
    })
    expect(chain.run(owner, blacklist(true))).toBeUndefined()
    expect(chain.after(80_000, outsider, finalize(1))).toBeUndefined()
    expect(chain.status()).toBe('rejected')
    expect(chain.run(alice, unlock(undefined, COIN))).toBe('asset_blacklisted')
    expect(chain.run(owner, blacklist(false))).toBeUndefined()
    expect(chain.run(alice, unlock(undefined, COIN))).toBeUndefined()
    expect(held(chain, alice)).toBe(HELD)
    expect(chain.state.has(locks, { definition: COIN, account: alice })).toBe(false)
  })

  it('costs twice the previous deposit from the fifth open proposal of the track on', () => {
    const chain = start()
    const paid: bigint[] = []
    for (const voter of [...VOTERS, ...VOTERS]) {
      const before = held(chain, voter)
      expect(chain.run(voter, submit(2))).toBeUndefined()
      paid.push(before - held(chain, voter))
    }
    expect(paid).toEqual([10n, 10n, 10n, 10n, 20n, 40n, 80n, 160n])
  })

  it('ends later if a late ballot changes the result, by at most one voting period in total', () => {
    const chain = start()
    chain.run(alice, submit(2))
    const { plannedEndMs } = chain.row()
    const at = (ms: number) => ms - chain.nowMs
    chain.after(at(plannedEndMs - 20_001), alice, chain.vote(1))
    expect(chain.row().endMs).toBe(plannedEndMs)
    chain.after(at(plannedEndMs - 20_000), bob, chain.vote(1, 'aye'))
    expect(chain.row().endMs).toBe(plannedEndMs)
    chain.after(at(plannedEndMs - 1), carol, chain.vote(1, 'nay', { conviction: 6 }))
    expect(chain.row().endMs).toBe(plannedEndMs - 1 + 20_000)
    for (let turn = 0; turn < 20; turn += 1) {
      const { endMs } = chain.row()
      if (chain.nowMs >= endMs - 1) break
      chain.after(at(endMs - 1), carol, chain.vote(1, turn % 2 === 0 ? 'abstain' : 'nay', { conviction: 6 }))
    }
    expect(chain.row().endMs).toBe(plannedEndMs + 60_000)
  })

  it('locks votes of the winning side for their conviction, and releases the losing side at the end', () => {
    const chain = start()
    chain.run(alice, submit(2))
    chain.run(alice, chain.vote(1, 'aye', { conviction: 3 }))
    chain.run(bob, chain.vote(1, 'nay', { amount: 60_000n, conviction: 2 }))
    chain.run(carol, chain.vote(1, 'aye', { conviction: 0 }))
    expect(chain.run(alice, unlock())).toBe('lock_held')
    expect(chain.message).toContain('until proposal 1 is closed')
    expect(chain.run(bob, unlock(40_001n))).toBe('lock_held')
    expect(chain.run(bob, unlock(40_000n))).toBeUndefined()
    expect(chain.after(80_000, outsider, finalize(1))).toBeUndefined()
    const { endMs } = chain.row()
    expect(chain.status()).toBe('approved')
    expect(chain.run(bob, unlock())).toBeUndefined()
    expect(chain.run(carol, unlock())).toBeUndefined()
    const freeMs = endMs + 4 * 60_000
    expect(chain.after(freeMs - 1 - chain.nowMs, alice, unlock())).toBe('lock_held')
    expect(chain.message).toContain(`free_at_ms ${freeMs}`)
    expect(chain.after(1, alice, unlock())).toBeUndefined()
    expect(chain.state.has(locks, { definition: VOTE, account: alice })).toBe(false)
    expect(chain.state.get(accountUse, alice)?.objects).toBe(0)
  })

  it('releases its locks at once if it is cancelled', () => {
    const chain = start()
    chain.run(alice, submit(2))
    chain.run(alice, chain.vote(1, 'aye', { conviction: 6 }))
    expect(chain.enacted([cancelProposal(1)])).toBeUndefined()
    expect(chain.run(alice, unlock())).toBeUndefined()
  })

  it('rejects a ballot of an account that already has 32 ballots holding a lock', () => {
    const chain = start({ deposit: undefined })
    const ballot = (proposal: number) => ({ proposal, choice: 'aye' as const, amount: core.units(1n), conviction: 1 })
    chain.run(bob, submit(2))
    const key = { definition: VOTE, account: alice }
    const lockRow = chain.state.get(locks, key)
    if (lockRow === undefined) throw new Error('alice has a lock')
    const outcome = { winner: 'aye' as const, endMs: chain.nowMs, stepMs: 1_000_000_000 }
    for (let at = 0; at < 32; at += 1) chain.state.set(outcomes, 100 + at, outcome)
    const full = Array.from({ length: 32 }, (_, at) => ballot(100 + at))
    chain.state.set(locks, key, { ...lockRow, held: full })
    expect(chain.run(alice, chain.vote(1))).toBe('ballot_limit')
    chain.state.delete(outcomes, 100)
    expect(chain.run(alice, chain.vote(1))).toBeUndefined()
    expect(chain.state.get(locks, key)?.held).toHaveLength(32)
  })

  it('rejects ballots above the lock, and only definitions with a track can be locked', () => {
    const chain = start()
    chain.run(alice, submit(2))
    expect(chain.run(alice, chain.vote(1, 'aye', { amount: 100_001n }))).toBe('lock_too_small')
    expect(chain.run(alice, chain.vote(1, 'aye', { amount: 0n }))).toBe('bad_amount')
    expect(chain.run(alice, lock(1n, COIN))).toBe('bad_electorate')
    expect(chain.run(alice, lock(1n, 'lead#bank'))).toBe('absent')
    expect(chain.run(alice, lock(HELD))).toBe('not_enough')
    expect(chain.run(outsider, unlock())).toBe('absent')
    expect(chain.run(alice, unlock(100_001n))).toBe('not_enough')
  })

  it('closes at the next block if its minute was missed, however long the chain was idle', () => {
    const chain = start()
    chain.run(alice, submit(2))
    for (const voter of VOTERS) chain.run(voter, chain.vote(1))
    chain.pass(30 * 24 * 60 * MINUTE_MS)
    expect(chain.status()).toBe('approved')
    chain.minutes(1)
    expect(chain.status()).toBe('enacted')
  })
})

describe('a sealed role', () => {
  it('is changed by the governance account only, and its members can resign', () => {
    const chain = new GovChain()
    expect(chain.run(owner, core.roleOf('grant', ROLE, outsider))).toBe('sealed_role')
    expect(chain.run(owner, core.roleOf('revoke', ROLE, bob))).toBe('sealed_role')
    expect(chain.run(owner, core.rolePermission('grant', 'CanSetParameters', undefined, ROLE))).toBe('sealed_role')
    expect(chain.run(owner, core.unregister('Account', dave))).not.toBeUndefined()
    expect(chain.run(dave, core.roleOf('revoke', ROLE, dave))).toBeUndefined()
    expect(chain.state.get(seals, ROLE)).toEqual([alice, bob, carol])
    expect(chain.enacted([core.roleOf('grant', ROLE, outsider)])).toBeUndefined()
    expect(chain.state.get(seals, ROLE)).toEqual([alice, bob, carol, outsider])
  })

  it('cannot lose its last member', () => {
    const chain = new GovChain()
    for (const voter of [bob, carol, dave]) expect(chain.run(voter, core.roleOf('revoke', ROLE, voter))).toBeUndefined()
    expect(chain.run(alice, core.roleOf('revoke', ROLE, alice))).toBe('sealed_role')
  })

  it('can be emptied and removed by governance if no track uses it', () => {
    const chain = new GovChain()
    const seal = instruction(gov.sealRole, { role: 'more', members: [alice] })
    chain.run(owner, core.registerRole('more'), core.roleOf('grant', 'more', alice))
    expect(chain.enacted([seal])).toBeUndefined()
    expect(chain.run(owner, core.unregister('Role', 'more'))).toBe('not_empty')
    expect(chain.enacted([core.roleOf('revoke', 'more', alice), core.unregister('Role', 'more')])).toBeUndefined()
    expect(chain.state.has(seals, 'more')).toBe(false)
  })

  it('must be sealed with exactly its current members', () => {
    const chain = new GovChain()
    const seal = (members: readonly AccountId[]) => instruction(gov.sealRole, { role: 'more', members })
    chain.run(owner, core.registerRole('more'), core.roleOf('grant', 'more', alice), core.roleOf('grant', 'more', bob))
    expect(chain.run(owner, seal([alice, bob]))).toBe('not_permitted')
    expect(chain.enacted([seal([alice])])).toBe('bad_electorate')
    expect(chain.enacted([seal([alice, alice])], bob)).toBe('bad_electorate')
    expect(chain.enacted([seal([alice, outsider])], carol)).toBe('bad_electorate')
    expect(chain.enacted([seal([alice, bob])])).toBeUndefined()
  })
})
