/**
 * Aliases in every place of the route table, the instructions and the command line that takes an account or an asset definition: each
 * is read as the id that it stands for. Places are found in the schemas; none is left out.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readWithAliases } from '../../../src/api/alias-ids.js'
import type { AnyRoute } from '../../../src/api/index.js'
import {
  type CodecContext,
  type Decoded,
  type Json,
  type JsonSchemaObject,
  jsonSchemaRefs,
  referredName,
  type Schema,
} from '../../../src/codec/index.js'
import { isJsonObject } from '../../../src/codec/schema.js'
import { clientCodec, FEATURE_ROUTES, FEATURE_SCHEMAS } from '../../../src/features/composed.js'
import { OWN_ROUTES } from '../../../src/gateway/index.js'
import { formatAddress, keyBytes } from '../../../src/model/index.js'
import { bob } from '../../support/conference.js'

const codec = clientCodec('cw')
const ADDRESS = formatAddress(bob, 'cw')
const DEFINITION = 'eur#bank'
const ALIASES = { account: 'bob@bank', asset: 'ccy:EUR' } as const
const IDS = { account: bob, asset: DEFINITION } as const
const HEX = keyBytes(bob).toString('hex')
type Wanted = keyof typeof IDS
/** Text with ids, and the same with aliases of the kinds of `wants`. */
interface Written {
  readonly byId: string
  readonly byAlias: string
  readonly wants: readonly Wanted[]
}
const ACCOUNT: Written = { byId: ADDRESS, byAlias: ALIASES.account, wants: ['account'] }
const ASSET: Written = { byId: DEFINITION, byAlias: ALIASES.asset, wants: ['asset'] }
/** Schemas whose texts have accounts and definitions, and the texts that users write. */
const PLACES: Readonly<Record<string, readonly Written[]>> = {
  AccountId: [ACCOUNT],
  AssetDefinitionId: [ASSET],
  AssetText: [ASSET],
  SettlementUnit: [ASSET],
  LotId: [{ byId: `${DEFINITION}/7`, byAlias: `${ALIASES.asset}/7`, wants: ['asset'] }],
  SpaceCounterparty: [ACCOUNT],
  PermissionObject: [
    { byId: HEX, byAlias: ALIASES.account, wants: ['account'] },
    ASSET,
    { byId: `${DEFINITION}#${HEX}`, byAlias: `${ALIASES.asset}#${ALIASES.account}`, wants: ['asset', 'account'] },
    { byId: `${DEFINITION}#${HEX}`, byAlias: `${DEFINITION}#${ALIASES.account}`, wants: ['account'] },
    { byId: `${DEFINITION}#${HEX}`, byAlias: `${ALIASES.asset}#${ADDRESS}`, wants: ['asset'] },
  ],
}
const DEPTH_MAX = 12

/** Places of accounts and definitions in a sample. */
interface Place {
  readonly path: readonly (string | number)[]
  readonly written: Written
}
interface Sample {
  readonly json: Json
  readonly places: readonly Place[]
}

/** Samples of schemas, of each alternative one. */
class Samples {
  private readonly refs = jsonSchemaRefs(codec.registries)

  of(schema: Pick<Schema<never>, 'jsonSchema'>): readonly Sample[] {
    return this.samples(schema.jsonSchema(this.refs), 0)
  }

  private samples(schema: JsonSchemaObject, depth: number): readonly Sample[] {
    const name = referredName(schema)
    const texts = name === undefined ? undefined : PLACES[name]
    if (texts !== undefined) return texts.map((written) => ({ json: written.byId, places: [{ path: [], written }] }))
    if (depth > DEPTH_MAX) return [{ json: null, places: [] }]
    if (name !== undefined) return this.samples(this.refs.components.get(name) ?? {}, depth + 1)
    const branches = (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchemaObject[] | undefined
    // Of the instructions inside an instruction one is enough: each is sampled by itself.
    if (branches !== undefined)
      return (depth > 4 ? branches.slice(0, 8) : branches).flatMap((one) => this.samples(one, depth + 1))
    if (schema['type'] === 'object') return this.objects(schema, depth)
    if (schema['type'] === 'array') {
      return this.samples(schema['items'] as JsonSchemaObject, depth + 1).map(({ json, places }) => ({
        json: [json],
        places: places.map(({ path, written }) => ({ path: [0, ...path], written })),
      }))
    }
    return [{ json: plain(schema), places: [] }]
  }

  private objects(schema: JsonSchemaObject, depth: number): readonly Sample[] {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchemaObject>)
    const fields = properties.map(([name, one]) => [name, this.samples(one, depth + 1)] as const)
    const most = Math.max(1, ...fields.map(([, list]) => list.length))
    return Array.from({ length: most }, (_, at) => {
      const chosen = fields.map(([name, list]) => [name, list[at % list.length] as Sample] as const)
      return {
        json: Object.fromEntries(chosen.map(([name, { json }]) => [name, json])),
        places: chosen.flatMap(([name, { places }]) =>
          places.map(({ path, written }) => ({ path: [name, ...path], written })),
        ),
      }
    })
  }
}

/** A value without places; some schemas have rules of their own that it breaks. */
function plain({ type, enum: words, const: only, contentEncoding, pattern }: JsonSchemaObject): Json {
  if (only !== undefined) return only
  if (Array.isArray(words)) return words[0] as Json
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (contentEncoding === 'base64') return ''
  if (typeof pattern !== 'string') return 'x'
  const digits = /^\^\[0-9a-f\]\{(\d+)\}\$$/.exec(pattern)?.[1]
  if (digits !== undefined) return '0'.repeat(Number(digits))
  return ['', '1', 'x', 'EUR', 'x$bank', '2026-01-01'].find((text) => new RegExp(pattern).test(text)) ?? 'x'
}

const replaced = (json: Json, [step, ...rest]: readonly (string | number)[], value: Json): Json => {
  if (step === undefined) return value
  if (Array.isArray(json)) return json.map((one: Json, at) => (at === step ? replaced(one, rest, value) : one))
  const record = json as Record<string, Json>
  return { ...record, [step]: replaced(record[step] as Json, rest, value) }
}

/** The value, or the codes and paths of all faults. */
const outcome = (decoded: Decoded<unknown>): unknown => {
  if (decoded.ok) return decoded.value
  const { also = [], ...first } = decoded.fault
  return [first, ...also].map(({ code, path }) => `${path} ${code}`)
}

/** Expects that an alias is read in each place of a schema as the id is. */
async function expectAliases(schema: Schema<never>, what: string): Promise<number> {
  let count = 0
  for (const { json, places } of new Samples().of(schema)) {
    const read = (from: Json) => (context: CodecContext) => outcome(schema.fromJson(from, context) as Decoded<unknown>)
    const byId = read(json)(codec)
    for (const { path, written } of places) {
      const aliased = replaced(json, path, written.byAlias)
      const place = `${what} ${path.join('.')}`
      const wanted: string[] = []
      const resolved = await readWithAliases(codec, read(aliased), async (texts) => {
        for (const one of texts.missing) {
          wanted.push(one.want)
          texts.resolved(one, IDS[one.want])
        }
        return undefined
      })
      expect(resolved, place).toEqual(byId)
      expect(wanted, place).toEqual(written.wants)
      count += 1
    }
  }
  return count
}

const routes: readonly AnyRoute[] = [...OWN_ROUTES, ...FEATURE_ROUTES]
const readBy = ({ params, query, body, stream }: AnyRoute): readonly (Schema<never> | undefined)[] => [
  params,
  query,
  body?.as === 'record' ? body.schema : undefined,
  stream?.as === 'websocket' ? (stream.start.schema as Schema<never>) : undefined,
]

describe('an alias of an account or a definition', () => {
  it('is resolved in every field of the route table', async () => {
    let count = 0
    for (const row of routes) {
      for (const schema of readBy(row)) if (schema !== undefined) count += await expectAliases(schema, row.id)
    }
    expect(count).toBeGreaterThan(60)
  })

  it('is resolved in every account text field of the route table', () => {
    for (const row of routes) {
      const refs = jsonSchemaRefs(codec.registries)
      for (const schema of readBy(row).slice(0, 3)) {
        const name = schema && referredName(schema.jsonSchema(refs))
        const properties = (name === undefined ? undefined : refs.components.get(name)?.['properties']) ?? {}
        const texts = Object.entries(isJsonObject(properties) ? properties : {}).filter(([, one]) =>
          JSON.stringify(one).includes('/AccountText"'),
        )
        const declared = Object.keys(row.accounts ?? {}).map((field) =>
          field.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
        )
        for (const [field] of texts) expect(declared, `${row.id} ${field}`).toContain(field)
      }
    }
  })

  it('is resolved in every field of the instructions', async () => {
    let count = 0
    for (const { instructions } of FEATURE_SCHEMAS)
      for (const def of Object.values(instructions))
        count += await expectAliases(def.schema as Schema<never>, def.label)
    expect(count).toBeGreaterThan(150)
  })

  it('is accepted by every flag and argument of the command line', () => {
    const sources = ['commands', 'src/cli'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    )
    const texts = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:Flags|Args)\.string\(\{\s*([\s\S]*?)\n? *\}\)/g)].flatMap(
        ([, options]) => {
          const described = /description:\s*(['"`])([\s\S]*?)\1/.exec(options ?? '')?.[2]
          return described === undefined ? [] : [`${file}: ${described}`]
        },
      ),
    )
    expect(texts.length).toBeGreaterThan(400)
    expect(texts.filter((text) => NOUN.test(headOf(text.slice(text.indexOf(': ') + 2))))).toEqual([])
  })
})

/** Nouns that denote one account or one asset definition. */
const NOUN = /\b(?:account|asset|definition|owner|payer|payee|treasury|beneficiary|custodian|recipient|subscriber)$/

/** Head of the noun phrase that a description begins with. */
const headOf = (description: string): string =>
  description.split(
    /[,;:(]| (?:of|by|for|that|which|in|to|with|such|from|after|at|as|instead|whose|[a-z]+#[a-z]+)\b/,
  )[0] ?? ''
