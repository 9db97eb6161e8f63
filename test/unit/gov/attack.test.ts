/** Attacks on votes, electorates, deposits and contents: what an attacker could gain by them, and does not. */
import { describe, expect, it } from 'vitest'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { stateOf, writeState } from '../../../src/features/gov/ledger/account.js'
import { ballots, contents, outcomes, seals } from '../../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { contentDigest, PROPOSED_MAX_BYTES } from '../../../src/features/gov/schema/records.js'
import { balances } from '../../../src/ledger/tables.js'
import { type Instruction, instruction, storedInstructions } from '../../../src/model/index.js'
import { CHAIN } from '../../support/chain.js'
import * as core from '../../support/core.js'
import {
  act,
  alice,
  assetTrack,
  bob,
  COIN,
  carol,
  dave,
  enact,
  finalize,
  GOV,
  GovChain,
  HELD,
  lock,
  outsider,
  owner,
  ROLE,
  setParameter,
  submit,
  track,
  unlock,
  VOTE,
  VOTERS,
} from '../../support/gov.js'

const codec = ABI_2.codec('cw')
const withAsset = (more = {}) =>
  new GovChain([
    [0, track()],
    [2, assetTrack(more)],
  ])

describe('borrowed and transferred votes', () => {
  it('cannot be unlocked while a ballot uses them, and count only once', () => {
    const chain = withAsset()
    chain.run(alice, lock(HELD))
    chain.run(alice, submit(2))
    chain.run(alice, chain.vote(1))
    expect(chain.run(alice, core.transfer(alice, bob, 1n, VOTE))).toBe('not_enough')
    expect(chain.run(alice, unlock(1n))).toBe('lock_held')
    chain.run(alice, chain.vote(1))
    expect(chain.row().tally.ayes).toEqual(core.units(HELD))
  })

  it('cannot be frozen or moved by the owner of the definition', () => {
    const chain = withAsset()
    chain.run(alice, lock(HELD))
    const freeze = instruction(assets.setFreeze, {
      asset: core.balance(alice, VOTE),
      frozen: true,
      reason: undefined,
    })
    expect(chain.enacted([freeze, core.transfer(alice, GOV, 1n, VOTE)])).toBeDefined()
    expect(chain.enacted([freeze], bob)).toBeUndefined()
    chain.run(alice, submit(2))
    expect(chain.run(alice, chain.vote(chain.nextNumber - 1))).toBeUndefined()
  })

  it('are counted without overflow for a supply near 512 bits', () => {
    const chain = withAsset({ deposit: undefined })
    const most = (1n << 511n) / 10n ** 28n - 4n * HELD - 1n
    expect(chain.enacted([core.mint(alice, most, VOTE)])).toBeUndefined()
    expect(chain.run(alice, lock(most))).toBeUndefined()
    expect(chain.run(bob, lock(1_000n))).toBeUndefined()
    expect(chain.run(alice, submit(2))).toBeUndefined()
    const number = chain.nextNumber - 1
    expect(chain.run(alice, chain.vote(number, 'aye', { conviction: 6 }))).toBeUndefined()
    expect(chain.run(bob, chain.vote(number, 'nay', { conviction: 6 }))).toBeUndefined()
    expect(chain.after(120_000, outsider, finalize(number))).toBeUndefined()
    expect(chain.status(number)).toBe('approved')
  })
})

describe('the outcome of a vote', () => {
  /** Submits and withdraws so many proposals. */
  const flood = (chain: GovChain, count: number): void => {
    for (let at = 0; at < count; at += 1) {
      const number = stateOf(chain.state)?.next ?? 1
      chain.nowMs += 1
      const withdraw = act('withdrawProposal', number)
      expect(chain.execute(alice, submit(2), withdraw).rejections.get(0)?.message).toBeUndefined()
    }
  }

  it('keeps its locks despite any number of later proposals, and is removed after its longest conviction', () => {
    const chain = withAsset({ leadMs: 1_000, deposit: undefined, minLock: undefined })
    chain.run(alice, lock(1_000n))
    chain.run(bob, lock(HELD))
    chain.run(bob, submit(2))
    chain.pass(1_000)
    chain.run(bob, chain.vote(1, 'aye', { conviction: 6 }))
    expect(chain.after(80_000, outsider, finalize(1))).toBeUndefined()
    const { endMs } = chain.row()
    // A number of the same remainder by 4,096, in the ring that the first design had.
    const state = stateOf(chain.state)
    if (state === undefined) throw new Error('governance is founded')
    writeState(chain.state, { ...state, next: 4_097 })
    chain.run(alice, submit(2))
    chain.pass(1_000)
    expect(chain.after(80_000, outsider, finalize(4_097))).toBeUndefined()
    flood(chain, 10)
    expect(chain.run(bob, unlock())).toBe('lock_held')
    const heldMs = endMs + 32 * 60_000
    chain.pass(heldMs - 2 - chain.nowMs)
    flood(chain, 1)
    expect(chain.state.has(outcomes, 1)).toBe(true)
    flood(chain, 1)
    expect(chain.state.has(outcomes, 1)).toBe(false)
    expect(chain.run(bob, unlock())).toBeUndefined()
  })

  it('is removed from the state at least as fast as new proposals are submitted', () => {
    const chain = withAsset({ leadMs: 1_000, deposit: undefined, minLock: undefined })
    chain.run(alice, lock(1_000n))
    flood(chain, 30)
    const state = stateOf(chain.state)
    expect((state?.next ?? 0) - (state?.outcomesFrom ?? 0)).toBeLessThan(3)
  })
})

describe('an electorate', () => {
  it('does not count the ballot of an account that was removed and registered again', () => {
    const chain = new GovChain([[0, track({ early: false })]])
    chain.run(alice, submit(0))
    for (const voter of [alice, bob]) chain.run(voter, chain.vote(1))
    for (const of of [VOTE, COIN]) chain.run(bob, core.transfer(bob, alice, HELD, of))
    expect(chain.run(bob, core.unregister('Account', bob)), chain.message).toBeUndefined()
    expect(chain.run(owner, core.registerAccount(bob))).toBeUndefined()
    expect(chain.state.get(seals, ROLE)).toHaveLength(3)
    expect(chain.state.get(ballots, 1)).toHaveLength(2)
    chain.after(20_000, outsider, finalize(1))
    expect(chain.row().tally.ayes).toEqual(core.units(1n))
    expect(chain.status()).toBe('rejected')
  })

  it('cannot submit proposals if another account owns its definition', () => {
    const chain = withAsset()
    chain.run(alice, lock(1_000n))
    const give = [core.passOn('definition', VOTE, outsider)]
    chain.bench.genesis(owner, core.registerTrigger('give', GOV, core.BY_CALL, give))
    chain.run(owner, core.permission('grant', 'CanExecuteTrigger', 'give', alice))
    chain.bench.genesis(owner, core.permission('grant', 'CanExecuteTrigger', 'give', alice))
    expect(chain.run(alice, core.callTrigger('give'))).toBe('below_floor')
    chain.bench.genesis(GOV, ...give)
    expect(chain.run(alice, submit(2))).toBe('bad_electorate')
    expect(chain.run(alice, unlock())).toBeUndefined()
  })
})

describe('the deposit for a proposal', () => {
  it('is no longer required after its definition is removed, so that its owner cannot block proposals', () => {
    const chain = withAsset()
    chain.run(alice, lock(1_000n))
    for (const voter of VOTERS) chain.bench.genesis(owner, core.burn(voter, HELD, COIN))
    expect(chain.run(owner, core.unregister('AssetDefinition', COIN)), chain.message).toBeUndefined()
    expect(chain.run(alice, submit(2))).toBeUndefined()
    expect(chain.row().deposit).toBeUndefined()
  })

  it('is at most its share of the current supply', () => {
    const chain = withAsset({ deposit: { definition: COIN, amount: core.units(40n) } })
    chain.run(alice, lock(1_000n))
    for (const voter of [bob, carol, dave]) chain.bench.genesis(owner, core.burn(voter, HELD, COIN))
    expect(chain.run(alice, submit(2))).toBeUndefined()
    expect(chain.row().deposit?.amount).toEqual(core.units(10n))
    expect(chain.state.get(balances, { definition: COIN, account: alice })).toEqual(core.units(HELD - 10n))
  })
})

describe('the deposit for a proposal of an asset that governance confiscates', () => {
  it('is at most its share of the supply outside of the governance account', () => {
    const chain = withAsset()
    chain.run(alice, lock(1_000n))
    for (const voter of VOTERS) chain.bench.genesis(owner, core.transfer(voter, GOV, HELD, COIN))
    expect(chain.run(alice, submit(2)), chain.message).toBeUndefined()
    expect(chain.row().deposit).toBeUndefined()
  })
})

describe('the content of a proposal', () => {
  it('has 1 to 64 instructions of at most 32 KiB', () => {
    const chain = new GovChain()
    const sized = (bytes: number): Instruction[] => [
      ...Array.from({ length: 40 }, () => core.log('x'.repeat(800))),
      core.log('x'.repeat(bytes)),
    ]
    const sizeOf = (list: readonly Instruction[]) => storedInstructions.encode(list, codec).length
    const rest = PROPOSED_MAX_BYTES - sizeOf(sized(200)) + 200
    expect(sizeOf(sized(rest))).toBe(PROPOSED_MAX_BYTES)
    expect(chain.run(alice, submit(0, []))).toBe('bad_parameter')
    expect(chain.run(alice, submit(0, sized(rest + 1)))).toBe('instructions_limit')
    expect(chain.run(alice, submit(0, sized(rest)))).toBeUndefined()
    const many = submit(
      0,
      Array.from({ length: 65 }, () => core.log('x')),
    )
    expect(() => gov.submitProposal.schema.encode(many.value as never, codec)).toThrow()
  })

  it('has a digest over the chain, the number, the track with its rules, and the list', () => {
    const chain = new GovChain()
    const list = [setParameter('block_time_ms', 50)]
    chain.run(alice, submit(0, list))
    const row = chain.state.get(contents, 1)
    if (row === undefined) throw new Error('the proposal has content')
    const content = {
      chain: CHAIN,
      number: 1,
      trackId: 0,
      track: track(),
      instructions: storedInstructions.encode(list, codec),
    }
    expect(contentDigest(content).equals(row.digest)).toBe(true)
    const others = [
      { chain: 'other' },
      { number: 2 },
      { trackId: 1 },
      { track: track({ approvalBps: 5_001 }) },
      { instructions: storedInstructions.encode([setParameter('block_time_ms', 51)], codec) },
    ]
    for (const other of others) expect(contentDigest({ ...content, ...other }).equals(row.digest)).toBe(false)
  })

  it('accepts ballots with a conviction of at most 6', () => {
    const value = { proposal: 1, digest: Buffer.alloc(32), choice: 'aye', amount: undefined, peer: undefined } as const
    expect(() => gov.castBallot.schema.encode({ ...value, conviction: 7 })).toThrow()
    expect(() => gov.castBallot.schema.encode({ ...value, conviction: 6 })).not.toThrow()
  })

  it('has no proof and at most two pairings', () => {
    const chain = new GovChain()
    const abi = chain.blocks.abi
    chain.blocks.abi = { ...abi, proofWorkOf: () => 1 }
    expect(chain.run(alice, submit(0))).toBe('bad_parameter')
    chain.blocks.abi = { ...abi, workMsOf: () => 61 }
    expect(chain.run(alice, submit(0))).toBe('teu_exhausted')
    chain.blocks.abi = { ...abi, workUnitsOf: () => 6_000_001 }
    expect(chain.run(alice, submit(0))).toBe('teu_exhausted')
    chain.blocks.abi = { ...abi, workMsOf: () => 60 }
    expect(chain.run(alice, submit(0))).toBeUndefined()
  })
})

describe('lists that enact other proposals', () => {
  it('enact another proposal only if all of their own instructions succeed', () => {
    const chain = new GovChain()
    const inner = chain.approved([setParameter('block_time_ms', 60)])
    chain.pass(1_000)
    expect(chain.enacted([enact(inner), core.transfer(GOV, bob, 5n)], bob)).toBe('absent')
    expect(chain.status(inner)).toBe('approved')
    expect(chain.enacted([enact(inner)], carol)).toBeUndefined()
    expect(chain.status(inner)).toBe('enacted')
  })

  it('can be nested at most three levels deep', () => {
    const chain = new GovChain()
    const by = [alice, bob, carol, dave]
    let inner = chain.approved([core.log('x')])
    for (const voter of by.slice(1)) inner = chain.approved([enact(inner)], voter)
    chain.pass(1_000)
    expect(chain.run(outsider, enact(inner))).toBe('multisig_nesting')
    expect(chain.status(inner)).toBe('approved')
  })
})
