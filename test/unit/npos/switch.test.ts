/** Switches between elected and registered validators: what was asked when it was staged is asked again when it is made. */

import { beforeAll, describe, expect, it } from 'vitest'
import { quorumOf } from '../../../src/consensus/index.js'
import { scheduleOf } from '../../../src/executor/index.js'
import { peerOfKey } from '../../../src/executor/rosters.js'
import { chainInfo, lastSigned, SINGLETON_KEY } from '../../../src/executor/tables.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { instructions as peerInstructions } from '../../../src/features/peers/schema.js'
import { elections } from '../../../src/features/staking/ledger/elections/tables.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { cancelledModes, epochs, stagedModes } from '../../../src/features/staking/ledger/epochs/tables.js'
import { ONLY } from '../../../src/features/staking/ledger/table.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import { randomOf } from '../../../src/simulation/prng.js'
import { eventsOf } from '../../support/blocks.js'
import { popOf } from '../../support/chain.js'
import {
  accountNamed,
  keyOf,
  type Node,
  NposChain,
  nodeNamed,
  rootOf,
  unbond,
  withdraw,
} from '../../support/npos/chain.js'

const ADMIN = accountNamed('admin')
const GRANTS = ['CanManagePeers', 'CanManageConsensusKeys']

let staked: Node[]
let others: Node[]
beforeAll(async () => {
  const named = (names: readonly string[]) => Promise.all(names.map(nodeNamed))
  staked = await named(['v0', 'v1', 'v2', 'v3'])
  others = await named(['p0', 'p1', 'p2', 'p3'])
})

const standing = () => staked.map((node) => ({ node, bond: 10_000n }))
/** Elected validators whose peers are observers, beside registered ones that do not stake. */
const apart = (count: number) =>
  new NposChain({ validators: standing(), registered: [], peers: others.slice(0, count), grants: GRANTS })
/** Elected validators that are registered too, beside one that never signs. */
const together = () => new NposChain({ validators: standing(), peers: others.slice(0, 1), grants: GRANTS })

const stage = (modeActivationHeight: number, force: boolean): Instruction =>
  instruction(staking.stageMode, { nextMode: 'permissioned', modeActivationHeight, force })
const unregister = (node: Node, force = false): Instruction =>
  instruction(peerInstructions.unregisterPeer, { peer: keyOf(node), force })
const disable = (node: Node, force = false): Instruction =>
  instruction(peerInstructions.disableConsensusKey, { key: keyOf(node), force })
const modeOf = (chain: NposChain) => chain.state.get(chainInfo, SINGLETON_KEY)?.consensusMode
const cancellations = (chain: NposChain) => chain.runs.flatMap((run) => eventsOf(run, 'stakingModeSwitchCancelled'))
const rosterAt = (chain: NposChain, height: number) => scheduleOf(chain.state, height).roster

describe('a staged switch to registered validators', () => {
  it.each([
    ['left', unregister],
    ['had their keys disabled', disable],
  ] as const)('is cancelled if all of them %s before the switch, and the chain continues', (_what, leave) => {
    const chain = apart(4)
    expect(chain.run(ADMIN, stage(30, true))).toBeUndefined()
    for (const node of others) expect(chain.run(ADMIN, leave(node))).toBeUndefined()
    chain.to(30)
    expect(cancellations(chain)).toEqual([{ mode: 'permissioned', reason: 'noValidator' }])
    expect([modeOf(chain), chain.state.get(stagedModes, ONLY)]).toEqual(['npos', undefined])
    expect(chain.state.get(cancelledModes, ONLY)).toEqual({ mode: 'permissioned', height: 30, reason: 'noValidator' })
    expect(rosterAt(chain, 31).length).toBe(4)
    expect(chain.run(ADMIN, stage(chain.height + 10, true))).toBe('last_validator')
    chain.toEpoch(2)
    expect(chain.height).toBe(81)
  })

  it('is cancelled if the last registered validator leaves in the block that decides the switch', () => {
    const chain = apart(1)
    expect(chain.run(ADMIN, stage(30, true))).toBeUndefined()
    chain.to(27)
    expect(chain.run(ADMIN, unregister(others[0] as Node))).toBeUndefined()
    expect(cancellations(chain)).toEqual([{ mode: 'permissioned', reason: 'noValidator' }])
    chain.to(32)
    expect(modeOf(chain)).toBe('npos')
  })

  it('takes effect with a single registered validator, which cannot be removed from the next block on', () => {
    const chain = apart(1)
    const [last] = others as [Node]
    expect(chain.run(ADMIN, stage(30, true))).toBeUndefined()
    chain.to(28)
    for (const leave of [unregister, disable, unregister, disable]) {
      expect(chain.run(ADMIN, leave(last, true))).toBe('last_validator')
    }
    expect(modeOf(chain)).toBe('permissioned')
    expect(rosterAt(chain, chain.height + 1)).toEqual([keyOf(last)])
    const [, fresh] = others as [Node, Node]
    const value = { peer: keyOf(last), newKey: keyOf(fresh), pop: popOf(fresh.bls), activeFrom: chain.height + 50 }
    expect(chain.run(ADMIN, instruction(peerInstructions.rotateConsensusKey, value))).toBeUndefined()
    expect(chain.run(ADMIN, disable(fresh))).toBeUndefined()
    expect(chain.run(ADMIN, disable(last, true))).toBe('last_validator')
  })

  it('is cancelled if fewer validators than a quorum signed recently, unless the switch is forced', () => {
    const outcomes = [false, true].map((force) => {
      const chain = together()
      chain.to(8)
      expect(chain.run(ADMIN, stage(30, force))).toBeUndefined()
      // Of v0, v1 and the one that never signs all three would be needed.
      for (const node of staked.slice(2)) expect(chain.run(ADMIN, disable(node))).toBeUndefined()
      chain.to(30)
      return [modeOf(chain), rosterAt(chain, 31).length, cancellations(chain)]
    })
    expect(outcomes).toEqual([
      ['npos', 2, [{ mode: 'permissioned', reason: 'quorumNotSeen' }]],
      ['permissioned', 3, []],
    ])
  })

  it('remains stored with its reason after a cancellation, until another switch is staged', () => {
    const chain = together()
    chain.to(8)
    expect(chain.run(ADMIN, stage(30, false))).toBeUndefined()
    for (const node of staked.slice(2)) expect(chain.run(ADMIN, disable(node))).toBeUndefined()
    chain.to(40)
    const cancelled = { mode: 'permissioned', height: 30, reason: 'quorumNotSeen' }
    expect(chain.state.get(cancelledModes, ONLY)).toEqual(cancelled)
    expect(chain.run(ADMIN, stage(chain.height + 20, true))).toBeUndefined()
    expect(chain.state.get(cancelledModes, ONLY)).toBeUndefined()
  })

  it('counts a member as seen only after it has signed, even on a new chain', () => {
    const chain = together()
    expect(chain.run(ADMIN, stage(30, false))).toBe('quorum_not_seen')
    chain.to(8)
    expect(chain.run(ADMIN, stage(30, false))).toBeUndefined()
  })

  it('takes effect if a quorum of the remaining validators has signed', () => {
    const chain = together()
    chain.to(8)
    expect(chain.run(ADMIN, stage(30, false))).toBeUndefined()
    expect(chain.run(ADMIN, disable(staked[3] as Node))).toBeUndefined()
    chain.to(30)
    expect([modeOf(chain), rosterAt(chain, 31).length, cancellations(chain)]).toEqual(['permissioned', 4, []])
  })

  it('leaves the epoch unchanged if it is cancelled, including its election and its delayed record', () => {
    const chain = apart(1)
    chain.to(26)
    const before = calendarOf(chain.state)?.snapshot
    expect(chain.run(ADMIN, stage(42, true))).toBeUndefined()
    expect(chain.run(ADMIN, unregister(others[0] as Node))).toBeUndefined()
    chain.to(39)
    expect(chain.state.get(epochs, 1)).toBeUndefined()
    expect(calendarOf(chain.state)?.snapshot?.height).toBe(before?.height)
    chain.to(40)
    expect(chain.state.get(epochs, 1)).toMatchObject({ start: 42, term: 2 })
    chain.toEpoch(1)
    expect(chain.seats.length).toBe(4)
  })

  it('never results in an empty roster, nor without force in too few signers, for any removals in any block', () => {
    const met = new Set<string>()
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = randomOf(seed, 'switch')
      const registered = staked.slice(0, random.below(5))
      const peers = others.slice(0, random.below(3) + (registered.length === 0 ? 1 : 0))
      const chain = new NposChain({ validators: standing(), registered, peers, grants: GRANTS })
      const force = random.chance(0.5)
      chain.to(6)
      if (chain.run(ADMIN, stage(24, force)) !== undefined) continue
      while (chain.height < 28) {
        const leave = random.pick([unregister, disable])
        const node = random.pick([...staked, ...others])
        if (random.chance(0.3)) chain.run(ADMIN, leave(node, random.chance(0.5)))
        else chain.block()
        for (const at of [1, 2]) expect(rosterAt(chain, chain.height + at), `seed ${seed}`).not.toEqual([])
        if (chain.height !== 22 || force || scheduleOf(chain.state, 24).epoch === 0) continue
        const row = scheduleOf(chain.state, 24)
        const signed = chain.state.get(lastSigned, SINGLETON_KEY)
        const seen = row.roster.filter((key) => signed?.has(peerOfKey(row, key)))
        expect(seen.length, `seed ${seed}`).toBeGreaterThanOrEqual(quorumOf(row.roster.length))
      }
      met.add(modeOf(chain) === 'permissioned' ? `made ${force}` : String(cancellations(chain)[0]?.reason))
    }
    expect([...met].sort()).toEqual(['made false', 'made true', 'noValidator', 'quorumNotSeen'])
  })
})

describe('a staged switch to elected validators', () => {
  it('counts a candidate as in sync only if it signed or proved that, even on a new chain', async () => {
    const away = await nodeNamed('v4')
    const validators = [...staked, away].map((node) => ({ node, bond: 10_000n }))
    const chain = new NposChain({ validators, registered: staked, mode: 'permissioned' })
    chain.to(5)
    const value = { nextMode: 'npos', modeActivationHeight: 20, force: false } as const
    expect(chain.run(ADMIN, instruction(staking.stageMode, value))).toBeUndefined()
    chain.toEpoch(1)
    expect(chain.seats).not.toContain(away.account)
    expect(chain.state.get(elections, 1)?.refused).toEqual([{ validator: away.account, reason: 'notInSync' }])
  })

  it.each([
    ['after the snapshot of its election', 17],
    ['with the block that makes it', 18],
  ])('is cancelled if a required validator no longer has a key, %s', (_when, height) => {
    const chain = new NposChain({ validators: standing(), mode: 'permissioned' })
    const [node] = staked as [Node]
    chain.to(5)
    const value = { nextMode: 'npos' as const, modeActivationHeight: 20, force: false }
    expect(chain.run(ADMIN, instruction(staking.stageMode, value))).toBeUndefined()
    chain.to(height - 1)
    expect(chain.run(node.operator, disable(node, true))).toBeUndefined()
    chain.to(20)
    expect(cancellations(chain)).toEqual([{ mode: 'npos', reason: 'tooFewCandidates' }])
    expect(modeOf(chain)).toBe('permissioned')
  })

  it('cannot be revoked after its snapshot, for any epoch length, and unbonded stake is unlocked', () => {
    const chain = new NposChain({
      validators: standing(),
      mode: 'permissioned',
      parameters: { staking_election_blocks: 12, min_validators: 5 },
    })
    const [{ account }] = staked as [Node]
    const value = { nextMode: 'npos' as const, modeActivationHeight: 40, force: false }
    expect(chain.run(ADMIN, instruction(staking.stageMode, value))).toBeUndefined()
    expect(chain.run(account, unbond(1_000n))).toBeUndefined()
    chain.to(26)
    expect(
      chain.run(ADMIN, instruction(parameters.setParameter, { name: 'staking_election_blocks', value: 2 })),
    ).toBeUndefined()
    chain.to(30)
    expect(chain.run(ADMIN, instruction(staking.cancelMode, {}))).toBe('bad_activation')
    expect(chain.run(account, withdraw)).toBe('not_enough')
    chain.to(40)
    expect(cancellations(chain)).toEqual([{ mode: 'npos', reason: 'tooFewCandidates' }])
    expect(calendarOf(chain.state)?.snapshot).toBeUndefined()
    expect(chain.run(account, withdraw)).toBeUndefined()
  })

  it('ignores sync proofs for an earlier, cancelled switch', () => {
    const chain = new NposChain({ validators: standing(), registered: [], peers: others, mode: 'permissioned' })
    const elect = (modeActivationHeight: number): Instruction =>
      instruction(staking.stageMode, { nextMode: 'npos', modeActivationHeight, force: false })
    const attest = () => {
      const height = chain.height - 2
      const value = { height, stateRoot: rootOf(height) }
      const codes = staked.map(({ operator }) => chain.run(operator, instruction(staking.attestReady, value)))
      return [...new Set(codes)]
    }
    expect(chain.run(ADMIN, elect(90))).toBeUndefined()
    chain.to(10)
    expect(attest()).toEqual([undefined])
    expect(attest()).toEqual(['stake_bad_window'])
    expect(chain.run(ADMIN, instruction(staking.cancelMode, {}))).toBeUndefined()
    chain.to(130)
    expect(chain.run(ADMIN, elect(150))).toBeUndefined()
    chain.to(150)
    expect(cancellations(chain).at(-1)).toEqual({ mode: 'npos', reason: 'tooFewCandidates' })
    expect(chain.run(ADMIN, elect(250))).toBeUndefined()
    expect(attest()).toEqual([undefined])
    // They show it again before what they showed counts no more.
    chain.to(chain.height + 50)
    expect(attest()).toEqual([undefined])
    chain.to(250)
    expect(modeOf(chain)).toBe('npos')
  })
})
