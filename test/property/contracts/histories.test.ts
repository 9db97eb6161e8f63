/** Random histories of contracts: the executor and a naive one give the same codes, traps, states, balances and events. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { aliasTarget } from '../../../src/features/contracts/ledger/deployment.js'
import { artifacts, instances, lines, states } from '../../../src/features/contracts/ledger/tables.js'
import { events as contractEvents } from '../../../src/features/contracts/schema/events.js'
import { nestedCall } from '../../../src/features/contracts/schema/host-records.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'
import { artifactHashOf, type Entrypoint } from '../../../src/features/contracts/schema/records.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, anyInstruction, type Instruction, instruction, isEvent } from '../../../src/model/index.js'
import { slice } from '../../suites.mjs'
import {
  alice,
  bob,
  call,
  calledOf,
  contractBench,
  DROP,
  deploy,
  entry,
  handwritten,
  host,
  mallory,
  manifestOf,
  register,
} from '../../support/contracts.js'
import { accountNamed, type Bench } from '../../support/executor.js'
import {
  type NaiveCall,
  type NaiveContractInstruction,
  NaiveContracts,
  type Script,
} from '../../support/naive-contracts.js'
import { NONE, type Node, op } from '../../support/vm/assembler.js'

/** Histories of one run. */
const HISTORIES = Number(process.env.CAUSEWAY_HISTORIES ?? slice(30, 60))
const people = [alice, bob, mallory]
const UNREGISTERED = accountNamed('nobody')
const GAS = 2_000_000

// The program: input stands at 1024, its length in local 0.

const INPUT = 1_024
const length = op.get(0)
const read: Node[] = [...host('input', INPUT, 0, 8_192), op.set(0)]
const keepByte: Node[] = [...host('state_set', INPUT, 1, INPUT + 1, 1), DROP]
/** Keeps a byte that was computed under a key. */
const keepResult = (key: number, ...computed: readonly Node[]): Node[] => [
  ...[op.i32(16), ...computed, op.memory(0x3a, 0, 0)],
  ...[op.i32(8), op.i32(key), op.memory(0x3a, 0, 0)],
  ...host('state_set', 8, 1, 16, 1),
  DROP,
]
const BODIES: Readonly<Record<string, readonly Node[]>> = {
  put: [...read, ...keepByte],
  mine: [...read, ...keepByte],
  look: [...read, ...keepByte],
  fail: [...read, ...keepByte, op.plain(0x00)],
  del: [...read, ...host('state_del', INPUT, 1), DROP],
  emit: [...read, op.i32(8), op.i32(116), op.memory(0x3a, 0, 0), ...host('event', 8, 1, INPUT, 1)],
  take: [...read, ...[op.i32(8), op.i32(116), op.memory(0x3a, 0, 0)], ...host('state_set', 8, 1, INPUT, 1), DROP],
  spin: [op.loop(NONE, [op.br(0)])],
  nothing: [op.plain(0x01)],
  act: [...read, ...keepResult(101, ...host('execute', INPUT, length))],
  try: [...read, ...keepResult(115, ...host('call', INPUT, length))],
  must: [...read, ...host('call', INPUT, length), op.if(NONE, [op.plain(0x00)])],
  init: [...read, length, op.if(NONE, keepByte)],
  up: [...read, length, op.if(NONE, keepByte)],
}
const kindOf = (name: string): Entrypoint['kind'] =>
  name === 'look' ? 'view' : name === 'init' ? 'init' : name === 'up' ? 'upgrade' : 'public'
const entriesOf = (names: readonly string[]): Entrypoint[] =>
  names.map((name) =>
    entry(name, kindOf(name), {}, { payable: name === 'take', permission: name === 'mine' ? 'owner' : undefined }),
  )
const UPGRADABLE = [true, false]
const code = handwritten(BODIES)
const names = Object.keys(BODIES)
const PROGRAMS = UPGRADABLE.map((upgradable) => {
  const manifest = manifestOf(code, entriesOf(names.filter((name) => upgradable || name !== 'up')), { upgradable })
  return { manifest, artifact: artifactHashOf(code, manifest) }
})

// Steps of histories.

const label = fc.constantFrom('one@bank', 'two@bank', 'desk@bank')
const place = fc.nat({ max: 4 })
const amounts = fc.array(fc.constantFrom(0n, 1n, 7n, 40n, 2_000n), { maxLength: 2 })
const calls = fc.letrec<{ call: NaiveCall; script: Script }>((tie) => ({
  call: fc.record({
    contract: place,
    script: tie('script'),
    attach: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: amounts }),
  }),
  script: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.record({
      name: fc.constantFrom('put', 'mine', 'fail', 'look'),
      key: fc.nat({ max: 3 }),
      value: fc.nat({ max: 9 }),
    }),
    fc.record({ name: fc.constant('del' as const), key: fc.nat({ max: 3 }) }),
    fc.record({ name: fc.constantFrom('emit', 'take'), value: fc.nat({ max: 9 }) }),
    fc.record({ name: fc.constantFrom('spin', 'nothing', 'init') }),
    fc.record({
      name: fc.constant('act' as const),
      to: fc.constantFrom(...people),
      amount: fc.constantFrom(0n, 3n, 50n),
    }),
    fc.record({ name: fc.constantFrom('try', 'must'), call: tie('call') }),
    fc.record({ name: fc.constantFrom('try', 'must'), call: tie('call') }),
  ) as fc.Arbitrary<Script>,
}))
const artifact = fc.nat({ max: 1 })
const one: fc.Arbitrary<NaiveContractInstruction> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('register', 'remove'), artifact }) },
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('deploy' as const),
      artifact,
      alias: fc.option(label, { nil: undefined }),
      inherit: fc.boolean(),
      value: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('deactivate' as const), contract: place }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('bind' as const), alias: label, contract: place }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('release' as const), alias: label }) },
  { weight: 14, arbitrary: fc.record({ op: fc.constant('call' as const), call: calls.call }) },
) as fc.Arbitrary<NaiveContractInstruction>
const step = fc.record({
  by: fc.constantFrom(alice, alice, bob, mallory),
  // The address of what is deployed is known when the transaction is over: nothing in it comes behind.
  list: fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((list) => [...list].sort((a, b) => Number(a.op === 'deploy') - Number(b.op === 'deploy'))),
})

/** Something to call from the start. */
const bare = { op: 'deploy', alias: undefined, inherit: false, value: undefined } as const
const FIRST: readonly { readonly by: AccountId; readonly list: readonly NaiveContractInstruction[] }[] = [
  { by: bob, list: [{ op: 'register', artifact: 1 }] },
  { by: alice, list: [{ ...bare, artifact: 0, alias: 'one@bank' }] },
  { by: bob, list: [{ ...bare, artifact: 1, value: 3 }] },
  { by: alice, list: [{ ...bare, artifact: 0 }] },
]

// Both executors.

function begin() {
  const bench = contractBench()
  const subject = { kind: 'permission', value: { name: 'CanDeployContract', object: undefined } } as const
  bench.genesis(alice, instruction(permissions.grant, { subject, to: { kind: 'account', value: bob } }))
  bench.genesis(bob, instruction(accounts.setLabel, { account: bob, label: 'desk' }))
  bench.genesis(alice, instruction(contracts.registerContract, { code, manifest: PROGRAMS[0]!.manifest }))
  const { errorNumbers } = bench.abi
  const naive = new NaiveContracts({
    deployers: [alice, bob],
    domainOwner: alice,
    people,
    gold: { [alice]: 1_000n },
    labels: { 'desk@bank': bob },
    upgradable: UPGRADABLE,
    errors: { tooMuch: errorNumbers.get('not_enough') ?? 0, nothing: errorNumbers.get('bad_amount') ?? 0 },
  })
  naive.state.artifacts.set(0, alice)
  return { bench, naive }
}

const amountOf = (mantissa: bigint) => ({ mantissa, scale: 0 })
const attachOf = (list: readonly bigint[]) => list.map((one) => ({ definition: 'gold#bank', amount: amountOf(one) }))

/** The real instruction of a naive one, with the addresses of the contracts so far. */
function real(
  bench: Bench,
  naive: NaiveContracts,
  addresses: readonly AccountId[],
  i: NaiveContractInstruction,
): Instruction {
  const addressAt = (at: number): AccountId => addresses[at] ?? UNREGISTERED
  const inputOf = (contract: number, script: Script): Buffer => {
    switch (script.name) {
      case 'put':
      case 'mine':
      case 'fail':
      case 'look':
        return Buffer.of(script.key, script.value)
      case 'del':
        return Buffer.of(script.key)
      case 'emit':
      case 'take':
        return Buffer.of(script.value)
      case 'act': {
        const line = naive.state.contracts[contract]?.line ?? contract
        const asset = { definition: 'gold#bank', account: addressAt(line) }
        const value = { asset, to: script.to, amount: amountOf(script.amount) }
        return anyInstruction.encode(instruction(assets.transfer, value), bench.abi.codec('cw'))
      }
      case 'try':
      case 'must': {
        const { call: of } = script
        // A contract that loops gets little gas, so that its caller can continue.
        const gas = of.script.name === 'spin' ? 60_000 : GAS
        const input = inputOf(of.contract, of.script)
        const value = {
          address: addressAt(of.contract),
          entrypoint: of.script.name,
          input,
          gas,
          attach: attachOf(of.attach),
        }
        return nestedCall.encode(value)
      }
      default:
        return Buffer.alloc(0)
    }
  }
  switch (i.op) {
    case 'register':
      return register(code, PROGRAMS[i.artifact]?.manifest ?? manifestOf(code, []))
    case 'remove':
      return instruction(contracts.removeContractArtifact, { artifact: PROGRAMS[i.artifact]!.artifact })
    case 'deploy': {
      const { alias, inherit } = i
      const input = i.value === undefined ? Buffer.alloc(0) : Buffer.of(inherit ? 117 : 105, i.value)
      return deploy(PROGRAMS[i.artifact]?.artifact ?? code, { alias, inherit, input, gasLimit: GAS })
    }
    case 'deactivate':
      return instruction(contracts.deactivateContract, { address: addressAt(i.contract), reason: 'test' })
    case 'bind':
      return instruction(contracts.bindContractAlias, { alias: i.alias, address: addressAt(i.contract) })
    case 'release':
      return instruction(contracts.releaseContractAlias, { alias: i.alias })
    case 'call': {
      const { contract, script, attach } = i.call
      const input = inputOf(contract, script)
      return call(addressAt(contract), script.name, { input, gasLimit: GAS, attach: attachOf(attach) })
    }
  }
}

/** Both have the same contracts, state, balances, aliases and counts. */
function compare(bench: Bench, naive: NaiveContracts, addresses: readonly AccountId[]): void {
  const { state } = naive
  for (const [index, { artifact: hash }] of PROGRAMS.entries()) {
    const row = bench.state.get(artifacts, hash)
    expect(row?.registrant).toBe(state.artifacts.get(index))
    const refs = state.contracts.filter((one) => one.active && one.artifact === index).length
    if (row !== undefined) expect(row.refs).toBe(refs)
  }
  expect(addresses.length).toBe(state.contracts.length)
  for (const [index, { line, owner, active }] of state.contracts.entries()) {
    const found = bench.state.get(instances, addresses[index] as AccountId)
    expect(found).toMatchObject({ owner, status: active ? 'active' : 'inactive', storageId: addresses[line] })
  }
  for (const [line, kept] of state.kept) {
    const storageId = addresses[line] as AccountId
    const row = bench.state.get(lines, storageId)
    const active = state.contracts.findIndex((one) => one.active && one.line === line)
    expect(row).toEqual({ active: addresses[active], keys: kept.size, bytes: 2 * kept.size })
    for (const key of [0, 1, 2, 3, 101, 105, 115, 116, 117]) {
      const value = bench.state.get(states, { storageId, key: Buffer.of(key) })
      expect(value === undefined ? undefined : Buffer.from(value).toString('hex')).toBe(kept.get(key))
    }
  }
  for (const [holder, held] of state.gold) {
    const account = typeof holder === 'number' ? (addresses[holder] as AccountId) : holder
    expect(bench.state.get(balances, { definition: 'gold#bank', account })?.mantissa ?? 0n).toBe(held)
  }
  for (const alias of ['one', 'two', 'desk']) {
    const holder = state.labels.get(`${alias}@bank`)
    const account = typeof holder === 'number' ? addresses[holder] : holder
    expect(aliasTarget(bench.state, { domain: 'bank', label: alias })?.account).toBe(account)
  }
}

it('random contract histories give the same results in two executors', { timeout: 20 * 60_000 }, () => {
  const met = new Map<string, number>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 50 }), (history) => {
      const { bench, naive } = begin()
      const addresses: AccountId[] = []
      for (const { by, list } of [...FIRST, ...history]) {
        const asked = list.map((i) => real(bench, naive, addresses, i))
        const failed = bench.run(by, ...asked)
        expect([failed, bench.last?.rejection?.message]).toEqual([naive.run(by, list), bench.last?.rejection?.message])
        if (failed === 'contract_trap') expect(calledOf(bench).trap).toBe(naive.trap)
        const word = failed === 'contract_trap' ? `trap ${naive.trap}` : (failed ?? 'approved')
        met.set(word, (met.get(word) ?? 0) + 1)
        if (failed === undefined) {
          const events = bench.last?.events ?? []
          for (const event of events) {
            if (!isEvent(event, contractEvents.contractDeployed)) continue
            addresses.push(event.value.address)
          }
          const emitted = events
            .filter((one) => isEvent(one, contractEvents.contractEvent))
            .map(({ value: { address, data } }) => ({
              contract: addresses.indexOf(address),
              data: Buffer.from(data).toString('hex'),
            }))
          expect(emitted).toEqual(naive.state.emitted)
        }
        compare(bench, naive, addresses)
        for (const kept of naive.state.kept.values()) met.set(`status ${kept.get(115)}`, 1)
      }
    }),
    { numRuns: HISTORIES },
  )
  expect(met.has('executor_fault')).toBe(false)
  expect(met.get('approved') ?? 0).toBeGreaterThan(HISTORIES)
  // Outcomes that never occur are not compared.
  const often = [
    'contract_not_found',
    'contract_in_use',
    'contract_not_owner',
    'contract_not_upgradable',
    'bad_label',
    'not_enough',
  ]
  const traps = [1, 3, 9, 15, 17].map((trap) => `trap ${trap}`)
  expect([...often, ...traps].filter((word) => !met.has(word))).toEqual([])
  // Results of callees, as returned to their callers; that a contract is active is reported to no other one.
  const statuses = [...met.keys()].filter((word) => word.startsWith('status '))
  expect(statuses).toContain('status 0b')
  expect(statuses.length).toBeGreaterThan(5)
})
