/** Triggers that many events of one instruction set off: what was found in the same lists is not looked up again, and is found anew once they change. */

import { expect, it } from 'vitest'
import { matchesOf, newMatchMemory } from '../../../src/executor/triggers/lists.js'
import { triggers } from '../../../src/executor/triggers/tables.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { events as assetEvents } from '../../../src/features/assets/schema/events.js'
import { type DataEvent, event } from '../../../src/model/index.js'
import type { StateReader, TableDef } from '../../../src/state/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'

const { alice, bob } = core
const COUNT = 20

function watched(): Bench {
  const bench = core.smallWorld()
  const filter = core.onData('asset', { kind: 'account', value: bob })
  const list = Array.from({ length: COUNT }, (_, index) =>
    core.registerTrigger(`t${index}`, bob, filter, [core.log('')]),
  )
  bench.genesis(bob, ...list)
  return bench
}

/** The state of a bench, with how often rows of triggers were read. */
function counted({ state }: Bench): { readonly reader: StateReader; readonly reads: () => number } {
  let reads = 0
  const reader: StateReader = {
    get<K, V>(table: TableDef<K, V>, key: K) {
      if (table.id === triggers.id) reads += 1
      return state.get(table, key)
    },
    has: (table, key) => state.has(table, key),
  }
  return { reader, reads: () => reads }
}

const paid: DataEvent = event(assetEvents.transferred, { asset: core.balance(alice), to: bob, amount: core.units(1n) })
const def = ABI_1.events.get(paid.kind)

it('a batch with repeated events on one balance reads each trigger row once', () => {
  const { reader, reads } = counted(watched())
  const memory = newMatchMemory()
  for (let event = 0; event < 256; event += 1) expect(matchesOf(reader, def, paid, memory)).toHaveLength(COUNT)
  expect(reads()).toBe(COUNT)
})

it('a batch with alternating balances reads trigger rows once, and finds triggers in the order of their ids', () => {
  const bench = watched()
  for (const [index, account] of [alice, bob, alice].entries()) {
    const filter = core.onData('asset', {
      kind: index < 2 ? 'asset' : 'account',
      value: index < 2 ? core.balance(account) : account,
    } as never)
    expect(bench.run(account, core.registerTrigger(`o${index}`, account, filter, [core.log('')]))).toBeUndefined()
  }
  const { reader, reads } = counted(bench)
  const memory = newMatchMemory()
  const burned: DataEvent = event(assetEvents.burned, { asset: core.balance(alice), amount: core.units(1n) })
  const ids = (event: DataEvent) => matchesOf(reader, ABI_1.events.get(event.kind), event, memory).map(({ id }) => id)
  const [first, other] = [ids(paid), ids(burned)]
  expect(first).toEqual([...first].sort())
  expect([first.length, other]).toEqual([COUNT + 3, ['o0', 'o2']])
  const read = reads()
  for (let event = 0; event < 64; event += 1) expect([ids(paid), ids(burned)]).toEqual([first, other])
  expect(reads()).toBe(read)
})

it('a removed trigger is no longer found, and a new trigger with its name is a different one', () => {
  const bench = watched()
  const { reader } = counted(bench)
  const memory = newMatchMemory()
  const before = matchesOf(reader, def, paid, memory).find(({ id }) => id === 't3')
  expect(bench.run(bob, core.unregister('Trigger', 't3'))).toBeUndefined()
  expect(matchesOf(reader, def, paid, memory).map(({ id }) => id)).not.toContain('t3')
  const filter = core.onData('asset', { kind: 'account', value: bob })
  expect(bench.run(bob, core.registerTrigger('t3', bob, filter, [core.log('')]))).toBeUndefined()
  const after = matchesOf(reader, def, paid, memory).find(({ id }) => id === 't3')
  expect(after).toBeDefined()
  expect(after?.incarnation).not.toEqual(before?.incarnation)
})

it('a different kind of event on the same balance finds its own triggers', () => {
  const bench = watched()
  const { reader } = counted(bench)
  const memory = newMatchMemory()
  const only = core.onData('asset', { kind: 'account', value: bob }, ['burned'])
  expect(bench.run(bob, core.registerTrigger('burns', bob, only, [core.log('')]))).toBeUndefined()
  const burned: DataEvent = event(assetEvents.burned, { asset: core.balance(bob), amount: core.units(1n) })
  expect(matchesOf(reader, def, paid, memory)).toHaveLength(COUNT)
  expect(matchesOf(reader, ABI_1.events.get('burned'), burned, memory)).toHaveLength(COUNT + 1)
  expect(matchesOf(reader, def, paid, memory)).toHaveLength(COUNT)
})
