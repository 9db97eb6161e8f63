/** The rules of assets and dataspaces inside of contracts: what holds for an account outside holds for that of a contract. */

import { describe, expect, it } from 'vitest'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { states } from '../../../src/features/contracts/ledger/tables.js'
import { nestedCall } from '../../../src/features/contracts/schema/host-records.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'
import { balances } from '../../../src/ledger/tables.js'
import {
  type AccountId,
  anyInstruction,
  type ErrorCode,
  type Instruction,
  instruction,
  NO_METADATA,
} from '../../../src/model/index.js'
import { TRAP } from '../../../src/vm/index.js'
import {
  addressOf,
  alice,
  bob,
  call,
  calledOf,
  contractBench,
  DROP,
  deploy,
  deployed,
  entry,
  handwritten,
  host,
  manifestOf,
  register,
} from '../../support/contracts.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import { laneSpecOf, updateLanes } from '../../support/lanes.js'
import { type Node, op } from '../../support/vm/assembler.js'

const GOLD = 'gold#bank'
const DEPOT = 7n
const BOND = 'bond#depot'
const INPUT = 1_024

/** Runs its input as an instruction, or as a call of another, and keeps what that came to under `s`. */
const word = Buffer.alloc(128)
word.write('s', 100)
const keeping = (name: 'execute' | 'call'): Node[] => [
  ...[...host('input', INPUT, 0, 8_192), op.set(0)],
  ...[op.i32(104), ...host(name, INPUT, op.get(0)), op.memory(0x36, 2, 0)],
  ...[...host('state_set', 100, 1, 104, 4), DROP],
]
const code = handwritten({ act: keeping('execute'), ask: keeping('call'), take: [op.plain(0x01)] }, word)
const manifest = manifestOf(code, [entry('act'), entry('ask'), entry('take', 'public', {}, { payable: true })])

const statusOf = (bench: Bench, storageId: AccountId): number | undefined => {
  const value = bench.state.get(states, { storageId, key: Buffer.from('s') })
  return value === undefined ? undefined : Buffer.from(value).readUInt32LE(0)
}
const numberOf = (code: ErrorCode): number | undefined => ABI_2.errorNumbers.get(code)
const act = (address: AccountId, one: Instruction): Instruction =>
  call(address, 'act', { input: anyInstruction.encode(one, ABI_2.codec('cw')) })
const carry = (mantissa: bigint, definition = GOLD) => [{ definition, amount: { mantissa, scale: 0 } }]
const goldOf = (bench: Bench, account: AccountId): bigint =>
  bench.state.get(balances, { definition: GOLD, account })?.mantissa ?? 0n

describe('the account of a contract', () => {
  /** A contract with 50 of gold, under a control that its issuer sets. */
  function controlled(control: (own: AccountId) => Instruction) {
    const bench = contractBench()
    const own = deployed(bench, code, manifest)
    expect(bench.run(alice, call(own, 'take', { attach: carry(50n) }))).toBeUndefined()
    expect(bench.run(alice, control(own))).toBeUndefined()
    return { bench, own }
  }
  const limits = (account: AccountId, cap: bigint): Instruction =>
    instruction(assets.setLimits, {
      asset: core.balance(account, GOLD),
      limits: [{ window: 'month', cap: core.units(cap) }],
    })
  const blacklist = (account: AccountId): Instruction =>
    instruction(assets.setBlacklist, { asset: core.balance(account, GOLD), blacklisted: true })

  it('pays no more than its cap, in one call or over several calls', () => {
    const { bench, own } = controlled((account) => limits(account, 10n))
    const outside = contractBench()
    outside.run(alice, core.transfer(alice, bob, 50n, GOLD))
    outside.run(alice, limits(bob, 10n))
    outside.run(bob, core.transfer(bob, alice, 6n, GOLD))
    const refused = outside.run(bob, core.transfer(bob, alice, 6n, GOLD)) as ErrorCode
    const found: unknown[] = []
    for (const amount of [6n, 6n, 4n]) {
      expect(bench.run(bob, act(own, core.transfer(own, bob, amount, GOLD)))).toBeUndefined()
      found.push(statusOf(bench, own))
    }
    expect([found, goldOf(bench, bob)]).toEqual([[0, numberOf(refused), 0], 10n])
  })

  it('neither pays nor is paid while it is blacklisted', () => {
    const { bench, own } = controlled(blacklist)
    bench.run(bob, act(own, core.transfer(own, bob, 1n, GOLD)))
    expect(statusOf(bench, own)).not.toBe(0)
    expect(bench.run(alice, call(own, 'take', { attach: carry(1n) }))).not.toBeUndefined()
    expect([goldOf(bench, own), goldOf(bench, bob)]).toEqual([50n, 0n])
  })

  it('mints only with permission, and burns only its own balance', () => {
    const { bench, own } = controlled(() => core.log('nothing'))
    bench.run(bob, act(own, core.mint(own, 5n, GOLD)))
    expect(statusOf(bench, own)).toBe(numberOf('not_permitted'))
    bench.run(bob, act(own, core.burn(own, 20n, GOLD)))
    expect([statusOf(bench, own), goldOf(bench, own)]).toEqual([0, 30n])
    bench.run(bob, act(own, core.burn(alice, 20n, GOLD)))
    expect(statusOf(bench, own)).toBe(numberOf('not_permitted'))
  })
})

describe('a contract in a restricted dataspace', () => {
  /** Bob is at home in the depot, where his contract is; alice is at the bank. */
  function depot() {
    const bench = new Bench(undefined, ABI_2)
    const dataspaces = [
      { id: 0n, alias: 'universal', faultTolerance: 1, restricted: false, relayers: [] },
      { id: DEPOT, alias: 'depot', faultTolerance: 1, restricted: true, relayers: [] },
    ]
    bench.genesis(
      alice,
      instruction(lanes.setDataspaces, { dataspaces }),
      updateLanes({ add: [laneSpecOf(1, { dataspace: DEPOT })] }),
      core.registerDomain('bank'),
      instruction(domains.registerDomain, { id: 'depot', dataspace: DEPOT, metadata: NO_METADATA }),
      core.registerAccount(alice),
      core.registerAccount(bob, undefined, 'depot'),
      core.registerDefinition(BOND),
      core.mint(bob, 100n, BOND),
      ...[alice, bob].map((id) => core.permission('grant', 'CanDeployContract', undefined, id)),
    )
    const artifact = artifactHashOf(code, manifest)
    expect(bench.run(bob, register(code, manifest))).toBeUndefined()
    const made = [bob, alice].map((by) => {
      expect(bench.run(by, deploy(artifact))).toBeUndefined()
      return addressOf(bench)
    })
    return { bench, inside: made[0] as AccountId, outside: made[1] as AccountId }
  }
  const lookAt = (address: AccountId) =>
    nestedCall.encode({ address, entrypoint: 'take', input: Buffer.alloc(0), gas: 100_000, attach: [] })

  it('can be called by permitted accounts, and by their contracts', () => {
    const { bench, inside, outside } = depot()
    expect(bench.run(alice, call(inside, 'take'))).toBe('space_denied')
    expect(bench.run(bob, call(inside, 'take', { attach: carry(3n, BOND) }))).toBeUndefined()
    // A contract of another dataspace is an outsider, whichever account calls it.
    expect(bench.run(bob, call(outside, 'ask', { input: lookAt(inside) }))).toBeUndefined()
    expect([statusOf(bench, outside), calledOf(bench).trap]).toEqual([TRAP.not_permitted, TRAP.ok])
    expect(bench.run(bob, call(inside, 'ask', { input: lookAt(outside) }))).toBeUndefined()
    expect(statusOf(bench, inside)).toBe(TRAP.ok)
  })

  it('transfers value there, but a contract outside of the dataspace cannot', () => {
    const { bench, inside, outside } = depot()
    bench.run(bob, call(inside, 'take', { attach: carry(3n, BOND) }))
    bench.run(bob, core.transfer(bob, outside, 3n, BOND))
    bench.run(bob, act(inside, core.transfer(inside, bob, 1n, BOND)))
    bench.run(bob, act(outside, core.transfer(outside, bob, 1n, BOND)))
    expect([statusOf(bench, inside), statusOf(bench, outside)]).toEqual([0, numberOf('space_denied')])
  })

  it('can be deployed only by accounts of the domains of that dataspace', () => {
    const { bench } = depot()
    const artifact = artifactHashOf(code, manifest)
    expect(bench.run(alice, deploy(artifact, { domain: 'depot' }))).toBe('space_denied')
    expect(bench.run(alice, deploy(artifact, { alias: 'desk@depot' }))).toBe('space_denied')
  })
})
