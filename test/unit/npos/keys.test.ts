/** Keys of validators between what a snapshot read and the record that lets them act: who left meanwhile does not come back. */

import { beforeAll, describe, expect, it } from 'vitest'
import { scheduleOf } from '../../../src/executor/index.js'
import { consensusKeys, peerKeys, peers } from '../../../src/executor/tables.js'
import { instructions as peerInstructions } from '../../../src/features/peers/schema.js'
import { waitingKeyOf } from '../../../src/features/staking/ledger/elections/snapshot.js'
import { elections } from '../../../src/features/staking/ledger/elections/tables.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { epochs } from '../../../src/features/staking/ledger/epochs/tables.js'
import { stakes } from '../../../src/features/staking/ledger/stake/tables.js'
import { validators } from '../../../src/features/staking/ledger/validators/tables.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import {
  accountNamed,
  bond,
  chill,
  keyOf,
  type Node,
  NposChain,
  nodeNamed,
  rotationTo,
  unbond,
  unjail,
} from '../../support/npos/chain.js'

const ADMIN = accountNamed('admin')
/** Heights of the first epoch: its snapshot, its election, and its record. */
const [SNAPSHOT, DECIDED, RECORD, START] = [25, 28, 39, 41]

let nodes: Node[]
let fresh: Node
beforeAll(async () => {
  nodes = await Promise.all(Array.from({ length: 8 }, (_, index) => nodeNamed(`v${index}`)))
  fresh = await nodeNamed('v0 fresh')
})
const chainOf = (count = 4, parameters: Record<string, unknown> = {}) =>
  new NposChain({
    validators: nodes.slice(0, count).map((node) => ({ node, bond: 10_000n })),
    registered: nodes.slice(1, count),
    grants: ['CanManagePeers'],
    parameters,
  })
const disable = (key: string): Instruction => instruction(peerInstructions.disableConsensusKey, { key, force: true })
const unregister = (node: Node): Instruction =>
  instruction(peerInstructions.unregisterPeer, { peer: keyOf(node), force: true })

describe('a pending validator key', () => {
  it.each([
    ['before the snapshot', SNAPSHOT - 5],
    ['after the snapshot', SNAPSHOT + 1],
    ['with the record', RECORD],
  ])('never becomes active once it is disabled %s, and the active key remains in use', (_when, height) => {
    const chain = chainOf()
    const [node] = nodes as [Node]
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBeUndefined()
    chain.to(height - 1)
    expect(chain.run(node.operator, disable(keyOf(fresh)))).toBeUndefined()
    for (const epoch of [1, 2]) {
      chain.toEpoch(epoch)
      const { roster } = scheduleOf(chain.state, chain.height)
      expect(roster).toContain(keyOf(node))
      expect(roster).not.toContain(keyOf(fresh))
    }
    expect(chain.state.get(epochs, 1)?.seats.map(({ key }) => key)).toContain(keyOf(node))
    expect(chain.state.get(consensusKeys, keyOf(fresh))?.disabledFrom).toBeDefined()
    expect(chain.state.get(validators, node.account)?.key).toBe(keyOf(node))
    expect(chain.run(node.operator, disable(keyOf(fresh)))).toBe('exists')
  })

  it('that is disabled leaves the seat empty if the active key is disabled too', () => {
    const chain = chainOf()
    const [node] = nodes as [Node]
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBeUndefined()
    chain.to(SNAPSHOT)
    expect(chain.run(node.operator, disable(keyOf(fresh)))).toBeUndefined()
    expect(chain.run(node.operator, disable(keyOf(node)))).toBeUndefined()
    chain.toEpoch(1)
    expect(chain.seats).not.toContain(node.account)
    expect(chain.seats.length).toBe(3)
  })

  it('becomes active with its epoch unless disabled, and can be disabled from then on', () => {
    const chain = chainOf()
    const [node] = nodes as [Node]
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBeUndefined()
    chain.to(RECORD)
    expect(chain.run(node.operator, disable(keyOf(fresh)))).toBeUndefined()
    expect(scheduleOf(chain.state, START).roster).toContain(keyOf(fresh))
    expect(scheduleOf(chain.state, START).roster.length).toBe(4)
    chain.to(START)
    expect(scheduleOf(chain.state, START + 1).roster).not.toContain(keyOf(fresh))
  })

  it('cannot be used by other validators, even after it was disabled', () => {
    const chain = chainOf()
    const [node, other] = nodes as [Node, Node]
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBeUndefined()
    expect(chain.run(other.account, rotationTo(chain, other.account, fresh))).toBe('key_reused')
    expect(chain.run(node.operator, disable(keyOf(fresh)))).toBeUndefined()
    expect(chain.run(other.account, rotationTo(chain, other.account, fresh))).toBe('key_reused')
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBe('key_reused')
  })
})

describe('an election between its snapshot and its epoch', () => {
  /** An outsider of the first epoch that the second one would elect. */
  const outsider = (chain: NposChain): Node => {
    const [node] = nodes.slice(0, 6).filter(({ account }) => !chain.seats.includes(account)) as [Node]
    return node
  }
  const electedIn = (chain: NposChain, epoch: number) =>
    chain.state.get(elections, epoch)?.elected.map(({ validator }) => validator) ?? []

  it('skips candidates without a key at the decision, and gives the seat to the next candidate', () => {
    const chain = chainOf(6, { max_validators: 4 })
    chain.to(5)
    const node = outsider(chain)
    expect(chain.run(node.account, bond(500_000n))).toBeUndefined()
    chain.to(SNAPSHOT)
    expect(chain.run(node.operator, disable(keyOf(node)))).toBeUndefined()
    chain.to(DECIDED)
    expect(electedIn(chain, 1)).toHaveLength(4)
    expect(electedIn(chain, 1)).not.toContain(node.account)
    expect(chain.state.get(elections, 1)?.refused).toContainEqual({ validator: node.account, reason: 'keyDisabled' })
    chain.toEpoch(1)
    expect(chain.seats).toHaveLength(4)
  })

  it('keeps the roster if fewer than min_validators have a key at the decision', () => {
    const chain = chainOf()
    const [node] = nodes as [Node]
    chain.to(SNAPSHOT)
    expect(chain.run(node.operator, disable(keyOf(node)))).toBeUndefined()
    const term = calendarOf(chain.state)?.term
    chain.toEpoch(1)
    expect(electedIn(chain, 1)).toEqual([])
    expect(calendarOf(chain.state)?.term).toBe(term)
    expect(chain.seats).toHaveLength(3)
  })

  it('keeps min_validators keys active after the decision; a key can be disabled once the epoch is written', () => {
    const chain = chainOf(6, { max_validators: 4 })
    chain.to(DECIDED)
    const [node] = nodes.filter(({ account }) => electedIn(chain, 1).includes(account)) as [Node]
    expect(chain.run(node.operator, disable(keyOf(node)))).toBe('membership_cap')
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBeUndefined()
    chain.toEpoch(1)
    expect(chain.seats).toHaveLength(4)
    expect(scheduleOf(chain.state, chain.height).roster).toHaveLength(4)
    expect(chain.run(node.operator, disable(keyOf(node)))).toBeUndefined()
  })

  it('allows at most f keys of elected validators to be disabled', () => {
    const chain = chainOf(8, { max_validators: 7 })
    chain.to(DECIDED)
    const isElected = ({ account }: Node) => electedIn(chain, 1).includes(account)
    const [first, second, third] = nodes.filter(isElected) as [Node, Node, Node]
    const [other] = nodes.filter((node) => !isElected(node)) as [Node]
    expect(electedIn(chain, 1)).toHaveLength(7)
    for (const node of [first, second]) expect(chain.run(node.operator, disable(keyOf(node)))).toBeUndefined()
    expect(chain.run(third.operator, disable(keyOf(third)))).toBe('membership_cap')
    expect(chain.run(other.operator, disable(keyOf(other)))).toBeUndefined()
    chain.toEpoch(1)
    expect(chain.seats).toHaveLength(5)
  })

  it('prevents a pending key from being disabled or replaced if its seat has no other active key', async () => {
    const chain = chainOf(6, { max_validators: 4 })
    const later = await nodeNamed('v0 later')
    chain.to(5)
    const node = outsider(chain)
    expect(chain.run(node.account, bond(500_000n))).toBeUndefined()
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBeUndefined()
    chain.to(SNAPSHOT - 4)
    expect(chain.run(node.operator, disable(keyOf(node)))).toBeUndefined()
    chain.to(DECIDED)
    expect(electedIn(chain, 1)).toContain(node.account)
    expect(chain.run(node.operator, disable(keyOf(fresh)))).toBe('membership_cap')
    expect(chain.run(node.account, rotationTo(chain, node.account, later))).toBe('membership_cap')
    chain.toEpoch(1)
    expect(chain.seats).toHaveLength(4)
    expect(scheduleOf(chain.state, chain.height).roster).toContain(keyOf(fresh))
  })
})

describe('the key of the last voting member', () => {
  it('cannot be disabled even with force, because keys that were disabled before would vote again', () => {
    const chain = chainOf()
    const [last, ...others] = nodes.slice(0, 4) as [Node, Node, Node, Node]
    for (const node of others) expect(chain.run(node.operator, disable(keyOf(node)))).toBeUndefined()
    chain.block()
    expect(chain.run(last.operator, disable(keyOf(last)))).toBe('last_validator')
    chain.block()
    expect(scheduleOf(chain.state, chain.height + 1).roster).toEqual([keyOf(last)])
    // A key that waits may be: it does not vote.
    expect(chain.run(last.account, rotationTo(chain, last.account, fresh))).toBeUndefined()
    expect(chain.run(last.operator, disable(keyOf(fresh)))).toBeUndefined()
  })
})

describe('the peer entry of a validator', () => {
  it('is kept while its validator has a seat or is elected, even if chilled after the snapshot', () => {
    const chain = chainOf(6, { max_validators: 4 })
    chain.to(5)
    const [node] = nodes.filter(({ account }) => !chain.seats.includes(account)) as [Node]
    expect(chain.run(node.account, bond(500_000n))).toBeUndefined()
    chain.to(SNAPSHOT)
    expect(chain.run(node.account, chill)).toBeUndefined()
    while (chain.state.get(elections, 1) === undefined) chain.block()
    expect(chain.run(ADMIN, unregister(node))).toBe('bad_activation')
    chain.toEpoch(1)
    expect(chain.seats).toContain(node.account)
    expect(chain.seats.every((one) => chain.state.has(peers, chain.state.get(validators, one)?.peer ?? ''))).toBe(true)
    expect(chain.run(ADMIN, unregister(node))).toBe('bad_activation')
  })

  it('can be removed at any time if its validator has no seat and was not elected', () => {
    const chain = chainOf(6, { max_validators: 4 })
    chain.to(SNAPSHOT)
    const record = () => chain.state.get(elections, 1)?.elected.map(({ validator }) => validator)
    chain.to(30)
    const [node] = nodes.filter(({ account }) => !chain.seats.includes(account) && !record()?.includes(account)) as [
      Node,
    ]
    expect(chain.run(ADMIN, unregister(node))).toBeUndefined()
    expect(chain.state.get(validators, node.account)?.status.kind).toBe('chilled')
    expect(chain.state.get(stakes, node.account)?.slot).toBeUndefined()
    expect(chain.run(node.account, unjail)).toBe('absent')
    chain.toEpoch(1)
    expect(chain.run(node.account, unbond(10_000n))).toBeUndefined()
    expect(chain.state.has(validators, node.account)).toBe(false)
  })

  it('is required for a seat, even if the validator has a pending key', () => {
    const chain = chainOf(6, { max_validators: 4 })
    chain.to(5)
    const [node] = nodes.filter(({ account }) => !chain.seats.includes(account)) as [Node]
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBeUndefined()
    expect(chain.run(node.account, bond(500_000n))).toBeUndefined()
    expect(chain.run(node.account, chill)).toBeUndefined()
    expect(chain.run(ADMIN, unregister(node))).toBeUndefined()
    expect(chain.run(node.account, unjail)).toBe('absent')
    const row = chain.state.get(validators, node.account)
    if (row === undefined) throw new Error('the validator has no record')
    expect(row.nextKey?.key).toBe(keyOf(fresh))
    expect(waitingKeyOf(chain.state, row)).toBeUndefined()
    chain.toEpoch(2)
    expect(chain.seats).not.toContain(node.account)
    expect(chain.state.get(peerKeys, keyOf(node))).toBeUndefined()
    expect(chain.state.get(consensusKeys, keyOf(fresh))?.activeFrom).toBeGreaterThan(chain.height)
  })
})
