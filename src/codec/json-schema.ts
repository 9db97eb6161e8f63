/** Owns the collection of named JSON Schema components. */
import type { JsonSchemaObject, JsonSchemaRefs, OpenRegistry } from './schema.js'

const PREFIX = '#/components/schemas/'

/** Empty collection; the given registries list their members in open enums. */
export const jsonSchemaRefs = (registries: Readonly<Record<string, OpenRegistry>> = {}): JsonSchemaRefs => ({
  components: new Map(),
  registries,
})

/** Component name of a schema reference; undefined if the schema is not one. */
export const referredName = ({ $ref: ref }: JsonSchemaObject): string | undefined =>
  typeof ref === 'string' && ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : undefined

/**
 * Reference to a named component, which is built on first use; a name in progress is not built again, so types may
 * recurse.
 */
export function component(refs: JsonSchemaRefs, name: string, build: () => JsonSchemaObject): JsonSchemaObject {
  if (!refs.components.has(name)) {
    refs.components.set(name, {})
    refs.components.set(name, build())
  }
  return { $ref: PREFIX + name }
}
