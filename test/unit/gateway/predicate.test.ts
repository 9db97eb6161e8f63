/** Conditions and order of items: one total order per kind of field, and every comparison follows it. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Predicate, queryPayload } from '../../../src/api/index.js'
import type { Json } from '../../../src/codec/index.js'
import { queries as assetQueries } from '../../../src/features/assets/schema/queries.js'
import { queries as conferenceQueries } from '../../../src/features/conference/schema/views.js'
import { queries as domainQueries } from '../../../src/features/domains/schema.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { Comparable, compareValues, type FieldKind, ItemFields } from '../../../src/gateway/query/fields.js'
import { compilePredicate, compileSorting } from '../../../src/gateway/query/predicate.js'
import { SLICE_MS, Slices } from '../../../src/gateway/slices.js'
import { LedgerError } from '../../../src/model/index.js'
import { startOf } from '../../support/query.js'
import { accountOf, alice, CODEC } from './support.js'

function fieldsOf(def: { readonly output: Parameters<typeof ItemFields.of>[0] }): ItemFields {
  const fields = ItemFields.of(def.output, CODEC)
  if (fields === undefined) throw new Error('the output has no items')
  return fields
}
const [assets, controls, calls, domains, transactions, instructions] = [
  assetQueries.assets,
  assetQueries.controls,
  conferenceQueries.conferenceCalls,
  domainQueries.domains,
  explorerQueries.transactions,
  explorerQueries.instructions,
].map(fieldsOf) as [ItemFields, ItemFields, ItemFields, ItemFields, ItemFields, ItemFields]

function kindOf(fields: ItemFields, path: string): FieldKind | undefined {
  const field = fields.field(path)
  return field instanceof LedgerError ? undefined : field.kind
}

/** The amounts of those items that match, with the amounts as they are given. */
function matching(predicate: Predicate, amounts: readonly string[]): string[] {
  const test = compilePredicate(predicate, assets)
  if (test instanceof LedgerError) throw test
  return amounts.filter((amount) => test({ definition: 'eur#bank', account: 'cw1', amount }))
}

describe('fields', () => {
  it('are compared by their schema', () => {
    expect(kindOf(assets, 'amount')).toBe('number')
    expect(kindOf(assets, 'definition')).toBe('text')
    expect(kindOf(assets, 'account')).toBe('text')
    expect(kindOf(transactions, 'height')).toBe('number')
    expect(kindOf(transactions, 'dataspace')).toBe('number')
    expect(kindOf(transactions, 'hash')).toBe('text')
    expect(kindOf(domains, 'metadata.a.b')).toBe('json')
    expect(kindOf(instructions, 'outcome')).toBe('text')
    expect(kindOf(instructions, 'instruction.Transfer.amount')).toBe('json')
    expect(kindOf(calls, 'call.created_at_ms')).toBe('number')
    expect(kindOf(controls, 'frozen')).toBe('boolean')
    expect(kindOf(assets, 'colour')).toBeUndefined()
  })

  it('exist only as declared in the item records, at any depth', () => {
    for (const [fields, path] of [
      [calls, 'call.state'],
      [assets, 'definition.domain'],
      [calls, 'call.title.length'],
    ] as const)
      expect(fields.field(path), path).toMatchObject({ code: 'invalid_field_path' })
  })
})

describe('the order of values', () => {
  const decimal = fc.oneof(
    fc.constantFrom('9', '10', '1.0', '1', '-0.5', '0', '0.50', '-1'),
    fc.integer({ min: -20, max: 20 }).map(String),
  )
  const text = fc.oneof(fc.constantFrom('1a', '9z', '007', '1.', '', 'a', '-'), fc.string({ maxLength: 3 }), decimal)
  const value: fc.Arbitrary<Json> = fc.oneof(
    text,
    fc.integer({ min: -20, max: 20 }),
    fc.boolean(),
    fc.constantFrom<Json>([], [1], { a: 1 }, { a: '1' }),
  )
  const values: Readonly<Record<FieldKind, fc.Arbitrary<Json>>> = {
    number: decimal,
    text,
    boolean: fc.boolean(),
    json: value,
  }

  it.each(['number', 'text', 'boolean', 'json'] as const)('is total for %s: antisymmetric and transitive', (kind) => {
    const one = values[kind]
    const order = (a: Json, b: Json) => Math.sign(compareValues(kind, new Comparable(a), new Comparable(b)))
    fc.assert(
      fc.property(one, one, one, (a, b, c) => {
        expect(order(a, a)).toBe(0)
        expect(order(a, b) + order(b, a)).toBe(0)
        if (order(a, b) <= 0 && order(b, c) <= 0) expect(order(a, c)).toBeLessThanOrEqual(0)
        if (order(a, b) === 0) expect(order(a, c)).toBe(order(b, c))
      }),
      { numRuns: 2_000 },
    )
  })

  const by = (kind: FieldKind) => (a: Json, b: Json) => compareValues(kind, new Comparable(a), new Comparable(b))

  it('puts numeric texts before all other texts', () => {
    const sorted = ['1a', '9', '10'].sort(by('json'))
    expect(sorted).toEqual(['9', '10', '1a'])
    expect(['1a', '9', '10'].sort(by('text'))).toEqual(['10', '1a', '9'])
  })

  it('determines how items are sorted, with items without the field last', () => {
    const sort = compileSorting([{ field: 'metadata.rank', order: 'desc' }], domains)
    if (sort instanceof LedgerError) throw sort
    const items: Json[] = ['9', '10', '1a', null].map((rank) => ({ id: 'd', metadata: { rank } }))
    expect(items.sort(sort)).toEqual(['1a', '10', '9', null].map((rank) => ({ id: 'd', metadata: { rank } })))
  })
})

describe('conditions on amounts', () => {
  const amounts = ['1000000', '999999.99', '1000000.01', '0']

  it('find the same amount in any notation', () => {
    for (const value of ['1000000.0', '1000000', 1_000_000]) {
      expect(matching({ kind: 'eq', value: { field: 'amount', value } }, amounts)).toEqual(['1000000'])
      expect(matching({ kind: 'in', value: { field: 'amount', values: ['7', value] } }, amounts)).toEqual(['1000000'])
      expect(matching({ kind: 'ne', value: { field: 'amount', value } }, amounts)).not.toContain('1000000')
    }
  })

  it('are consistent for every amount: equal means both at least and at most', () => {
    const amount = fc
      .tuple(fc.integer({ min: -50, max: 50 }), fc.constantFrom('', '.0', '.5', '.50'))
      .map(([whole, rest]) => (whole === 0 ? `0${rest}` : `${whole}${rest}`))
    fc.assert(
      fc.property(amount, amount, (value, held) => {
        const holds = (kind: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte') =>
          matching({ kind, value: { field: 'amount', value } }, [held]).length === 1
        expect(holds('eq')).toBe(holds('gte') && holds('lte'))
        expect(holds('ne')).toBe(holds('gt') || holds('lt'))
      }),
    )
  })

  it.each([
    [{ kind: 'eq', value: { field: 'amount', value: 'much' } }],
    [{ kind: 'in', value: { field: 'amount', values: ['1', true] } }],
    [{ kind: 'gte', value: { field: 'definition', value: '1' } }],
    [{ kind: 'eq', value: { field: 'definition', value: 1 } }],
  ] as [Predicate][])('reject a value that the field cannot have: %j', (predicate) => {
    expect(compilePredicate(predicate, assets)).toMatchObject({ code: 'type_mismatch' })
  })

  it('reject an unknown enum value, and a text for a boolean', () => {
    const eq = (field: string, value: Json): Predicate => ({ kind: 'eq', value: { field, value } })
    for (const [fields, field, given, taken] of [
      [calls, 'call.status', 'active', 'Active'],
      [instructions, 'outcome', 'rejected', 'Rejected'],
      [controls, 'frozen', 'true', true],
    ] as [ItemFields, string, Json, Json][]) {
      expect(compilePredicate(eq(field, given), fields)).toMatchObject({ code: 'type_mismatch' })
      expect(compilePredicate({ kind: 'not', value: eq(field, given) }, fields)).toMatchObject({
        code: 'type_mismatch',
      })
      for (const value of [taken, null]) expect(typeof compilePredicate(eq(field, value), fields)).toBe('function')
    }
    const bound: Predicate = { kind: 'gte', value: { field: 'frozen', value: 1 } }
    expect(compilePredicate(bound, controls)).toMatchObject({ code: 'type_mismatch' })
  })

  it('treat null as a missing value', () => {
    const test = compilePredicate({ kind: 'eq', value: { field: 'amount', value: null } }, assets)
    if (test instanceof LedgerError) throw test
    expect([test({ amount: null }), test({}), test({ amount: '1' })]).toEqual([true, true, false])
  })
})

describe('the evaluation of a condition', () => {
  /** JSON that counts how often its one member is read, which is once for each time that it is made canonical. */
  function counted(reads: { count: number }, value: number): Json {
    return Object.defineProperty({}, 'k', {
      enumerable: true,
      get: () => {
        reads.count += 1
        return value
      },
    }) as Json
  }

  it('reads each value once and each item field once, for any number of values', () => {
    const [wanted, held] = [{ count: 0 }, { count: 0 }]
    const values = Array.from({ length: 64 }, (_, at) => counted(wanted, at))
    const within: Predicate = { kind: 'in', value: { field: 'metadata', values } }
    const test = compilePredicate({ kind: 'or', value: Array.from({ length: 8 }, () => within) }, domains)
    if (test instanceof LedgerError) throw test
    const items = Array.from({ length: 50 }, () => ({ id: 'd', metadata: counted(held, -1) }))
    expect(items.filter(test)).toEqual([])
    expect(wanted.count).toBe(8 * 64)
    expect(held.count).toBe(50)
  })

  it('reads each sort key of an item once', () => {
    const held = { count: 0 }
    const sort = compileSorting([{ field: 'metadata', order: 'asc' }], domains)
    if (sort instanceof LedgerError) throw sort
    const items = Array.from({ length: 64 }, (_, at) => ({ id: 'd', metadata: counted(held, (at * 7) % 64) }))
    expect(items.sort(sort)).toHaveLength(64)
    expect(held.count).toBe(64)
  })

  it('is bounded by the limit of 16 KiB for a condition', () => {
    // Each value is within its own bound.
    const values = Array.from({ length: 10 }, () => 'x'.repeat(1_600))
    const ask = startOf({
      predicate: { kind: 'in', value: { field: 'metadata', values: [...values, 'x'.repeat(500)] } },
    })
    const payload = { chain: 'c', authority: accountOf(alice), createdAtMs: 1, nonce: 1, request: ask }
    expect(() => queryPayload.encode(payload, CODEC)).toThrow('16384 bytes')
  })
})

describe('time slices on the main thread', () => {
  /** A clock that goes on by a millisecond at each look. */
  function slices(): { readonly slices: Slices; readonly paused: () => number } {
    let [nowMs, pauses] = [0, 0]
    const pause = async (): Promise<void> => {
      pauses += 1
    }
    return { slices: new Slices(() => nowMs++, pause), paused: () => pauses }
  }
  const numbers = Array.from({ length: 1_000 }, (_, at) => (at * 7_919) % 1_000)

  it('pause a filter at their time limit, without losing items', async () => {
    const made = slices()
    expect(await made.slices.filter(numbers, (one) => one % 2 === 0)).toEqual(numbers.filter((one) => one % 2 === 0))
    expect(made.paused()).toBeGreaterThanOrEqual(Math.floor(1_000 / SLICE_MS / 2))
  })

  it('pause a sort at their time limit, and equal items keep their order', async () => {
    const made = slices()
    const items = numbers.map((one, at) => ({ key: one % 10, at }))
    const sorted = await made.slices.sort(items, (a, b) => a.key - b.key)
    expect(sorted).toEqual(items.toSorted((a, b) => a.key - b.key))
    expect(made.paused()).toBeGreaterThan(10)
  })
})
