/** Reads of contracts: what there is, what they keep, views and simulations, what they told and who called. */
import { describe, expect, it } from 'vitest'
import type { ExecContext } from '../../../src/executor/contract.js'
import { EXECUTIONS } from '../../../src/executor/executions.js'
import type { IndexedBlock, QueryContext } from '../../../src/executor/reads.js'
import { tryOut } from '../../../src/executor/transaction.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { contractIndexes } from '../../../src/features/contracts/ledger/indexes.js'
import { lines } from '../../../src/features/contracts/ledger/tables.js'
import { nestedCall } from '../../../src/features/contracts/schema/host-records.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { indexedCall, indexedEvent, type Simulation, simulation } from '../../../src/features/contracts/schema/views.js'
import { type AccountId, formatAddress, type Instruction } from '../../../src/model/index.js'
import { Overlay } from '../../../src/state/index.js'
import { TRAP } from '../../../src/vm/index.js'
import {
  alice,
  args,
  bob,
  call,
  calledOf,
  compiled,
  contractBench,
  DROP,
  deployed,
  entry,
  handwritten,
  host,
  manifestOf,
  TOKEN,
} from '../../support/contracts.js'
import type { Bench } from '../../support/executor.js'
import type { Node } from '../../support/vm/assembler.js'

const code = compiled('token')
const manifest = manifestOf(code, TOKEN)
const HEIGHT = 7
const NOTHING = Buffer.alloc(0)
const GO = [entry('go')]
const stateRoot = Buffer.alloc(32, 9)

const instruction = (kind: string, value: unknown): Instruction => ({ kind, value })

/** A query over the state of a bench. */
async function ask(bench: Bench, kind: string, input: object): Promise<Record<string, unknown> | undefined> {
  const def = ABI_2.queries.get(kind)
  if (def === undefined) throw new Error(`unknown query ${kind}`)
  const ctx = {
    reader: bench.state,
    height: HEIGHT,
    codec: ABI_2.codec('cw'),
    header: async () => ({ stateRoot }),
    async tryOut<T>(authority: AccountId, work: (own: ExecContext) => T) {
      const env = { height: HEIGHT + 1, timeMs: bench.timeMs, genesis: false, chain: 'test', gate: undefined }
      return tryOut(EXECUTIONS.trial, ABI_2, env, new Overlay(bench.state), authority, work)
    },
  }
  return (await def.run(ctx as unknown as QueryContext, input as never)) as Record<string, unknown> | undefined
}

function tokenBench() {
  const bench = contractBench()
  const address = deployed(bench, code, manifest, {
    alias: 'token@bank',
    input: args(TOKEN, 'init', { digits: 2, initial: '100' }),
  })
  return { bench, address }
}
const trial = (address: AccountId, entrypoint: string, values: Record<string, unknown> = {}, more: object = {}) => ({
  address,
  entrypoint,
  input: args(TOKEN, entrypoint, values),
  gasLimit: undefined,
  caller: undefined,
  attach: [],
  ...more,
})

describe('contract queries', () => {
  it('show the contract of an alias, its artifact and its code', async () => {
    const { bench, address } = tokenBench()
    expect(await ask(bench, 'contractAlias', { alias: 'token@bank' })).toMatchObject({ address, account: address })
    expect(await ask(bench, 'contractAlias', { alias: 'other@bank' })).toBeUndefined()
    expect(await ask(bench, 'contractInstance', { address })).toMatchObject({ alias: 'token@bank', keys: 4 })
    expect(await ask(bench, 'contractInstance', { address: alice })).toBeUndefined()
    const hash = artifactHashOf(code, manifest)
    expect(await ask(bench, 'contractArtifact', { hash })).toMatchObject({ artifact: { refs: 1, registrant: alice } })
    expect(await ask(bench, 'contractCode', { hash })).toMatchObject({ code: Buffer.from(code) })
  })

  it('evaluate views on the state of a height, and change nothing', async () => {
    const { bench, address } = tokenBench()
    const before = bench.state.size
    const seen = await ask(bench, 'contractView', trial(address, 'totalSupply'))
    expect(seen).toMatchObject({ trap: TRAP.ok, outcome: 'ok', height: HEIGHT, stateRoot })
    expect(bench.state.size).toBe(before)
    // Entrypoints other than views cannot be called as views.
    const pause = await ask(bench, 'contractView', trial(address, 'pause', { on: true }))
    expect(pause).toMatchObject({ trap: TRAP.no_entrypoint })
    const poor = await ask(bench, 'contractView', trial(address, 'totalSupply', {}, { gasLimit: 1_000 }))
    expect(poor).toMatchObject({ trap: TRAP.out_of_gas, gasUsed: 1_000 })
  })

  it('simulate a call with its exact gas, its events and the position of a trap', async () => {
    const { bench, address } = tokenBench()
    const values = { to: formatAddress(bob, 'cw'), amount: '1' }
    const tried = await ask(bench, 'contractSimulation', trial(address, 'transfer', values))
    expect(tried).toMatchObject({ outcome: 'ok', events: [{ kind: 'contractEvent' }], diagnostics: [] })
    expect(bench.state.get(lines, address)).toMatchObject({ keys: 4 })
    bench.run(alice, call(address, 'transfer', { input: args(TOKEN, 'transfer', values) }))
    expect(calledOf(bench).gasUsed).toBe(tried?.['gasUsed'])
    const refused = await ask(
      bench,
      'contractSimulation',
      trial(address, 'transfer', values, { caller: formatted(alice, address) }),
    )
    expect(refused).toMatchObject({ outcome: 'aborted', abortText: 'the balance is too small', events: [] })
    expect(refused?.['diagnostics']).toMatchObject([{ contract: address, host: 'abort', opcode: 'call' }])
  })
})

describe('a simulation that starts triggers', () => {
  it('shares the unit limit of one transaction with its triggers, and reports if the limit is exceeded', async () => {
    const bench = contractBench()
    const code = handwritten({ pay: [] })
    const pay = entry('pay', 'public', {}, { payable: true })
    const address = deployed(bench, code, manifestOf(code, [pay]))
    const gold = { definition: 'gold#bank', amount: { mantissa: 1n, scale: 2 } }
    const funds = { asset: { definition: 'gold#bank', account: alice }, to: bob, amount: { mantissa: 500n, scale: 0 } }
    expect(bench.run(alice, instruction('transfer', funds))).toBeUndefined()
    const list = Array.from({ length: 64 }, (_, at) =>
      instruction('setKeyValue', {
        target: { kind: 'account', value: bob },
        key: `k${at % 8}`,
        value: 'x'.repeat(100),
      }),
    )
    for (let at = 0; at < 64; at += 1) {
      const filter = { subject: 'asset', events: ['transferred'], scope: { kind: 'account', value: bob } }
      const trigger = {
        id: `t${at}`,
        authority: bob,
        filter: { kind: 'data', value: filter },
        instructions: list,
        repeats: undefined,
        metadata: new Map(),
      }
      expect(bench.run(bob, instruction('registerTrigger', trigger))).toBeUndefined()
    }
    const attach = Array.from({ length: 8 }, () => gold)
    const input = { address, entrypoint: 'pay', input: NOTHING, gasLimit: 100_000, caller: bob, attach }
    const found = (await ask(bench, 'contractSimulation', input)) as unknown as Simulation
    expect(found.refused).toMatch(/units/)
    expect(found.events).toEqual([])
  })
})

describe('a simulation with maximum output', () => {
  const data = Buffer.alloc(8_192, 0xff)
  const loud = [...host('log', 0, 4_096), ...host('abort', 7, 0, 4_096)]
  it('contains texts of arbitrary bytes, and each stop position of the last call and its callers once', async () => {
    const bench = contractBench()
    const failing = deployed(bench, handwritten({ go: loud }, data), manifestOf(handwritten({ go: loud }, data), GO))
    const record = nestedCall.encode({ address: failing, entrypoint: 'go', input: NOTHING, gas: 100_000, attach: [] })
    const again = new Array(20).fill([...host('call', 0, record.length), DROP]).flat() as Node[]
    const code = handwritten({ go: [...again, ...host('abort', 9, 1_024, 4_096)] }, [...record, ...data])
    const caller = deployed(bench, code, manifestOf(code, GO))
    const input = { address: caller, entrypoint: 'go', input: NOTHING, gasLimit: undefined, caller: alice, attach: [] }
    const found = (await ask(bench, 'contractSimulation', input)) as unknown as Simulation
    expect([found.abortCode, found.logs.length]).toEqual([9, 20])
    expect(found.diagnostics.map(({ contract }) => contract)).toEqual([failing, caller])
    expect(() => simulation.encode(found, ABI_2.codec('cw'))).not.toThrow()
  })
})

/** Account without any objects. */
const formatted = (_alice: AccountId, other: AccountId): AccountId => other

it('indexes keep the events and calls of a contract, by block, entry and position', () => {
  const { bench, address } = tokenBench()
  bench.events.length = 0
  const input = args(TOKEN, 'transfer', { to: formatAddress(bob, 'cw'), amount: '1' })
  const instruction = call(address, 'transfer', { input })
  bench.run(alice, instruction)
  const id = Buffer.alloc(32, 3)
  const block = {
    height: 5,
    events: bench.events.map((event) => ({ entry: 0, event })),
    timeMs: 1_234,
    entries: [{ id, signed: { payload: { value: { authority: alice, executable: { value: [instruction] } } } } }],
    results: [bench.last],
  }
  const { put, del } = contractIndexes(block as unknown as IndexedBlock)
  expect([put.length, del.length]).toEqual([2, 0])
  // Lists are read from the index, without blocks.
  const [event, made] = put.map(([, record]) => record) as [Uint8Array, Uint8Array]
  expect(indexedEvent.decode(event)).toMatchObject({ ok: true, value: { timeMs: 1_234, topic: 'transfer' } })
  expect(indexedCall.decode(made)).toMatchObject({
    ok: true,
    value: { timeMs: 1_234, caller: alice, entrypoint: 'transfer', approved: true, gasUsed: calledOf(bench).gasUsed },
  })
})
