/** A restricted dataspace is closed to others, whatever other instructions and authorities are in the transaction. */

import { beforeEach, describe, expect, it } from 'vitest'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'
import { balances } from '../../../src/ledger/tables.js'
import { type Instruction, instruction, multisigAccount, NO_METADATA } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import { laneSpecOf, updateLanes } from '../../support/lanes.js'

const { owner, alice, bob, agent, outsider } = core
const DEPOT = 7n
const BOND = 'bond#depot'

const setDataspaces = (restricted: boolean): Instruction =>
  instruction(lanes.setDataspaces, {
    dataspaces: [
      { id: 0n, alias: 'universal', faultTolerance: 1, restricted: false, relayers: [] },
      { id: DEPOT, alias: 'depot', faultTolerance: 1, restricted, relayers: [] },
    ],
  })
const note = core.log('hello')
const bond = (from: string, to: string, amount = 1n): Instruction => core.transfer(from, to, amount, BOND)

let bench: Bench

/** Bob is at home in the depot; alice and the others have their accounts at the bank. */
function world(restricted: boolean): void {
  bench = new Bench()
  bench.genesis(
    owner,
    setDataspaces(restricted),
    updateLanes({ add: [laneSpecOf(1, { dataspace: DEPOT })] }),
    core.registerDomain('bank'),
    instruction(domains.registerDomain, { id: 'depot', dataspace: DEPOT, metadata: NO_METADATA }),
    ...[owner, alice, agent, outsider].map((id) => core.registerAccount(id)),
    core.registerAccount(bob, undefined, 'depot'),
    core.registerDefinition(core.USD),
    core.registerDefinition(BOND),
    core.mint(alice, 1_000n, BOND),
    core.mint(bob, 1_000n, BOND),
    core.mint(alice, 1_000n),
  )
}
beforeEach(() => world(true))

describe('an account without access to a restricted dataspace', () => {
  it('cannot transfer there, even together with an unrelated instruction', () => {
    expect(bench.run(alice, bond(alice, bob))).toBe('space_denied')
    expect(bench.run(alice, note, bond(alice, bob))).toBe('space_denied')
    expect(bench.run(alice, core.transfer(alice, bob, 1n), bond(alice, bob))).toBe('space_denied')
    expect(bench.last?.rejection?.message).toContain('dataspace 7')
  })

  it('cannot pay from it in one leg of a settlement in another dataspace', () => {
    const leg = (definition: string, from: string, to: string) => ({
      asset: { definition, account: from },
      to,
      amount: core.units(1n),
    })
    const value = { id: 'one', delivery: leg(BOND, alice, agent), payment: leg(core.USD, alice, agent) }
    expect(bench.run(alice, instruction(lanes.settleDvp, value))).toBe('space_denied')
  })

  it('cannot change objects in the dataspace', () => {
    const target = { kind: 'definition', value: BOND } as const
    expect(bench.run(owner, core.setKey(target, 'rating', 'AAA'))).toBe('space_denied')
    expect(bench.run(owner, core.mint(alice, 1n, BOND))).toBe('space_denied')
  })

  it('cannot access it with a trigger', () => {
    expect(bench.run(alice, core.registerTrigger('pay', alice, core.BY_CALL, [note, bond(alice, bob)]))).toBeUndefined()
    expect(bench.run(alice, core.callTrigger('pay'))).toBe('space_denied')
    expect(bench.run(bob, core.callTrigger('pay'))).not.toBeUndefined()
  })

  it('cannot access it with a proposal approved by a permitted account', () => {
    const policy = core.policyOf(
      [
        [alice, 1],
        [bob, 1],
      ],
      1,
    )
    const firm = multisigAccount(policy)
    bench.genesis(owner, core.registerMultisig(policy), core.mint(firm, 10n, BOND))
    expect(bench.run(bob, core.propose(firm, bond(firm, bob)))).toBeUndefined()
    expect(bench.eventKinds).toContain('proposalFailed')
    expect(bench.events.find(({ kind }) => kind === 'proposalFailed')?.value).toMatchObject({ error: 'space_denied' })
    expect(bench.state.get(balances, { definition: BOND, account: firm })?.mantissa).toBe(10n)
  })

  it('is admitted by a token, and refused again after its revocation', () => {
    bench.genesis(owner, core.permission('grant', 'CanUseDataspace', '7', alice))
    expect(bench.run(alice, note, bond(alice, bob))).toBeUndefined()
    bench.genesis(owner, core.permission('revoke', 'CanUseDataspace', '7', alice))
    expect(bench.run(alice, note, bond(alice, bob))).toBe('space_denied')
  })

  it('may be paid by permitted accounts, and keeps all other rights', () => {
    expect(bench.run(bob, bond(bob, alice))).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, bob, 1n), note)).toBeUndefined()
  })
})

it('an unrestricted dataspace is open to all', () => {
  world(false)
  expect(bench.run(alice, note, bond(alice, bob))).toBeUndefined()
})

it('genesis is exempt from restrictions of dataspaces', () => {
  expect(() => bench.genesis(alice, bond(alice, bob))).not.toThrow()
})
