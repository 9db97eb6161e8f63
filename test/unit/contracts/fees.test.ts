/** Fees of calls for their payer, by used gas, and their lanes, by the home of the caller. */
import { beforeEach, describe, expect, it } from 'vitest'
import { normalizeNumeric } from '../../../src/codec/index.js'
import { parameters } from '../../../src/executor/index.js'
import { routeFactsOf } from '../../../src/executor/route-facts.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { states } from '../../../src/features/contracts/ledger/tables.js'
import { GAS_PER_TEU } from '../../../src/features/contracts/schema/parameters.js'
import { FEE_ASSET, FEE_PER_TEU } from '../../../src/features/fees/schema.js'
import { balances } from '../../../src/ledger/tables.js'
import type { AccountId, Instruction, ParameterDef } from '../../../src/model/index.js'
import { TRAP } from '../../../src/vm/index.js'
import { Blocks, eventsOf, entry as sealed } from '../../support/blocks.js'
import {
  alice,
  bob,
  call,
  contractBench,
  DROP,
  deploy,
  deployed,
  entry,
  handwritten,
  host,
  manifestOf,
} from '../../support/contracts.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { NONE, op } from '../../support/vm/assembler.js'

const GAS = 'gas#bank'
const context = ABI_2.codec('cw')
const KEEPS = [...host('state_set', 0, 1, 1, 1), DROP]
const code = handwritten(
  { keep: KEEPS, fail: [...KEEPS, op.plain(0x00)], forever: [op.loop(NONE, [op.br(0)])] },
  [0x6b, 0x01],
)
const LIMIT = 60_000

let bench: Bench
let blocks: Blocks
let address: AccountId
beforeEach(() => {
  bench = contractBench()
  bench.run(alice, core.registerDefinition(GAS), core.mint(bob, 10_000n, GAS))
  address = deployed(bench, code, manifestOf(code, [entry('keep'), entry('fail'), entry('forever')]))
  blocks = new Blocks(bench)
  set(FEE_ASSET, GAS)
  set(FEE_PER_TEU, core.units(1n, 2))
})

function set<T>(def: ParameterDef<T>, value: T): void {
  bench.state.set(parameters, def.name, { current: def.schema.encode(value, context), staged: [] })
}
const held = () => bench.state.get(balances, core.balance(bob, GAS))
/** Remainder of ten thousand after a hundredth for each unit. */
const left = (teu: number) => normalizeNumeric(core.units(1_000_000n - BigInt(teu), 2))
const kept = (): boolean => bench.state.has(states, { storageId: address, key: Buffer.from([0x6b]) })
/** One call of bob in a block of its own. */
function called(name: string, gasLimit = LIMIT, metadata = new Map<string, number>()) {
  const run = blocks.run(10, sealed(bob, [call(address, name, { gasLimit })], { context, metadata }))
  const [result] = run.results
  const outcome = result?.outcome
  return { run, teu: result?.teu ?? 0, outcome: outcome?.kind === 'called' ? outcome.value : undefined }
}

describe('the fee of a call', () => {
  it('is based on the used gas, independent of the limit', () => {
    const [small, large] = [called('keep', LIMIT), called('keep', 2 * LIMIT)]
    expect(small.outcome).toMatchObject({ trap: TRAP.ok })
    // The second one finds the value that the first one wrote: as much gas, and the same units.
    expect([large.outcome?.gasUsed, large.teu]).toEqual([small.outcome?.gasUsed, small.teu])
    expect(small.teu).toBeLessThan(LIMIT / GAS_PER_TEU)
    expect(eventsOf(small.run, 'feePaid')).toMatchObject([{ payer: bob, amount: core.units(BigInt(small.teu), 2) }])
    expect([held(), kept()]).toEqual([left(small.teu + large.teu), true])
  })

  it('is due if the call traps, which has no other effect', () => {
    const { teu, outcome } = called('fail')
    expect(outcome?.trap).toBe(TRAP.unreachable)
    expect([held(), kept()]).toEqual([left(teu), false])
  })

  it('is based on the whole limit if the gas is exhausted', () => {
    const { teu, outcome } = called('forever')
    expect(outcome).toMatchObject({ trap: TRAP.out_of_gas, gasUsed: LIMIT })
    expect(teu).toBeGreaterThanOrEqual(LIMIT / GAS_PER_TEU)
    expect(held()).toEqual(left(teu))
  })

  it('excludes the call from the block if the payer cannot pay for the whole limit', () => {
    set(FEE_PER_TEU, core.units(1n))
    const { run } = called('keep', LIMIT, new Map([['teu_limit', 20_000]]))
    expect(run.invalidTransactions).toMatchObject([{ index: 0, code: 'fee_unpayable' }])
    expect([held(), kept()]).toEqual([core.units(10_000n), false])
  })
})

describe('the lane of a call', () => {
  const factsOf = (...instructions: readonly Instruction[]) =>
    routeFactsOf(ABI_2, {
      authority: bob,
      dataspace: undefined,
      executable: { kind: 'instructions', value: instructions },
    })

  it('follows the domain of the caller, since the domain of the contract is unknown before execution', () => {
    const facts = { authority: bob, domains: [undefined], settles: [] }
    expect(factsOf(call(address, 'keep'))).toMatchObject({ ...facts, labels: ['contract::call'] })
    expect(factsOf(deploy(Buffer.alloc(32)))).toMatchObject({ ...facts, labels: ['contract::deploy'] })
  })

  it('follows the routes of all instructions if the transaction has others', () => {
    const other = core.registerDomain('depot')
    expect(factsOf(call(address, 'keep'), other).labels).toEqual(['contract::call', 'domain::register'])
  })
})
