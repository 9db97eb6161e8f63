/** Enactment: lists that fail, throw, use all units or would halt the chain; the floor; scopes; forced membership. */
import { describe, expect, it } from 'vitest'
import { parameterOf } from '../../../src/executor/parameters.js'
import { BLOCK_TIME_MS, MAX_TX_BYTES } from '../../../src/executor/system-parameters.js'
import { lastSigned, peerList, SINGLETON_KEY } from '../../../src/executor/tables.js'
import { instructions as domainInstructions } from '../../../src/features/domains/schema.js'
import { governs } from '../../../src/features/gov/ledger/account.js'
import { contents, govState, seals } from '../../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { instructions as peerInstructions } from '../../../src/features/peers/schema.js'
import { definitions } from '../../../src/ledger/tables.js'
import { type Instruction, instruction, isEvent, NO_METADATA, triggerEvents } from '../../../src/model/index.js'
import { testPeer } from '../../support/chain.js'
import * as core from '../../support/core.js'
import {
  alice,
  assetTrack,
  BY_ASSET,
  bob,
  COIN,
  carol,
  dave,
  enact,
  finalize,
  GOV,
  GovChain,
  MINUTE_MS,
  outsider,
  owner,
  PEERS,
  ROLE,
  setParameter,
  submit,
  track,
  VOTE,
  VOTERS,
} from '../../support/gov.js'

const [p0, p1] = PEERS.map(({ key }) => key)
const unregisterPeer = (peer: string | undefined, force = false): Instruction =>
  instruction(peerInstructions.unregisterPeer, { peer: peer ?? '', force })
const setTrack = (id: number, more: Parameters<typeof track>[0] = {}): Instruction =>
  instruction(gov.setTrack, { id, track: track(more) })
const domainOf = (id: string): Instruction =>
  instruction(domainInstructions.registerDomain, { id, dataspace: undefined, metadata: NO_METADATA })

/** The chain goes on: a proposal is submitted, decided and enacted. */
function expectAlive(chain: GovChain): void {
  expect(chain.enacted([setParameter('block_time_ms', 77)], dave), chain.message).toBeUndefined()
  chain.pass(1)
  chain.pass(1)
  expect(parameterOf(chain.state, BLOCK_TIME_MS)).toBe(77)
}

describe('a proposal whose instruction list fails', () => {
  it('records the error code and position, is tried three times, and then expires', () => {
    const chain = new GovChain()
    chain.approved([setParameter('block_time_ms', 60), core.transfer(GOV, bob, 5n)])
    chain.minutes(1)
    expect(chain.row()).toMatchObject({ status: 'approved', attempts: 1, error: { position: 1 } })
    expect(parameterOf(chain.state, BLOCK_TIME_MS)).toBe(BLOCK_TIME_MS.fallback)
    chain.minutes(1)
    expect(chain.row().attempts).toBe(2)
    chain.minutes(9)
    expect(chain.row().attempts).toBe(2)
    chain.minutes(1)
    expect(chain.row().attempts).toBe(3)
    expect(chain.run(outsider, enact(1))).toBe('absent')
    expect(chain.run(outsider, finalize(1))).toBe('absent')
    const { enactUntilMs = 0 } = chain.row()
    expect(chain.after(enactUntilMs - chain.nowMs, outsider, finalize(1))).toBeUndefined()
    expect(chain.status()).toBe('expired')
    expectAlive(chain)
  })

  it('can be enacted later by any account', () => {
    const chain = new GovChain()
    chain.approved([core.mint(bob, 5n, VOTE)])
    chain.minutes(20)
    expect(chain.row().attempts).toBe(3)
    expect(chain.run(owner, core.passOn('definition', VOTE, GOV))).toBeUndefined()
    expect(chain.run(outsider, enact(1))).toBeUndefined()
    expect(chain.status()).toBe('enacted')
  })

  it('can be enacted by FinalizeProposal, which makes whichever step is due', () => {
    const chain = new GovChain([[0, track({ leadMs: 5_000 })]])
    chain.run(alice, submit(0))
    expect(chain.run(outsider, finalize(1))).toBe('not_due')
    expect(chain.after(5_000, outsider, finalize(1)), chain.message).toBeUndefined()
    expect(chain.status()).toBe('voting')
    expect(chain.run(outsider, finalize(1))).toBe('not_due')
    for (const voter of [alice, bob, carol]) chain.run(voter, chain.vote(1))
    expect(chain.run(outsider, enact(1))).toBe('not_due')
    expect(chain.run(outsider, finalize(1))).toBeUndefined()
    expect(chain.status()).toBe('approved')
    expect(chain.run(outsider, finalize(1))).toBe('not_due')
    expect(chain.after(1_000, outsider, finalize(1)), chain.message).toBeUndefined()
    expect(chain.status()).toBe('enacted')
    expect(chain.run(outsider, finalize(1))).toBe('not_due')
  })

  it('closes at once by FinalizeProposal if its vote ended before it was recorded as begun', () => {
    const chain = new GovChain([[0, track({ leadMs: 5_000 })]])
    chain.run(alice, submit(0))
    expect(chain.after(25_000, outsider, finalize(1)), chain.message).toBeUndefined()
    expect(chain.status()).toBe('rejected')
  })

  it('expires in a scheduled run, without a transaction', () => {
    const chain = new GovChain([[0, track({ graceMs: 10_000 })]])
    chain.approved([core.mint(bob, 5n, VOTE)])
    chain.minutes(2)
    expect(chain.status()).toBe('expired')
    expect(chain.row().attempts).toBe(1)
  })

  it('reverts the effects of its earlier instructions', () => {
    const chain = new GovChain()
    expect(chain.enacted([domainOf('left'), core.transfer(GOV, bob, 5n)])).toBe('absent')
    expect(chain.run(owner, core.registerAccount(alice, undefined, 'left'))).toBe('absent')
  })
})

describe('a proposal whose instruction list throws', () => {
  it('records the error for the list, and the chain continues', () => {
    const chain = new GovChain()
    chain.approved([setParameter('block_time_ms', 60)])
    const execute = chain.blocks.abi.instructions.get('setParameter')
    if (execute === undefined) throw new Error('an instruction')
    const instructions = new Map(chain.blocks.abi.instructions)
    instructions.set('setParameter', {
      ...execute,
      execute: () => {
        throw new Error('broken')
      },
    })
    const sound = chain.blocks.abi
    chain.blocks.abi = { ...sound, instructions }
    chain.minutes(1)
    expect(chain.row()).toMatchObject({ status: 'approved', attempts: 1, error: { position: 0 } })
    chain.blocks.abi = sound
    chain.minutes(1)
    expect(chain.status()).toBe('enacted')
  })

  it('is tried three times, one hour apart, and has failed if each step throws', () => {
    const chain = new GovChain()
    chain.approved([setParameter('block_time_ms', 60)])
    const content = chain.state.get(contents, 1)
    if (content === undefined) throw new Error('the proposal has content')
    chain.state.delete(contents, 1)
    chain.minutes(1)
    expect(chain.row()).toMatchObject({ status: 'approved', faults: 1, attempts: 0 })
    chain.minutes(61)
    expect(chain.row().faults).toBe(2)
    chain.minutes(61)
    expect(chain.status()).toBe('failed')
    chain.state.set(contents, 1, content)
    expectAlive(chain)
  })

  it('records no failure if a later step succeeds', () => {
    const chain = new GovChain()
    chain.approved([setParameter('block_time_ms', 60)])
    const content = chain.state.get(contents, 1)
    if (content === undefined) throw new Error('the proposal has content')
    chain.state.delete(contents, 1)
    chain.minutes(1)
    chain.state.set(contents, 1, content)
    chain.minutes(61)
    expect(chain.status()).toBe('enacted')
  })
})

describe('a list that needs many units', () => {
  it('is refused above the unit limit of a step', async () => {
    const chain = new GovChain()
    const { peer } = await testPeer(7)
    const register = instruction(peerInstructions.registerPeer, { peer, force: false })
    expect(chain.run(alice, submit(0, [register, register, register]))).toBe('teu_exhausted')
    expect(chain.run(alice, submit(0, [register, register]))).toBeUndefined()
  })

  it('fails with its code if a run exceeds that limit, and the chain continues', () => {
    const chain = new GovChain()
    const loud = Array.from({ length: 64 }, () => core.log('x'.repeat(1_000)))
    expect(chain.run(alice, core.registerTrigger('loud', alice, core.BY_CALL, loud))).toBeUndefined()
    expect(chain.run(alice, core.permission('grant', 'CanExecuteTrigger', 'loud', GOV))).toBeUndefined()
    chain.approved(Array.from({ length: 20 }, () => core.callTrigger('loud')))
    const before = chain.nowMs
    chain.minutes(2)
    expect(chain.nowMs).toBeGreaterThan(before)
    const code = chain.blocks.abi.errorNumbers.get('teu_exhausted')
    expect(chain.row()).toMatchObject({ status: 'approved', error: { code } })
    expectAlive(chain)
  })

  it('waits for a block with room for its step', () => {
    const chain = new GovChain()
    const number = chain.approved(Array.from({ length: 60 }, (_, at) => domainOf(`d${at}`)))
    chain.blocks.view = 2
    chain.minutes(1)
    chain.blocks.view = 0
    chain.pass(1)
    chain.pass(1)
    expect(chain.row(number)).toMatchObject({ status: 'enacted', error: undefined, faults: 0 })
  })
})

describe('a list that changes the validators', () => {
  const seen = (chain: GovChain): void => {
    chain.state.set(lastSigned, SINGLETON_KEY, new Map(PEERS.map(({ key }) => [key, chain.blocks.height])))
  }

  it('is refused with force, even inside a trigger that it registers', () => {
    const chain = new GovChain()
    expect(chain.run(alice, submit(0, [unregisterPeer(p0, true)]))).toBe('forced_membership')
    const hidden = core.registerTrigger('hidden', GOV, core.BY_CALL, [unregisterPeer(p0, true)])
    expect(chain.run(alice, submit(0, [hidden]))).toBe('forced_membership')
  })

  it('has no effect if it registers two peers, because only one peer can join per block', async () => {
    const chain = new GovChain()
    seen(chain)
    const added = [await testPeer(5), await testPeer(6)]
    chain.approved(added.map(({ peer }) => instruction(peerInstructions.registerPeer, { peer, force: false })))
    chain.minutes(1)
    // The step takes more than its share: it waits for an even height.
    chain.pass(1)
    const code = chain.blocks.abi.errorNumbers.get('membership_cap')
    expect(chain.row()).toMatchObject({ status: 'approved', error: { code, position: 1 } })
    expect(chain.state.get(peerList, SINGLETON_KEY)).toHaveLength(4)
    expectAlive(chain)
  })

  it('fails below the floor if it reduces a roster of four', () => {
    const chain = new GovChain()
    seen(chain)
    expect(chain.enacted([unregisterPeer(p0)])).toBe('below_floor')
    const disable = instruction(peerInstructions.disableConsensusKey, { key: p0 ?? '', force: false })
    expect(chain.enacted([disable], bob)).toBe('below_floor')
    expect(chain.state.get(peerList, SINGLETON_KEY)).toHaveLength(4)
    expectAlive(chain)
  })

  it('is refused if fewer members than a quorum signed recently', () => {
    const chain = new GovChain()
    expect(chain.enacted([unregisterPeer(p1)])).toBe('quorum_not_seen')
  })
})

describe('the parameter floor', () => {
  const worst: readonly (readonly [string, number, number | undefined])[] = [
    ['max_tx_bytes', 65_535, 65_536],
    ['max_teu_per_tx', 49_999, 50_000],
    ['max_instructions', 63, 64],
    ['block_max_transactions', 15, 16],
    ['max_ttl_ms', 29_999, 30_000],
    ['block_work_ms', 29, 30],
    ['block_work_ms', 201, 200],
    ['block_teu', 250_001, 250_000],
    ['block_teu', 49_999, 50_000],
    ['block_time_ms', 10_001, 10_000],
    ['base_height_ms', 24, 25],
    ['base_height_ms', 5_001, 5_000],
    ['max_clock_drift_ms', 99, 100],
    ['max_clock_drift_ms', 5_001, 5_000],
    ['proof_work_per_block', 1_025, 1_024],
    ['contract_gas_per_tx', 999_999, 1_000_000],
    ['epoch_length_blocks', 3_599, 3_600],
    ['min_validators', 4, 4],
  ]

  it('applies to every SetParameter, at each limit', () => {
    const chain = new GovChain()
    for (const [name, below, least] of worst) {
      const set = (value: number) => chain.run(owner, setParameter(name, value))
      if (below !== least) expect(set(below), `${name} ${below}`).toBe('below_floor')
      if (least !== undefined) expect(set(least), `${name} ${least}: ${chain.message}`).toBeUndefined()
    }
  })

  it('applies to a list as a whole, as if staged parameters were active', () => {
    const chain = new GovChain()
    expect(chain.enacted([setParameter('max_tx_bytes', 1_024)])).toBe('below_floor')
    // Each alone is within its own bounds.
    expect(chain.run(owner, setParameter('block_teu', 100_000), setParameter('max_teu_per_tx', 100_001))).toBe(
      'below_floor',
    )
    expect(parameterOf(chain.state, MAX_TX_BYTES)).toBe(MAX_TX_BYTES.fallback)
  })

  it('limits the maximum fee by the supply of its asset', () => {
    const chain = new GovChain()
    expect(chain.run(owner, setParameter('fee_asset', 'coin#bank'))).toBeUndefined()
    // 4,000,000 / 10,000 / 60,000 units.
    expect(chain.run(owner, setParameter('fee_per_teu', '0.0067'))).toBe('below_floor')
    expect(chain.run(owner, setParameter('fee_per_teu', '0.0066'))).toBeUndefined()
  })

  it('rejects a fee in an asset without supply, since transactions could not be paid', () => {
    const chain = new GovChain()
    chain.bench.genesis(owner, core.registerDefinition('void#bank'))
    chain.run(owner, setParameter('fee_asset', 'void#bank'))
    expect(chain.run(owner, setParameter('fee_per_teu', '0.0000001'))).toBe('below_floor')
    expect(chain.run(owner, setParameter('fee_asset', COIN), setParameter('fee_per_teu', '0.0000001'))).toBeUndefined()
  })

  it('rejects a list that burns supply that the maximum fee requires', () => {
    const chain = new GovChain()
    chain.run(owner, setParameter('fee_asset', COIN), setParameter('fee_per_teu', '0.0066'))
    chain.bench.genesis(owner, core.transfer(alice, GOV, 900_000n, COIN), core.passOn('definition', COIN, GOV))
    chain.bench.genesis(owner, core.mint(alice, 900_000n, COIN))
    // 3,900,000 / 10,000 / 60,000 units are below the price.
    expect(chain.enacted([core.burn(GOV, 900_000n, COIN), core.burn(GOV, 1n, COIN)])).toBe('not_enough')
    chain.bench.genesis(owner, core.burn(alice, 900_000n, COIN))
    expect(chain.enacted([core.burn(GOV, 900_000n, COIN)], bob)).toBe('below_floor')
  })

  it('does not apply before governance is founded', () => {
    const chain = new GovChain()
    chain.state.delete(govState, '')
    expect(chain.run(owner, setParameter('max_tx_bytes', 1_024))).toBeUndefined()
  })

  it('protects the permissions of the governance account and the validity of every track', () => {
    const chain = new GovChain([
      [0, track()],
      [2, assetTrack()],
    ])
    const revoke = core.permission('revoke', 'CanManageGovernance', undefined, GOV)
    expect(chain.enacted([core.permission('grant', 'CanManageGovernance', undefined, alice), revoke])).toBe(
      'below_floor',
    )
    expect(governs(chain.state)).toBe(true)
    expect(chain.enacted([core.passOn('definition', VOTE, alice)], bob)).toBe('below_floor')
    expect(chain.state.get(definitions, VOTE)?.owner).toBe(GOV)
    const members = VOTERS.map((one) => core.roleOf('revoke', ROLE, one))
    expect(chain.enacted(members, carol)).toBe('below_floor')
    expect(chain.state.get(seals, ROLE)).toHaveLength(4)
    expectAlive(chain)
  })
})

describe('the scope of a track', () => {
  it('admits by subject, by label and by parameter', () => {
    const scope = ['domain', 'log::write', 'parameter::set=block_time_ms']
    const chain = new GovChain([
      [0, track()],
      [1, track({ scope })],
    ])
    expect(chain.run(alice, submit(1, [domainOf('new'), setParameter('block_time_ms', 9)]))).toBeUndefined()
    expect(chain.run(alice, submit(1, [setParameter('max_ttl_ms', 60_000)]))).toBe('track_scope')
    expect(chain.run(alice, submit(1, [domainOf('new'), core.transfer(GOV, bob, 1n)]))).toBe('track_scope')
    expect(chain.message).toContain('instruction 1')
  })

  it('reserves constitutional instructions for track 0', () => {
    const chain = new GovChain()
    for (const [at, element] of ['*', 'trigger', 'multisig::propose', 'permission', 'role::register', 'gov'].entries())
      expect(chain.enacted([setTrack(1, { scope: [element] })], VOTERS[at % 4]), element).toBe('bad_track')
    expect(chain.run(dave, setTrack(0))).toBe('not_permitted')
  })

  it('cannot be widened by a trigger', () => {
    const chain = new GovChain()
    expect(chain.run(alice, core.registerTrigger('widen', alice, core.BY_CALL, [setTrack(1)]))).toBeUndefined()
    expect(chain.run(alice, core.callTrigger('widen'))).toBe('not_permitted')
  })
})

describe('a track', () => {
  it('has limits for each of its fields', () => {
    const chain = new GovChain()
    chain.run(owner, core.passOn('definition', VOTE, GOV))
    chain.bench.genesis(owner, core.permission('grant', 'CanManageGovernance', undefined, owner))
    const set = (more: Parameters<typeof track>[0], id = 1) =>
      chain.run(owner, instruction(gov.setTrack, { id, track: track({ scope: ['asset'], ...more }) }))
    expect(set({}, 8)).toBe('bad_track')
    expect(set({ scope: [] })).toBe('bad_track')
    expect(set({ quorumBps: 0 })).toBe('bad_electorate')
    expect(set({ quorumBps: 6_701 })).toBe('bad_electorate')
    expect(set({ electorate: BY_ASSET, quorumBps: 5_001 })).toBe('bad_electorate')
    expect(set({ electorate: { kind: 'role', value: { role: 'none' } } })).toBe('bad_electorate')
    expect(set({ electorate: { kind: 'asset', value: { definition: 'coin#bank' } } })).toBe('bad_electorate')
    expect(set({ approvalBps: 4_999 })).toBe('bad_track')
    expect(set({ approvalBps: 9_001 })).toBe('bad_track')
    expect(set({ leadMs: 30 * 86_400_000 + 1 })).toBe('bad_track')
    expect(set({ votingMs: 9_999 })).toBe('bad_track')
    expect(set({ lateMs: 10_001 })).toBe('bad_track')
    expect(set({ timelockMs: 999 })).toBe('bad_track')
    expect(set({ graceMs: 9_999 })).toBe('bad_track')
    expect(set({ stepMs: 999 })).toBe('bad_track')
    expect(set({ places: 0 })).toBe('bad_track')
    expect(set({ places: 17 })).toBe('bad_track')
    expect(set({ deposit: { definition: 'coin#bank', amount: core.units(41n) } })).toBe('bad_track')
    expect(set({ deposit: { definition: 'lead#bank', amount: core.units(1n) } })).toBe('absent')
    expect(set({ electorate: BY_ASSET, minLock: core.units(4_001n), quorumBps: 1 })).toBe('bad_track')
    expect(set({ minLock: core.units(1n) })).toBe('bad_track')
    expect(set({})).toBeUndefined()
    expect(chain.run(owner, instruction(gov.removeTrack, { id: 0 }))).toBe('bad_track')
    chain.run(alice, submit(1, [core.mint(GOV, 1n, VOTE)]))
    expect(chain.run(owner, instruction(gov.removeTrack, { id: 1 }))).toBe('not_empty')
    expect(chain.after(20_000, alice, finalize(1))).toBeUndefined()
    expect(chain.run(owner, instruction(gov.removeTrack, { id: 1 }))).toBeUndefined()
    expect(chain.run(owner, instruction(gov.removeTrack, { id: 1 }))).toBe('absent')
  })

  it('can change without an effect on open proposals', () => {
    const chain = new GovChain()
    chain.run(alice, submit(0))
    chain.bench.genesis(owner, setTrack(0, { approvalBps: 9_000, votingMs: 50_000 }))
    for (const voter of [alice, bob, carol]) chain.run(voter, chain.vote(1))
    chain.run(dave, chain.vote(1, 'nay'))
    expect(chain.run(outsider, finalize(1))).toBeUndefined()
    expect(chain.status()).toBe('approved')
  })
})

describe('triggers on events of governance', () => {
  it('run after the enactment and cannot revert it', () => {
    const chain = new GovChain()
    const filter = core.onData('domain')
    chain.bench.genesis(
      owner,
      core.permission('grant', 'CanWatchEvents', undefined, owner),
      core.permission('grant', 'CanRegisterDomain', undefined, alice),
    )
    const fails = [core.transfer(owner, bob, 9_999_999_999n)]
    expect(chain.run(owner, core.registerTrigger('veto', owner, filter, fails)), chain.message).toBeUndefined()
    expect(chain.enacted([domainOf('made')])).toBeUndefined()
    expect(chain.run(alice, domainOf('other'))).toBe('absent')
    const block = chain.pass(MINUTE_MS)
    expect(block.events.some(({ event }) => isEvent(event, triggerEvents.dueRunRan))).toBe(false)
  })
})
