/**
 * Rows that a contract has no gas for are not read: a row that may take longer to decode than a call costs is charged
 * in advance.
 */
import { afterEach, expect, it, vi } from 'vitest'
import { ABI_2 } from '../../../src/features/abi.js'
import { hostQuery, nestedCall } from '../../../src/features/contracts/schema/host-records.js'
import { MemoryBackend, WorldState } from '../../../src/state/index.js'
import { TRAP } from '../../../src/vm/index.js'
import {
  alice,
  call,
  calledOf,
  contractBench,
  DROP,
  deployed,
  entry,
  handwritten,
  host,
  manifestOf,
} from '../../support/contracts.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'

const GO = [entry('go')]
const LONG = Array.from({ length: 7_000 }, () => 1)
const context = ABI_2.codec('cw')

/** A ledger whose rows were written before: nothing of them is decoded. */
async function stored(rows: Bench['state']): Promise<Bench> {
  const world = await WorldState.open({ backend: new MemoryBackend(), treeBits: 4, context })
  const overlay = world.overlay()
  for (const { table, row, value } of rows.changes()) if (value !== undefined) overlay.setRow(table, row, value)
  await world.commit(world.prepare(overlay), { height: 1 })
  return new Bench(world.reader, ABI_2)
}

/** Number of times long JSON is decoded if a contract lets another one read it with this much gas. */
async function looking(gas: number) {
  const bench = contractBench()
  bench.genesis(alice, core.registerNft('n$bank', new Map([['k', LONG]])))
  const query = hostQuery.encode({
    kind: 'metadata',
    value: { target: { kind: 'nft', value: 'n$bank' }, key: 'k' },
  })
  const inner = handwritten({ go: [...host('query', 0, query.length), DROP] }, query)
  const address = deployed(bench, inner, manifestOf(inner, GO))
  const bytes = nestedCall.encode({ address, entrypoint: 'go', input: Buffer.alloc(0), gas, attach: [] })
  const outer = handwritten({ go: [...host('call', 0, bytes.length), DROP] }, bytes)
  const caller = deployed(bench, outer, manifestOf(outer, GO))
  const cold = await stored(bench.state)
  const parsed = vi.spyOn(JSON, 'parse')
  expect(cold.run(alice, call(caller, 'go'))).toBeUndefined()
  expect(calledOf(cold).trap).toBe(TRAP.ok)
  return parsed.mock.calls.filter(([text]) => String(text).length > 10_000).length
}

afterEach(() => {
  vi.restoreAllMocks()
})

it('long JSON is not decoded if the remaining gas cannot pay for it', async () => {
  expect(await looking(10_000)).toBe(0)
  expect(await looking(200_000)).toBe(1)
})
