/** The text of answers: no field of the JSON is left out, whatever route it comes from. */
import { describe, expect, it } from 'vitest'
import { durationText } from '../../../src/base/duration-text.js'
import { viewText } from '../../../src/cli/command/view-text.js'
import type { View } from '../../../src/cli/gateway/gateway.js'
import { percentText } from '../../../src/cli/text/figures.js'
import { itemFields } from '../../../src/cli/text/readable.js'
import { routes } from '../../../src/client/index.js'
import { type Json, type JsonSchemaObject, jsonSchemaRefs, referredName } from '../../../src/codec/index.js'
import type { Schema } from '../../../src/codec/schema.js'

/** Records inside one another that a sample has, at most: some types recurse. */
const DEPTH_MAX = 8
const ITEMS = 2

/** A record that fills every field, made from its JSON Schema, with the texts that a reader has to find. */
class Sample {
  readonly texts: string[] = []
  private readonly refs = jsonSchemaRefs()
  private count = 1_000

  of(schema: Schema<unknown>): Json {
    return this.value(schema.jsonSchema(this.refs), { key: '', depth: 0, lists: 0 })
  }

  private value(schema: JsonSchemaObject, at: Place): Json {
    const name = referredName(schema)
    if (name !== undefined) return this.value(this.refs.components.get(name) ?? {}, at)
    const { type, properties, items, enum: names, anyOf, oneOf } = schema as unknown as Shape
    const branches = anyOf ?? oneOf
    if (branches !== undefined) return this.value(branches.find((one) => one.type !== 'null') ?? {}, at)
    if (properties !== undefined) return this.record(properties, at)
    if (type === 'array' && items !== undefined) return this.list(items, at)
    return this.leaf(type, names, at)
  }

  private record(properties: Readonly<Record<string, JsonSchemaObject>>, at: Place): Json {
    if (at.depth > DEPTH_MAX) return null
    const entries = Object.entries(properties)
    return Object.fromEntries(entries.map(([key, one]) => [key, this.value(one, { ...at, key, depth: at.depth + 1 })]))
  }

  private list(items: JsonSchemaObject, at: Place): Json {
    const inner = { ...at, depth: at.depth + 1, lists: at.lists + 1 }
    return Array.from({ length: ITEMS }, () => this.value(items, inner))
  }

  private leaf(type: string | undefined, names: readonly string[] | undefined, { key, lists }: Place): Json {
    this.count += 1
    const value = names?.[0] ?? (type === 'integer' || type === 'boolean' ? this.count : `v${this.count}`)
    // Lists inside a row of another list are counted, not shown.
    if (lists < 2) this.texts.push(type === 'integer' ? numberText(key, this.count) : String(value))
    return value
  }
}

/** A number as its name says. */
const numberText = (key: string, value: number): string => {
  if (key.endsWith('_ms') || key === 'retries') return durationText(value)
  if (key.endsWith('_us')) return durationText(value / 1_000)
  return key.endsWith('_ppm') ? percentText(value) : String(value)
}

interface Place {
  readonly key: string
  readonly depth: number
  /** Lists around it. */
  readonly lists: number
}

/** Inputs of a sample. */
interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchemaObject>>
  readonly items?: JsonSchemaObject
  readonly enum?: readonly string[]
  readonly anyOf?: readonly JsonSchemaObject[]
  readonly oneOf?: readonly JsonSchemaObject[]
}

const answers = Object.values(routes)
  .flatMap((group) => Object.values(group))
  .flatMap((row): [string, Schema<unknown>][] =>
    'response' in row && row.response !== undefined && row.method === 'GET'
      ? [[row.path, row.response as Schema<unknown>]]
      : [],
  )

describe('the text of a response', () => {
  it.each(answers)('for %s contains every field of its JSON', (_, schema) => {
    const sample = new Sample()
    const view = sample.of(schema)
    const text = viewText({ view })
    expect(sample.texts.filter((one) => !text.includes(one))).toEqual([])
  })

  it('contains the header of an empty list, from the schema of the response', () => {
    const keys = itemFields(routes.gov.unlocks.response as Schema<never>)
    expect(viewText({ items: [], is_complete: true }, undefined, keys)).toBe(
      ['is complete  yes', '', 'items:', 'DEFINITION  LOCKS  LOCKED  FREE  NEXT'].join('\n'),
    )
    expect(itemFields(routes.gov.council.response as Schema<never>)).toEqual([])
  })

  it.each(['tooFewCandidates', 'TooFewCandidates'])('explains a cancelled mode change in words: %s', (reason) => {
    const text = viewText({ cancelled_mode: { mode: 'npos', height: 400, reason } })
    expect(text).toMatch(/^cancelled mode reason +too few candidates were in sync$/m)
  })

  it('shows lists in records as tables, and lists in table rows as counts', () => {
    const stake = {
      bonded: '5',
      unbonding: [{ amount: '2', until_ms: 1_772_409_600_000, shares: [{ a: 1 }, { a: 2 }] }],
    }
    expect(viewText({ account: 'nina', stake, none: [], both: [true, false] } as View)).toBe(
      [
        'account       nina',
        'stake bonded  5',
        'none          -',
        'both          yes no',
        '',
        'stake unbonding:',
        'AMOUNT  UNTIL                     SHARES',
        '2       2026-03-02T00:00:00.000Z  2',
      ].join('\n'),
    )
  })
})
