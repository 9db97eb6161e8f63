/** The OpenAPI document: valid by a validator that knows nothing of us, closed records, answers that are what it says. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORE_ROUTES } from '../../../src/gateway/index.js'
import { FakeNode, gatewayOf } from './support.js'

type Node = { readonly [key: string]: unknown }
type Operation = Node & { readonly operationId: string; readonly responses: Readonly<Record<string, Node>> }
interface Document extends Node {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Node>> }
}

/** Names whose objects are open by nature: metadata of people, values of parameters. */
const OPEN = new Set(['Metadata', 'MetadataValue', 'Json'])

/** Places of objects that say nothing of their fields. */
function openObjects(node: unknown, path: string): string[] {
  if (Array.isArray(node)) return node.flatMap((one, at) => openObjects(one, `${path}/${at}`))
  if (typeof node !== 'object' || node === null) return []
  const { type, properties, additionalProperties, oneOf, $ref } = node as Node
  const isOpen = type === 'object' && properties === undefined && additionalProperties === undefined
  const own = isOpen && oneOf === undefined && $ref === undefined ? [path] : []
  return [...own, ...Object.entries(node).flatMap(([name, one]) => openObjects(one, `${path}/${name}`))]
}

const gateway = gatewayOf(new FakeNode(), { telemetryProfile: 'full' })
let document: Document

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

  it('has no open object but metadata', () => {
    const found = Object.entries(document.components.schemas)
      .filter(([name]) => !OPEN.has(name))
      .flatMap(([name, schema]) => openObjects(schema, name))
    expect(found).toEqual([])
    // The document has a specification of its own, which its media type and its first field name.
    const own = Object.entries(document.paths).flatMap(([path, item]) => openObjects(item, path))
    expect(new Set(own.map((place) => place.split('/')[1]))).toEqual(new Set(['openapi', 'openapi.json']))
  })

  it('describes what the routes answer, good answers and errors alike', async () => {
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
    for (const row of CORE_ROUTES) {
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
