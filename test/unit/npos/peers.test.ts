/** Validators as peers: while they are candidates or members, with a floor of their own, and never for want of room where smaller ones are. */
import { beforeAll, describe, expect, it } from 'vitest'
import { peerRoom } from '../../../src/executor/membership.js'
import { peers } from '../../../src/executor/tables.js'
import { instructions as parametersInstructions } from '../../../src/features/parameters/schema.js'
import { instructions as peersInstructions } from '../../../src/features/peers/schema.js'
import { elections } from '../../../src/features/staking/ledger/elections/tables.js'
import { stakes } from '../../../src/features/staking/ledger/stake/tables.js'
import { validators } from '../../../src/features/staking/ledger/validators/tables.js'
import { instruction } from '../../../src/model/definition.js'
import type { Instruction } from '../../../src/model/index.js'
import {
  accountNamed,
  amount,
  bond,
  chill,
  fillRooms,
  keyOf,
  type Node,
  NposChain,
  nodeNamed,
  registrationOf,
  unbond,
  unjail,
} from '../../support/npos/chain.js'

const ADMIN = accountNamed('admin')
const MAX_VALIDATORS = 4
let members: Node[]
let others: Node[]
beforeAll(async () => {
  members = await Promise.all(Array.from({ length: 4 }, (_, index) => nodeNamed(`v${index}`)))
  others = await Promise.all(['small', 'middle', 'large'].map(nodeNamed))
})

/** A chain of four members, and three that may register. */
const chainOf = (parameters: Record<string, unknown> = {}): NposChain =>
  new NposChain({
    validators: members.map((node) => ({ node, bond: 10_000n })),
    holders: others.map(({ name }) => name),
    grants: ['CanManagePeers'],
    parameters: { max_validators: MAX_VALIDATORS, max_candidates: 5, ...parameters },
  })
const register = (chain: NposChain, node: Node, units: bigint): string | undefined =>
  chain.run(node.account, bond(units), registrationOf(node.account, node, 0))
const isPeer = ({ state }: NposChain, node: Node): boolean => state.has(peers, keyOf(node))
const isListed = ({ state }: NposChain, node: Node): boolean => state.get(stakes, node.account)?.slot !== undefined
const setFloor = (value: string): Instruction =>
  instruction(parametersInstructions.setParameter, { name: 'min_peer_bond', value })

describe('a validator without a seat', () => {
  it('is a peer until a larger bond displaces it, and becomes a peer again with a larger bond of its own', () => {
    const chain = chainOf()
    const [small, middle] = others as [Node, Node]
    chain.to(3)
    expect(register(chain, small, 10n)).toBeUndefined()
    expect(isPeer(chain, small)).toBe(true)
    expect(register(chain, middle, 20n)).toBeUndefined()
    expect([isPeer(chain, small), isPeer(chain, middle)]).toEqual([false, true])
    expect(chain.run(small.account, bond(11n))).toBeUndefined()
    expect([isPeer(chain, small), isPeer(chain, middle)]).toEqual([true, false])
    expect(chain.state.get(peers, keyOf(small))?.role).toBe('observer')
  })

  it('stops being a peer when it chills, becomes a peer again when it returns, and is elected with its key', () => {
    const chain = chainOf()
    const [small] = others as [Node]
    chain.to(3)
    expect(register(chain, small, 50_000n)).toBeUndefined()
    expect(chain.run(small.account, chill)).toBeUndefined()
    expect(isPeer(chain, small)).toBe(false)
    expect(chain.run(small.account, unjail)).toBeUndefined()
    expect(isPeer(chain, small)).toBe(true)
    chain.toEpoch(2)
    expect(chain.seats).toContain(small.account)
    expect(chain.run(small.account, chill)).toBeUndefined()
    expect(isPeer(chain, small)).toBe(true)
    chain.toEpoch(3)
    expect(chain.seats).not.toContain(small.account)
    expect(isPeer(chain, small)).toBe(false)
  })

  it('remains a peer while an undecided snapshot contains it, and stops being a peer with the next epoch', () => {
    const chain = chainOf()
    const [small] = others as [Node]
    chain.to(3)
    expect(register(chain, small, 10n)).toBeUndefined()
    chain.to(26)
    expect(chain.run(small.account, chill)).toBeUndefined()
    expect(isPeer(chain, small)).toBe(true)
    chain.toEpoch(1)
    expect(isPeer(chain, small)).toBe(false)
  })
})

describe('the minimum bond of a peer', () => {
  it('rejects smaller bonds at registration, at a return and at a partial unbond', () => {
    const chain = chainOf({ min_peer_bond: amount(100n) })
    const [small] = others as [Node]
    chain.to(3)
    expect(register(chain, small, 99n)).toBe('stake_too_small')
    expect(register(chain, small, 150n)).toBeUndefined()
    expect(chain.run(small.account, unbond(51n))).toBe('stake_too_small')
    expect(chain.run(small.account, chill)).toBeUndefined()
    expect(chain.run(small.account, unbond(51n))).toBeUndefined()
    expect(chain.run(small.account, unjail)).toBe('stake_too_small')
    expect(chain.run(small.account, bond(1n), unjail)).toBeUndefined()
    expect(isPeer(chain, small)).toBe(true)
  })

  it('does not apply to registered validators, which are peers without a stake', () => {
    const chain = chainOf({ min_peer_bond: amount(100_000n) })
    chain.to(3)
    expect(chain.run(members[0]?.account ?? '', unbond(1n))).toBeUndefined()
    expect(isListed(chain, members[0] as Node)).toBe(true)
  })

  it('removes candidates with smaller bonds at the next epoch after it is raised', () => {
    const chain = chainOf()
    const [small] = others as [Node]
    chain.to(3)
    expect(register(chain, small, 10n)).toBeUndefined()
    expect(chain.run(ADMIN, setFloor('100'))).toBeUndefined()
    expect(isPeer(chain, small)).toBe(true)
    chain.toEpoch(1)
    expect([isListed(chain, small), isPeer(chain, small)]).toEqual([false, false])
  })
})

describe('a larger bond', () => {
  it('displaces the smallest candidate if members occupy the other places', () => {
    const chain = chainOf({ max_candidates: 256 })
    const [small, middle, large] = others as [Node, Node, Node]
    chain.to(3)
    expect(register(chain, small, 10n)).toBeUndefined()
    fillRooms(chain, 2 * MAX_VALIDATORS)
    expect(register(chain, middle, 9n)).toBe('stake_too_small')
    expect(register(chain, large, 900n)).toBeUndefined()
    expect([isPeer(chain, small), isPeer(chain, large)]).toEqual([false, true])
    expect(peerRoom(chain.state)).toBe(2 * MAX_VALIDATORS)
  })

  it('displaces a validator of the snapshot that is no longer a candidate, which is then not elected', () => {
    const chain = chainOf({ max_candidates: 6, max_validators: 6 })
    const [small, , large] = others as [Node, Node, Node]
    chain.to(3)
    expect(register(chain, small, 50_000n)).toBeUndefined()
    chain.to(25)
    expect(chain.run(small.account, chill)).toBeUndefined()
    expect(isPeer(chain, small)).toBe(true)
    // The list is full for those that need a room: the newcomer takes the place of a candidate that keeps its own.
    fillRooms(chain, 0)
    expect(register(chain, large, 60_000n)).toBeUndefined()
    expect([isPeer(chain, small), isPeer(chain, large)]).toEqual([false, true])
    chain.toEpoch(1)
    expect(chain.state.get(elections, 1)?.refused).toContainEqual({ validator: small.account, reason: 'keyDisabled' })
    expect(chain.seats).not.toContain(small.account)
  })
})

describe('an administrator of peers', () => {
  it('can remove the peer of any validator without a seat, which can return only under other keys', () => {
    const chain = chainOf()
    const [small] = others as [Node]
    const remove: Instruction = instruction(peersInstructions.unregisterPeer, { peer: keyOf(small), force: false })
    chain.to(3)
    expect(register(chain, small, 10n)).toBeUndefined()
    expect(chain.run(ADMIN, remove)).toBeUndefined()
    expect([isListed(chain, small), isPeer(chain, small)]).toEqual([false, false])
    expect(chain.run(small.account, bond(1_000n))).toBeUndefined()
    expect(chain.run(small.account, unjail)).toBe('absent')
    expect(chain.run(small.account, unbond(1_010n))).toBeUndefined()
    expect(chain.state.has(validators, small.account)).toBe(false)
    expect(register(chain, small, 10n)).toBe('key_reused')
  })
})
