/** Owns the collection of named JSON Schema components. */
import type { JsonSchemaObject, JsonSchemaRefs, OpenRegistry } from './schema.js'

const PREFIX = '#/components/schemas/'

/** An empty collection; registries given here list their members where an open enum stands. */
export const jsonSchemaRefs = (registries: Readonly<Record<string, OpenRegistry>> = {}): JsonSchemaRefs => ({
  components: new Map(),
  registries,
})

/** Name of the component that a schema refers to; undefined for one that is no reference. */
export const referredName = ({ $ref: ref }: JsonSchemaObject): string | undefined =>
  typeof ref === 'string' && ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : undefined

/** A reference to a named component, which is built on its first use; a name in use is not built again, so types may recurse. */
export function component(refs: JsonSchemaRefs, name: string, build: () => JsonSchemaObject): JsonSchemaObject {
  if (!refs.components.has(name)) {
    refs.components.set(name, {})
    refs.components.set(name, build())
  }
  return { $ref: PREFIX + name }
}
