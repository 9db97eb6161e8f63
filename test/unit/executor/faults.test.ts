// Exceptions in code outside of any instruction: only the run that caused them fails.
import { beforeEach, describe, expect, it } from 'vitest'
import { type Abi, earliestDue, triggerPages, triggers } from '../../../src/executor/index.js'
import { calendarPages } from '../../../src/executor/triggers/tables.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { balances } from '../../../src/ledger/tables.js'
import type { Instruction, TriggerFilter } from '../../../src/model/index.js'
import { type Overlay, StateFault } from '../../../src/state/index.js'
import { Blocks, entry, eventsOf } from '../../support/blocks.js'
import { codec } from '../../support/chain.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'

const { owner, alice, bob } = core
const PRE_COMMIT: TriggerFilter = { kind: 'preCommit', value: undefined }

/** Two nodes with the same state, which execute the same blocks. */
let nodes: readonly { readonly bench: Bench; readonly blocks: Blocks }[]
beforeEach(() => {
  nodes = [0, 1].map(() => {
    const bench = core.smallWorld()
    bench.genesis(owner, core.mint(alice, 100_000n))
    return { bench, blocks: new Blocks(bench) }
  })
})
const pay: Instruction = core.transfer(alice, bob, 1n)
const register = (id: string, filter: TriggerFilter, list: readonly Instruction[] = [pay], repeats?: number): void => {
  for (const { bench } of nodes) bench.genesis(alice, core.registerTrigger(id, alice, filter, list, repeats))
}
/** All rows in their canonical bytes. */
const stateOf = (state: Overlay) =>
  state
    .changes()
    .map(({ row, table, value }) => [
      Buffer.from(row, 'latin1').toString('hex'),
      value === undefined ? 'none' : table.value.encode(value, codec).toString('hex'),
    ])
/** One block on both nodes, which come to the same; the codes of its results. */
function block(timeMs: number, abi: Abi, ...lists: readonly (readonly Instruction[])[]) {
  const entries = lists.map((list) => entry(alice, list))
  const [first, second] = nodes.map(({ bench, blocks }) => {
    blocks.abi = abi
    return { run: blocks.run(timeMs, ...entries), state: stateOf(bench.state) }
  })
  if (first === undefined || second === undefined) throw new Error('there are two nodes')
  expect(first.run.resultsRoot).toEqual(second.run.resultsRoot)
  expect(first.state).toEqual(second.state)
  const { run } = first
  return { run, codes: run.results.map((_, index) => run.rejections.get(index)?.code) }
}
const state = () => nodes[0]?.bench.state as Overlay
const held = () => state().get(balances, core.balance(bob))?.mantissa ?? 0n
const fault = (): never => {
  throw new Error('a careless rule')
}
/** Charges fees whose settlement throws if a trigger pays. */
const brokenFees = (at: 'reserve' | 'settle'): Abi => ({
  ...ABI_1,
  policies: {
    ...ABI_1.policies,
    fees: {
      open: () => ({
        fault: () => undefined,
        reserve: (writer, { maxTeu }) => {
          writer.set(balances, core.balance(bob), core.units(777n))
          if (at === 'reserve') fault()
          return { settle: (teu) => (teu > maxTeu ? [] : fault()) }
        },
      }),
    },
  },
})
const brokenRule: Abi = { ...ABI_1, policies: { ...ABI_1.policies, triggerAuthority: fault } }

describe('a trigger run that throws', () => {
  it.each(['reserve', 'settle'] as const)(
    'fails without effect in the %s step of its fee, and disables the trigger after three failures',
    (at) => {
      register('time', core.every(100, 100))
      const abi = brokenFees(at)
      for (const failures of [1, 2]) {
        const { run, codes } = block(failures * 100, abi)
        expect(codes).toContain('executor_fault')
        expect(eventsOf(run, 'triggerRan')[0]).toMatchObject({ trigger: 'time', error: 'executor_fault' })
        expect(state().get(triggers, 'time')).toMatchObject({ failures, enabled: true })
      }
      expect(held()).toBe(0n)
      block(300, abi)
      expect(state().get(triggers, 'time')).toMatchObject({ failures: 3, enabled: false })
      expect(block(400, ABI_1, [pay]).codes).toEqual([undefined])
      expect(held()).toBe(1n)
    },
  )

  it('counts its maximum units, so that unmetered work cannot fill a block', () => {
    for (const id of ['a', 'b', 'c']) register(id, core.every(100, 100))
    expect(block(100, brokenFees('settle')).codes).toEqual(['executor_fault'])
    expect(block(101, ABI_1).codes).toEqual([undefined, undefined])
  })

  it('fails at the end of the block if its authority is still unknown, while other runs execute', () => {
    register('end', PRE_COMMIT)
    register('time', core.every(100, 100))
    expect(block(100, brokenRule, [core.log('x')]).codes).toEqual([undefined, undefined, 'executor_fault'])
    expect(state().get(triggers, 'end')).toMatchObject({ failures: 1 })
    expect(block(200, ABI_1).codes).toEqual([undefined, undefined])
    expect(state().get(triggers, 'end')).toMatchObject({ failures: 0 })
  })

  it('fails in the usual way if the instructions are missing, even in the last run of the trigger', () => {
    register('time', core.every(100, 100), [pay], 1)
    register('end', PRE_COMMIT)
    for (const { bench } of nodes) {
      for (const of of ['time', 'end']) bench.state.delete(triggerPages, { of, page: 0 })
    }
    const { run, codes } = block(100, ABI_1, [pay])
    expect(codes).toEqual([undefined, 'executor_fault', 'executor_fault'])
    expect(eventsOf(run, 'triggerDeleted')).toMatchObject([{ trigger: 'time' }])
  })

  it('leaves only its result if it throws while writing its record, and transactions continue', () => {
    register('time', core.every(100, 100))
    for (const { bench } of nodes) {
      const page = earliestDue(bench.state) && bench.state.get(calendarPages, 0)
      expect(page).toHaveLength(1)
      bench.state.set(calendarPages, 0, [])
    }
    for (const timeMs of [100, 101]) expect(block(timeMs, ABI_1, [pay]).codes).toEqual([undefined, 'executor_fault'])
    expect(state().get(triggers, 'time')).toMatchObject({ failures: 0, enabled: true })
    for (const { blocks } of nodes) blocks.view = 3
    expect(block(102, ABI_1, [pay]).codes).toEqual([undefined])
    expect(held()).toBe(3n)
  })

  it('rejects the transaction that caused the event if it throws in the trigger rule', () => {
    register('seen', core.onData('asset', { kind: 'account', value: alice }))
    expect(block(100, brokenRule, [pay], [core.log('x')]).codes).toEqual(['executor_fault', undefined])
    expect(held()).toBe(0n)
  })

  it('is reverted alone, not with the transaction, if the trigger only observes', () => {
    for (const { bench } of nodes) {
      const follower = core.registerTrigger('f', bob, core.onData('asset', { kind: 'account', value: bob }), [
        core.log(''),
      ])
      expect(bench.run(bob, follower)).toBeUndefined()
      bench.state.delete(triggerPages, { of: 'f', page: 0 })
    }
    const { run, codes } = block(100, ABI_1, [pay])
    expect(codes).toEqual([undefined])
    expect(eventsOf(run, 'triggerRan')).toMatchObject([{ trigger: 'f', error: 'executor_fault' }])
    expect(held()).toBe(1n)
  })

  it('has no result if the state is unreadable, and its block has no result either', () => {
    register('time', core.every(100, 100))
    const lost = (): never => {
      throw new StateFault('the disk')
    }
    const fees = { open: () => ({ fault: () => undefined, reserve: lost }) }
    const abi: Abi = { ...ABI_1, policies: { ...ABI_1.policies, fees } }
    for (const { blocks } of nodes) blocks.abi = abi
    expect(() => nodes[0]?.blocks.run(100)).toThrow(StateFault)
  })
})
