/** Epochs on the ledger: who votes follows from stake, from the heights on that the records say. */

import { beforeAll, describe, expect, it } from 'vitest'
import { scheduleOf } from '../../../src/executor/index.js'
import { instructions as peers } from '../../../src/features/peers/schema.js'
import { elections, exposures } from '../../../src/features/staking/ledger/elections/tables.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { epochs } from '../../../src/features/staking/ledger/epochs/tables.js'
import { validators } from '../../../src/features/staking/ledger/validators/tables.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'
import { instruction } from '../../../src/model/index.js'
import { eventsOf } from '../../support/blocks.js'
import {
  accountNamed,
  amount,
  bond,
  chill,
  keyOf,
  type Node,
  NposChain,
  nodeNamed,
  nominate,
  registrationOf,
  rotationTo,
  unbond,
} from '../../support/npos/chain.js'

let nodes: Node[]
beforeAll(async () => {
  nodes = await Promise.all(Array.from({ length: 6 }, (_, index) => nodeNamed(`v${index}`)))
})
const four = () => nodes.slice(0, 4).map((node) => ({ node, bond: 10_000n }))
const six = () => nodes.map((node, index) => ({ node, bond: 10_000n + BigInt(index) }))

describe('epochs of elected validators', () => {
  it('start with genesis, and follow the epoch calendar', () => {
    const chain = new NposChain({ validators: four() })
    expect(chain.seats).toEqual(
      nodes
        .slice(0, 4)
        .map(({ account }) => account)
        .sort(),
    )
    expect(scheduleOf(chain.state, 2).epoch).toBe(0)
    chain.toEpoch(1)
    expect(chain.height).toBe(41)
    expect(scheduleOf(chain.state, 41).epoch).toBe(1)
    chain.toEpoch(3)
    expect(chain.height).toBe(121)
    expect(chain.seats.length).toBe(4)
    const failed = chain.runs.flatMap((run) => [...run.rejections.values()])
    expect(failed).toEqual([])
  })

  it('determine the roster of a height exactly two heights before it', () => {
    const chain = new NposChain({ validators: six(), parameters: { max_validators: 4 } })
    const before = chain.seats
    expect(chain.run(accountNamed('v0'), bond(500_000n))).toBeUndefined()
    expect(chain.run(accountNamed('v1'), bond(500_000n))).toBeUndefined()
    chain.to(38)
    expect(chain.state.get(epochs, 1)).toBeUndefined()
    chain.to(39)
    expect(chain.state.get(epochs, 1)?.start).toBe(41)
    expect(scheduleOf(chain.state, 40).epoch).toBe(0)
    expect(scheduleOf(chain.state, 41).epoch).toBe(1)
    chain.toEpoch(1)
    expect(chain.seats).not.toEqual(before)
    expect(chain.seats).toContain(accountNamed('v0'))
  })

  it('do not count earlier nominations of a validator that left and returned with another commission', async () => {
    const [v0, nina] = [accountNamed('v0'), accountNamed('nina')]
    const chain = new NposChain({
      validators: nodes.slice(0, 5).map((node) => ({ node, bond: 10_000n })),
      nominators: [{ name: 'nina', bond: 10_000n, targets: ['v0'] }],
    })
    const exposed = () => chain.state.get(exposures, { term: calendarOf(chain.state)?.term ?? 0, validator: v0 })
    expect(exposed()).toMatchObject({ commissionBps: 0, total: amount(20_000n) })
    expect(chain.run(v0, chill)).toBeUndefined()
    chain.toEpoch(1)
    expect(chain.run(v0, unbond(10_000n))).toBeUndefined()
    expect(chain.state.get(validators, v0)).toBeUndefined()
    expect(chain.run(v0, bond(15_000n))).toBeUndefined()
    expect(chain.run(v0, registrationOf(v0, await nodeNamed('fresh'), 10_000))).toBeUndefined()
    chain.toEpoch(3)
    expect(exposed()).toMatchObject({ commissionBps: 10_000, total: amount(15_000n) })
    expect(chain.run(nina, nominate(v0))).toBeUndefined()
    chain.toEpoch(4)
    expect(exposed()).toMatchObject({ commissionBps: 10_000, total: amount(25_000n) })
  })

  it('count only nominations made before the snapshot', () => {
    const parameters = { max_validators: 4 }
    const chain = new NposChain({ validators: six(), holders: ['early', 'late'], parameters })
    // Snapshot at 1 + 40 - 24 + 8 = 25.
    chain.to(20)
    expect(chain.run(accountNamed('early'), bond(90_000n), nominate(accountNamed('v0')))).toBeUndefined()
    chain.to(25)
    expect(chain.run(accountNamed('late'), bond(900_000n), nominate(accountNamed('v1')))).toBeUndefined()
    chain.toEpoch(1)
    expect(chain.seats).toContain(accountNamed('v0'))
    expect(chain.seats).not.toContain(accountNamed('v1'))
    const record = chain.state.get(elections, 1)
    expect(record?.snapshotHeight).toBe(25)
    chain.toEpoch(2)
    expect(chain.seats).toContain(accountNamed('v1'))
  })

  it('derive their seeds from the commitments of members', () => {
    const one = new NposChain({ validators: four() })
    const other = new NposChain({ validators: four() })
    one.toEpoch(1)
    expect(one.state.get(epochs, 1)?.weak).toBe('strong')
    other.asleep.add(accountNamed('v0'))
    other.toEpoch(1)
    expect(one.state.get(epochs, 1)?.seed).not.toEqual(other.state.get(epochs, 1)?.seed)
  })

  it('have a weak seed if fewer than f + 1 members reveal, and keep the last strong seed', () => {
    const chain = new NposChain({ validators: four() })
    chain.toEpoch(1)
    for (const { account } of nodes.slice(0, 4).slice(0, 4)) chain.withholding.add(account)
    chain.toEpoch(2)
    const [first, second] = [chain.state.get(epochs, 1), chain.state.get(epochs, 2)]
    expect(second?.weak).toBe('weak')
    expect(second?.strongSeed).toEqual(first?.seed)
    expect(second?.seed).not.toEqual(first?.seed)
  })

  it('exclude members that withheld their reveal for one epoch, at most f of them', () => {
    const chain = new NposChain({ validators: six().concat() })
    chain.toEpoch(1)
    const [first, second] = chain.seats
    chain.withholding.add(first ?? '')
    chain.withholding.add(second ?? '')
    chain.toEpoch(2)
    chain.withholding.clear()
    chain.toEpoch(3)
    const out = [first, second].filter((account) => !chain.seats.includes(account ?? ''))
    expect(out.length).toBe(1)
    const status = chain.state.get(validators, out[0] ?? '')?.status
    expect(status?.kind).toBe('jailed')
    expect(chain.run(out[0] ?? '', instruction(staking.unjailValidator, {}))).toBeUndefined()
    chain.toEpoch(4)
    expect(chain.seats.length).toBe(4)
  })

  it('keep the roster if there are too few candidates, and begin no new term', () => {
    const chain = new NposChain({ validators: four() })
    chain.asleep.add(accountNamed('v3'))
    chain.toEpoch(3)
    const kept = chain.runs.flatMap((run) => eventsOf(run, 'stakingElectionKept'))
    expect(kept.length).toBeGreaterThan(0)
    expect(chain.seats.length).toBe(4)
  })

  it('drop a member with a disabled key two heights later, and refuse other changes of peers', () => {
    const chain = new NposChain({ validators: six() })
    const [node] = nodes
    if (node === undefined) throw new Error('no node')
    chain.to(5)
    const member = nodes.find(({ account }) => chain.seats.includes(account)) ?? node
    const operator = chain.operatorOf(member.account) ?? ''
    expect(scheduleOf(chain.state, 6).roster).toContain(keyOf(member))
    const disable = instruction(peers.disableConsensusKey, { key: keyOf(member), force: true })
    expect(chain.run(operator, disable)).toBeUndefined()
    expect(scheduleOf(chain.state, chain.height + 1).roster).toContain(keyOf(member))
    expect(scheduleOf(chain.state, chain.height + 2).roster).not.toContain(keyOf(member))
    expect(scheduleOf(chain.state, chain.height + 2).roster.length).toBe(3)
    chain.toEpoch(1)
    expect(chain.seats).not.toContain(member.account)
    expect(chain.seats.length).toBe(4)
  })

  it('change the key of a validator only at an epoch boundary', async () => {
    const chain = new NposChain({ validators: four() })
    const fresh = await nodeNamed('v0 rotated')
    const [node] = nodes
    if (node === undefined) throw new Error('no node')
    expect(chain.run(node.account, rotationTo(chain, node.account, fresh))).toBeUndefined()
    chain.to(40)
    expect(scheduleOf(chain.state, 40).roster).toContain(keyOf(node))
    expect(scheduleOf(chain.state, 41).roster).toContain(keyOf(fresh))
    expect(scheduleOf(chain.state, 41).roster).not.toContain(keyOf(node))
    expect(scheduleOf(chain.state, 41).rotated.get(keyOf(fresh))).toBe(keyOf(node))
    chain.toEpoch(2)
    expect(chain.state.get(validators, node.account)?.key).toBe(keyOf(fresh))
  })
})
