/**
 * Owns the accounts, assets and domains of an event, determined by the types in its schema instead of a list per
 * feature.
 */
import { type Json, type JsonSchemaObject, jsonSchemaRefs, type OpenRegistry, referredName } from '../codec/index.js'
import { isJsonObject } from '../codec/schema.js'
import { domainOfDefinition } from '../model/index.js'

/** Ids as in JSON. */
export interface EventIds {
  readonly accounts: Set<string>
  readonly assets: Set<string>
  readonly domains: Set<string>
}

type Collect = (json: Json, found: EventIds) => void

/** Maximum depth of nested types that is searched: events are flat records. */
const DEPTH_MAX = 8

const LEAVES: Readonly<Record<string, Collect>> = {
  AccountId: (json, { accounts }) => void accounts.add(json as string),
  AssetDefinitionId: (json, { assets, domains }) => {
    assets.add(json as string)
    domains.add(domainOfDefinition(json as string))
  },
  DomainId: (json, { domains }) => void domains.add(json as string),
}

type Components = ReadonlyMap<string, JsonSchemaObject>

/** Collector of the ids in values of a schema; undefined if they can contain none. */
function collector(schema: JsonSchemaObject, components: Components, depth: number): Collect | undefined {
  const { properties, items, anyOf, oneOf } = schema
  if (depth > DEPTH_MAX) return undefined
  const name = referredName(schema)
  if (name !== undefined) {
    const target = components.get(name)
    return LEAVES[name] ?? (target === undefined ? undefined : collector(target, components, depth + 1))
  }
  const parts: Collect[] = []
  for (const [name, property] of Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchemaObject>>)) {
    const collect = collector(property, components, depth + 1)
    if (collect === undefined) continue
    parts.push((json, found) => {
      const value = isJsonObject(json) ? json[name] : undefined
      if (value !== undefined && value !== null) collect(value, found)
    })
  }
  if (items !== undefined && items !== null && typeof items === 'object') {
    const collect = collector(items as JsonSchemaObject, components, depth + 1)
    if (collect !== undefined) {
      parts.push((json, found) => {
        if (Array.isArray(json)) for (const item of json) collect(item, found)
      })
    }
  }
  for (const branch of [...((anyOf ?? []) as JsonSchemaObject[]), ...((oneOf ?? []) as JsonSchemaObject[])]) {
    const collect = collector(branch, components, depth + 1)
    if (collect !== undefined) parts.push(collect)
  }
  if (parts.length === 0) return undefined
  return (json, found) => {
    for (const part of parts) part(json, found)
  }
}

/** Finder of the ids in events of one registry. */
export class IdFinder {
  private readonly byName = new Map<string, Collect | undefined>()

  constructor(private readonly registry: OpenRegistry | undefined) {}

  /** Ids in the body of an event; `kind` is its name in the registry. */
  find(kind: string, body: Json): EventIds {
    const found: EventIds = { accounts: new Set(), assets: new Set(), domains: new Set() }
    if (!this.byName.has(kind)) {
      const refs = jsonSchemaRefs()
      const schema = this.registry?.byKind(kind)?.schema.jsonSchema(refs)
      this.byName.set(kind, schema === undefined ? undefined : collector(schema, refs.components, 0))
    }
    this.byName.get(kind)?.(body, found)
    return found
  }
}
