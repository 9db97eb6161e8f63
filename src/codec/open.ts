/** Owns open enums: their members are in a registry of the context, which the schema names. */

import { singleEntry, variantSchema } from './enums.js'
import { fail, located } from './fault.js'
import { component } from './json-schema.js'
import { pascalCase, requireDeclaredName } from './names.js'
import { type NodeSpec, nodeOf, SchemaNode } from './node.js'
import type { CodecContext, JsonSchemaObject, OpenEntry, OpenRegistry, Schema } from './schema.js'
import { misuse, shown } from './writer.js'

/** Value of an open enum: `kind` is the name of its member in the registry, `value` a value of that member's schema. */
export interface OpenValue {
  readonly kind: string
  readonly value: unknown
}

/** Registry of open enum members. Throws if two entries share an id or a kind. */
export function openRegistry(name: string, entries: readonly OpenEntry[]): OpenRegistry {
  requireDeclaredName('open registry', name)
  const ids = new Map<number, OpenEntry>()
  const kinds = new Map<string, OpenEntry>()
  for (const entry of entries) {
    requireDeclaredName(name, entry.kind)
    if (!Number.isSafeInteger(entry.id) || entry.id < 0)
      throw new Error(`${name}.${entry.kind}: invalid id ${entry.id}`)
    const other = ids.get(entry.id) ?? kinds.get(entry.kind)
    if (other !== undefined)
      throw new Error(`${name}: ${entry.kind} (${entry.id}) collides with ${other.kind} (${other.id})`)
    ids.set(entry.id, entry)
    kinds.set(entry.kind, entry)
  }
  return { name, entries: [...entries], byId: (id) => ids.get(id), byKind: (kind) => kinds.get(kind) }
}

/** Registry of a context; a missing one is a bug of the caller. */
function registryOf(context: unknown, name: string): OpenRegistry {
  const registry = (context as CodecContext | undefined)?.registries?.[name]
  if (registry === undefined) throw new Error(`the codec context has no registry ${JSON.stringify(name)}`)
  return registry
}

const camelCase = (variant: string): string => variant.charAt(0).toLowerCase() + variant.slice(1)

/**
 * Open enum: id (varint), then the length-prefixed body. Value `{kind, value}`; JSON `{"Kind": body}`. An id or kind
 * that is not in the registry is rejected with `unknown_instruction`.
 */
export function open(registryName: string): Schema<OpenValue> {
  requireDeclaredName('open', registryName)
  const title = pascalCase(registryName)
  const spec: NodeSpec<OpenValue> = {
    minSize: 2,
    maxSize: Number.POSITIVE_INFINITY,
    put: (w, value) => {
      if (value === null || typeof value !== 'object') misuse(`{kind, value} of ${registryName}`, value)
      const entry = registryOf(w.context, registryName).byKind(value.kind)
      if (entry === undefined) return misuse(`a kind of the registry ${registryName}`, value.kind)
      w.enter()
      w.varint(entry.id)
      const start = w.beginLength()
      try {
        nodeOf(entry.schema).put(w, value.value)
      } catch (error) {
        throw located(error, value.kind)
      }
      w.endLength(start)
      w.leave()
    },
    take: (r) => {
      const at = r.pos
      const id = r.varint()
      const entry = registryOf(r.context, registryName).byId(id)
      if (entry === undefined) return fail('unknown_instruction', `the registry ${registryName} has no id ${id}`, at)
      r.enter()
      try {
        const outer = r.beginBody()
        const value = nodeOf(entry.schema).take(r)
        r.endBody(outer)
        r.leave()
        return { kind: entry.kind, value }
      } catch (error) {
        throw located(error, entry.kind)
      }
    },
    skip: (r) => {
      const at = r.pos
      const id = r.varint()
      const entry = registryOf(r.context, registryName).byId(id)
      if (entry === undefined) return fail('unknown_instruction', `the registry ${registryName} has no id ${id}`, at)
      r.enter()
      try {
        const outer = r.beginBody()
        nodeOf(entry.schema).skip(r)
        r.endBody(outer)
        r.leave()
      } catch (error) {
        throw located(error, entry.kind)
      }
    },
    jsonOf: (value, state) => {
      const entry = registryOf(state.ctx, registryName).byKind(value.kind)
      if (entry === undefined) return misuse(`a kind of the registry ${registryName}`, value.kind)
      const name = pascalCase(entry.kind)
      try {
        return { [name]: nodeOf(entry.schema).jsonOf(value.value, state) }
      } catch (error) {
        throw located(error, name)
      }
    },
    ofJson: (json, state) => {
      const [name, body] = singleEntry(title, json)
      try {
        const entry = registryOf(state.ctx, registryName).byKind(camelCase(name))
        if (entry === undefined || pascalCase(entry.kind) !== name) {
          return fail('unknown_instruction', `the registry ${registryName} has no kind ${shown(name)}`)
        }
        state.enter()
        const value = nodeOf(entry.schema).ofJson(body, state)
        state.leave()
        return { kind: entry.kind, value }
      } catch (error) {
        throw located(error, name)
      }
    },
    schemaOf: (refs) =>
      component(refs, title, (): JsonSchemaObject => {
        const registry = refs.registries[registryName]
        if (registry === undefined) return { type: 'object', minProperties: 1, maxProperties: 1 }
        return {
          oneOf: registry.entries.map((entry) =>
            variantSchema(pascalCase(entry.kind), nodeOf(entry.schema).schemaOf(refs)),
          ),
        }
      }),
    body: () => `open(${registryName})`,
  }
  return new SchemaNode(spec)
}
