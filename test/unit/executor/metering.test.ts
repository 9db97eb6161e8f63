// Metered cost of a transaction besides its static cost: rows and events by their bytes, regardless of caches and
// discarded rows.

import { beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../src/codec/index.js'
import { EXECUTIONS, executeBlock } from '../../../src/executor/index.js'
import { triggerPages } from '../../../src/executor/triggers/tables.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { dataEvent, type Instruction, instruction, multisigAccount } from '../../../src/model/index.js'
import { MemoryBackend, Overlay, type RowKey, type RowTable, WorldState } from '../../../src/state/index.js'
import { Blocks, entry } from '../../support/blocks.js'
import { CHAIN, codec } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

const { owner, alice, bob, agent } = core

let bench: Bench
beforeEach(() => {
  bench = core.smallWorld()
})

/** Accesses of a row, in order. */
interface Access {
  readonly kind: 'read' | 'write' | 'delete'
  readonly row: RowKey
  /** Bytes of the record as it was then; undefined: none. */
  readonly size: number | undefined
}

/** Notes what happens to rows between two moments, by wrapping every overlay that is metered. */
function accessesOf(work: () => void): Access[] {
  const seen: Access[] = []
  const { getRow, hasRow, setRow, deleteRow } = Overlay.prototype
  const isMetered = (overlay: Overlay): boolean => (overlay as unknown as { meter: unknown }).meter !== undefined
  const sizeOf = (overlay: Overlay, row: RowKey): number | undefined => {
    const { value, bytes, table } = overlay.held(row)
    return value === undefined ? bytes?.length : (bytes ?? table?.value.encode(value, codec))?.length
  }
  const inner = new Set<RowKey>()
  /** Forks ask what they stand on: only the first of them is asked by execution. */
  const once = <T>(
    overlay: Overlay,
    row: RowKey,
    kind: Access['kind'],
    size: () => number | undefined,
    go: () => T,
  ): T => {
    if (!isMetered(overlay) || inner.has(row)) return go()
    seen.push({ kind, row, size: size() })
    inner.add(row)
    try {
      return go()
    } finally {
      inner.delete(row)
    }
  }
  Overlay.prototype.getRow = function <V>(this: Overlay, table: RowTable<V>, row: RowKey): V | undefined {
    return once(
      this,
      row,
      'read',
      () => sizeOf(this, row),
      () => getRow.call(this, table, row) as V | undefined,
    )
  }
  Overlay.prototype.hasRow = function (this: Overlay, row) {
    return once(
      this,
      row,
      'read',
      () => sizeOf(this, row),
      () => hasRow.call(this, row),
    )
  }
  Overlay.prototype.setRow = function (this: Overlay, table, row, value) {
    const size = table.value.encode(value as never, codec).length
    once(
      this,
      row,
      'write',
      () => size,
      () => setRow.call(this, table, row, value),
    )
  }
  Overlay.prototype.deleteRow = function (this: Overlay, table, row) {
    once(
      this,
      row,
      'delete',
      () => undefined,
      () => deleteRow.call(this, table, row),
    )
  }
  try {
    work()
  } finally {
    Object.assign(Overlay.prototype, { getRow, hasRow, setRow, deleteRow })
  }
  return seen
}

/** The rule in its plainest form: a list of what happened, looked through again for every row. */
function naiveUnits(accesses: readonly Access[]): number {
  let units = 0
  for (const row of new Set(accesses.map((one) => one.row))) {
    const own = accesses.filter((one) => one.row === row)
    const first = own.find((one) => one.kind === 'read')
    if (first !== undefined) units += 2 + (first.size === undefined ? 0 : Math.ceil((row.length + first.size) / 128))
    const writes = own
      .filter((one) => one.kind === 'write')
      .map((one) => Math.ceil((row.length + (one.size ?? 0)) / 32))
    const again = own.filter((one) => one.kind === 'write').slice(1)
    for (const one of again) units += Math.ceil((row.length + (one.size ?? 0)) / 128)
    units += Math.max(0, ...writes) + (own.some((one) => one.kind !== 'read') ? 30 : 0)
  }
  return units
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const eventUnits = (): number =>
  Math.ceil((bench.last?.events ?? []).reduce((sum, one) => sum + dataEvent.encode(one, codec).length, 0) / 32)

describe('the units of rows and events', () => {
  it.each<[string, () => readonly Instruction[]]>([
    ['a transfer', () => [core.transfer(alice, bob, 1n)]],
    ['several transfers of one account', () => [1n, 2n, 3n].map((amount) => core.transfer(alice, bob, amount))],
    ['the whole balance, whose row is removed', () => [core.transfer(alice, bob, 100n)]],
    ['a batch', () => [core.batch([alice, bob, 1n], [alice, agent, 2n])]],
    ['metadata', () => [core.setKey({ kind: 'account', value: alice }, 'note', 'x'.repeat(9_000))]],
    ['one record repeatedly', () => many(5, (index) => core.setKey({ kind: 'account', value: alice }, `k${index}`, 1))],
    ['a role', () => [core.log('x'), core.registerDomain('fresh')]],
  ])('equal a sum over a list of all accesses: %s', (_, instructions) => {
    bench.genesis(owner, core.permission('grant', 'CanRegisterDomain', undefined, alice))
    const seen = accessesOf(() => expect(bench.run(alice, ...instructions())).toBeUndefined())
    expect(seen.length).toBeGreaterThan(3)
    expect(bench.last?.contentTeu).toBe(naiveUnits(seen) + eventUnits())
  })

  it('include the full cost of a failed trigger, although its changes are reverted', () => {
    const list = [core.setKey({ kind: 'account', value: bob }, 'k', 'x'.repeat(4_000)), core.burn(bob, 1_000n)]
    const trigger = core.registerTrigger('t', bob, core.onData('asset', { kind: 'account', value: bob }), list)
    expect(bench.run(bob, trigger)).toBeUndefined()
    let code: string | undefined
    const seen = accessesOf(() => {
      code = bench.run(alice, core.transfer(alice, bob, 1n))
    })
    expect(code).toBeUndefined()
    expect(bench.eventKinds.at(-1)).toBe('triggerRan')
    const rows = naiveUnits(seen)
    expect(seen.some((one) => one.kind === 'write' && (one.size ?? 0) > 4_000)).toBe(true)
    const list_ = ABI_1.costOf(list, 'stored')
    // Events of the run were told and taken back; they were made all the same.
    expect(bench.last?.contentTeu).toBeGreaterThanOrEqual(rows + list_ + eventUnits())
    expect(bench.last?.contentTeu).toBeLessThan(rows + list_ + eventUnits() + 200)
  })

  it('are the same for a cold database, a cache, and an earlier write in the block', async () => {
    bench.genesis(owner, core.mint(bob, 5n))
    new Blocks(bench)
    const state = await WorldState.open({ backend: new MemoryBackend(), treeBits: 8, context: codec, cacheBytes: 1 })
    const base = state.overlay()
    for (const { table, row, value } of bench.state.changes()) if (value !== undefined) base.setRow(table, row, value)
    await state.commit(state.prepare(base), { height: 1 })
    const place = { abi: ABI_1, chain: CHAIN, chainHash: Buffer.alloc(32, 3), height: 2, originView: 0, timeMs: 10 }
    const run = (count: number): number[] => {
      const entries = Array.from({ length: count }, () => entry(alice, [core.transfer(alice, bob, 1n)]))
      const input = { ...place, parentCertificate: undefined, evidence: [], entries }
      return executeBlock(EXECUTIONS.validate, input, state.overlay()).results.map((one) => one.teu)
    }
    const [cold] = run(1)
    expect(run(1)).toEqual([cold])
    expect(run(3)).toEqual([cold, cold, cold])
    await state.close()
  })

  it('stop a transaction at its own limit, which it pays in full', () => {
    const fat = core.setKey({ kind: 'account', value: alice }, 'note', 'x'.repeat(1_600))
    const whole = new Blocks(bench).run(10, entry(alice, [fat, core.log('x')])).results[0]?.teu ?? 0
    const limited = (teu: number) =>
      new Blocks(bench).run(10, entry(alice, [fat, core.log('x')], { metadata: new Map([['teu_limit', teu]]) }))
    expect(limited(whole + 20).rejections.size).toBe(0)
    const ended = limited(whole - 10)
    expect(ended.rejections.get(0)?.code).toBe('teu_exhausted')
    expect(ended.results[0]?.teu).toBe(whole - 10)
  })
})

describe('the JSON of a stored list', () => {
  const lists = Array.from({ length: 100 }, () => [])
  const text = 'x'.repeat(JSON.stringify(lists).length - 2)
  const self = { kind: 'account', value: alice } as const
  const called = (id: string, teuLimit?: number) => {
    const metadata = new Map(teuLimit === undefined ? [] : [['teu_limit', teuLimit]])
    return new Blocks(bench).run(10, entry(alice, [core.callTrigger(id)], { metadata }))
  }
  beforeEach(() => {
    bench.genesis(
      alice,
      core.registerTrigger('list', alice, core.BY_CALL, [core.setKey(self, 'k', lists)]),
      core.registerTrigger('text', alice, core.BY_CALL, [core.setKey(self, 'k', text)]),
    )
  })

  it('costs its decoding in each run: a unit for two lists', () => {
    const teuOf = (id: string): number => called(id).results[0]?.teu ?? 0
    expect([called('list').rejections.size, called('text').rejections.size]).toEqual([0, 0])
    for (const _run of [1, 2]) expect(teuOf('list') - teuOf('text')).toBe(51)
  })

  it('is paid before it is decoded: with too few units nothing is read', () => {
    const [first] = bench.state.changes().filter(({ table }) => table.name === triggerPages.name)
    if (first === undefined) throw new Error('the lists have pages')
    const codeOf = (teuLimit?: number) => called('list', teuLimit).rejections.get(0)?.code
    bench.state.setRow(first.table, first.row, Buffer.alloc((first.value as Uint8Array).length, 0xff))
    expect(codeOf()).toBe('unknown_instruction')
    const before = called('list').results[0]?.teu ?? 0
    expect(codeOf(before - 51)).toBe('teu_exhausted')
  })

  it('costs the same in a proposal', () => {
    const solo = core.policyOf([[alice, 1]], 1)
    const account = multisigAccount(solo)
    const proposed = (value: Json) => {
      bench = core.smallWorld()
      bench.genesis(owner, core.registerMultisig(solo))
      const list = [core.setKey({ kind: 'account', value: account }, 'k', value)]
      const run = new Blocks(bench).run(10, entry(alice, [core.propose(account, ...list)]))
      expect(run.rejections.size).toBe(0)
      return run.results[0]?.teu ?? 0
    }
    // Once for the record of the transaction and once for the run.
    expect(proposed(lists) - proposed(text)).toBe(51 + 51)
  })
})

describe('the units of common transactions', () => {
  /** Names of a domain and a definition at their longest. */
  const DOMAIN = 'd'.repeat(128)
  const GOLD = `${'g'.repeat(128)}#${DOMAIN}`
  const people = Array.from({ length: 257 }, (_, index) => accountNamed(`person ${index}`))

  beforeEach(() => {
    bench.genesis(owner, core.registerDomain(DOMAIN), core.registerDefinition(GOLD))
    for (const person of people) {
      bench.genesis(owner, core.registerAccount(person, undefined, DOMAIN), core.mint(person, 1_000n, GOLD))
    }
  })

  const teuOf = (instruction: Instruction): number | undefined => {
    const run = new Blocks(bench).run(10, entry(people[0] ?? '', [instruction]))
    expect(run.rejections.get(0)).toBeUndefined()
    return run.results[0]?.teu
  }

  it('are at most 240 for a plain transfer', () => {
    bench.genesis(owner, core.mint(people[0] ?? '', 10n))
    expect(teuOf(core.transfer(people[0] ?? '', people[1] ?? '', 1n))).toBeLessThanOrEqual(240)
  })

  it('fit the limit of one transaction for a batch of 256 transfers with the longest names', () => {
    const [from, ...to] = people
    const transfers = to.map((one) => ({
      asset: core.balance(from ?? '', GOLD),
      to: one,
      amount: { mantissa: 1n, scale: 2 },
    }))
    expect(teuOf(instruction(assets.transferBatch, { transfers }))).toBeLessThanOrEqual(60_000)
  })
})
