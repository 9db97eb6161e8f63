/** The OpenAPI document: valid by a validator that knows nothing of us, closed records, answers that are what it says. */

import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS, isErrorCode } from '../../../src/model/index.js'
import { SERVED_ROUTES } from '../../support/served-routes.js'
import { FakeNode, gatewayOf } from './support.js'

type Node = { readonly [key: string]: unknown }
type Operation = Node & { readonly operationId: string; readonly responses: Readonly<Record<string, Node>> }
interface Document extends Node {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>
    readonly responses: Readonly<Record<string, Node>>
  }
}

/** Places of any JSON: the input of a query, values of filters and parameters of the chain, arguments of triggers. */
const OPEN = new Set([
  'Comparison/value',
  'ElectionParameter/value',
  'ExecuteTrigger/args',
  'Membership/values/items',
  'MetadataInserted/value',
  'ParameterView/value',
  'QueryCall/input',
  'SetKeyValue/value',
  'SetParameter/value',
  'StagedParameter/value',
  'TriggerCalled/args',
])
/** Metadata of objects is whatever people put there. */
const METADATA = /\/(metadata|content)(\/anyOf\/0)?\/additionalProperties$/

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords whose values are schemas, lists of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'propertyNames', 'not']
const MANY = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
/** Keywords of which a schema needs one to say anything. */
const DESCRIBING = ['type', '$ref', 'enum', 'const', ...MANY]

/** Positions of schemas without a description: any JSON, or fields without a name. */
function openPlaces(schema: unknown, path: string): string[] {
  if (!isNode(schema)) return [path]
  const { type, properties, additionalProperties } = schema
  const anything = !DESCRIBING.some((word) => schema[word] !== undefined)
  const isClosed = additionalProperties === false || (isNode(additionalProperties) && properties === undefined)
  const own = anything || (type === 'object' && !isClosed) ? [path] : []
  const below = [
    ...ONE.filter((word) => isNode(schema[word])).map((word) => [word, schema[word]] as const),
    ...MANY.flatMap((word) => ((schema[word] ?? []) as unknown[]).map((one, at) => [`${word}/${at}`, one] as const)),
    ...Object.entries((properties ?? {}) as Node),
  ]
  return [...own, ...below.flatMap(([name, one]) => openPlaces(one, `${path}/${name}`))]
}

/** Schemas of the bodies and the parameters of an operation, by their places; the codec has a schema of its own. */
function schemasOf({ parameters = [], requestBody, responses }: Operation): (readonly [string, unknown])[] {
  const contentOf = (of: unknown, place: string) =>
    Object.entries(((of as Node | undefined)?.['content'] ?? {}) as Node)
      .filter(([type]) => type === 'application/json')
      .map(([type, media]) => [`${place}/${type}`, (media as Node)['schema']] as const)
  return [
    ...(parameters as readonly Node[]).map(({ name, schema }) => [String(name), schema] as const),
    ...contentOf(requestBody, 'body'),
    ...Object.entries(responses).flatMap(([status, response]) => contentOf(response, status)),
  ]
}

const gateway = gatewayOf(new FakeNode(), { telemetryProfile: 'full' })
let document: Document

/** Operations by method and path. */
const operations = (): (readonly [string, Operation])[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => [`${method} ${path}`, one] as const),
  )

beforeAll(async () => {
  document = JSON.parse((await gateway.inject({ url: '/openapi' })).body) as Document
})
afterAll(() => gateway.close())

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document) as Parameters<Validator['validate']>[0])
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })

  it('describes every field of every record, except free JSON', () => {
    const found = Object.entries(document.components.schemas).flatMap(([name, schema]) => openPlaces(schema, name))
    expect(found.filter((place) => !OPEN.has(place) && !METADATA.test(place))).toEqual([])
    expect([...OPEN].filter((place) => !found.includes(place))).toEqual([])
    // The document has a specification of its own, which its first field names.
    const own = operations().flatMap(([place, operation]) =>
      schemasOf(operation).flatMap(([name, schema]) => openPlaces(schema, `${place} ${name}`)),
    )
    expect(own).toEqual(['get /openapi 200/application/json', 'get /openapi.json 200/application/json'])
  })

  it('describes every parameter and its values', () => {
    const all = operations().flatMap(([place, { parameters = [] }]) =>
      (parameters as readonly Node[]).map((one) => [`${place} ${String(one['name'])}`, one] as const),
    )
    expect(all.length).toBeGreaterThan(150)
    expect(all.filter(([, { description }]) => description === undefined).map(([place]) => place)).toEqual([])
    const schemaOf = (place: string) => all.find(([one]) => one === place)?.[1]['schema']
    expect(schemaOf('get /v1/domains limit')).toMatchObject({ minimum: 1, maximum: 500, default: 100 })
    expect(schemaOf('get /v1/domains offset')).toMatchObject({ minimum: 0, maximum: 5_000, default: 0 })
    expect(schemaOf('get /v1/consensus/checkpoints limit')).toMatchObject({ minimum: 1, maximum: 128, default: 20 })
    expect(schemaOf('get /v1/consensus/evidence limit')).toMatchObject({ maximum: 1_000, default: 50 })
    expect(schemaOf('get /v1/consensus/evidence kind')).toMatchObject({
      enum: expect.arrayContaining(['lock_amnesia']),
    })
    expect(schemaOf('get /v1/pipeline/transactions/status scope')).toMatchObject({ enum: ['local', 'auto', 'global'] })
    const resumed = all.filter(([place]) => place.endsWith(' last-event-id')).map(([place]) => place.split(' ')[1])
    const lists = ['blocks', 'transactions', 'instructions'].map((list) => `/v1/explorer/${list}/stream`)
    expect(resumed.sort()).toEqual(['/v1/events/sse', ...lists].sort())
  })

  it('lists a response per error status of each route, and the codes of each status', () => {
    for (const [place, operation] of operations()) {
      const codes = operation['x-error-codes'] as Readonly<Record<string, readonly string[]>>
      for (const [status, names] of Object.entries(codes)) {
        expect(operation.responses[status], `${place} ${status}`).toEqual({
          $ref: `#/components/responses/Status${status}`,
        })
        for (const name of names)
          expect(isErrorCode(name) && ERRORS[name].http, `${place} ${name}`).toBe(Number(status))
      }
    }
    const codesOf = (place: string, status: number) =>
      (operations().find(([one]) => one === place)?.[1]['x-error-codes'] as Node | undefined)?.[String(status)]
    expect(codesOf('get /health', 503)).toEqual(['too_many_connections', 'node_stopping', 'node_halted'])
    expect(codesOf('get /health', 429)).toBeUndefined()
    expect(codesOf('get /peers', 503)).toEqual(['too_many_connections', 'node_stopping', 'node_starting'])
    expect(codesOf('get /v1/domains', 503)).toContain('node_halted')
    expect(codesOf('get /metrics', 503)).toEqual([
      'too_many_connections',
      'node_stopping',
      'node_starting',
      'telemetry_profile_restricted',
    ])
    expect(codesOf('get /events', 426)).toEqual(['upgrade_required'])
    expect(codesOf('post /v1/operator/auth/session', 403)).toEqual(['forbidden'])
    const submitted = operations().find(([one]) => one === 'post /transaction')?.[1].responses['202']
    expect(Object.keys(submitted?.['headers'] as Node)).toEqual([
      'location',
      'x-ledger-lane-id',
      'x-ledger-dataspace-id',
    ])
    const busy = (document.components.responses['Status429'] as Node)['headers'] as Node
    expect(Object.keys(busy)).toEqual(expect.arrayContaining(['retry-after', 'x-ratelimit-reset']))
  })

  it('describes actual responses of the routes, both successful ones and errors', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'doc', ...document } as object)
    const compiled = new Map<string, ValidateFunction>()
    const fits = (pointer: string, json: unknown, url: string): void => {
      const check = compiled.get(pointer) ?? ajv.compile({ $ref: `doc#${pointer}` })
      compiled.set(pointer, check)
      expect(check(json), `${url}: ${JSON.stringify(check.errors)} of ${JSON.stringify(json).slice(0, 300)}`).toBe(true)
    }
    const pointerPart = (text: string): string => encodeURIComponent(text.replace(/~/g, '~0').replace(/\//g, '~1'))
    let good = 0
    for (const row of SERVED_ROUTES) {
      if (row.method !== 'GET' || (row.format !== 'json' && row.format !== 'binary-or-json')) continue
      const url = row.path
        .replace(/\{(height|position)\}/, '3')
        .replace(/\{(hash|proposal)\}/, '0'.repeat(64))
        .replace('{id}', 'alice%40d000')
        .replace(/\{[a-z_]+\}/g, 'x')
      const answer = await gateway.inject({ url, headers: { accept: 'application/json' } })
      const json = JSON.parse(answer.body) as unknown
      if (answer.statusCode === 200 && row.response !== undefined) {
        good += 1
        const path = `/paths/${pointerPart(row.path)}/get/responses/200/content/${pointerPart('application/json')}/schema`
        fits(path, json, url)
      } else if (answer.statusCode !== 200) fits('/components/schemas/Error', json, url)
    }
    expect(good).toBeGreaterThan(30)
  })
})
