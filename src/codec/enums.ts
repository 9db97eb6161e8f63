/** Owns closed enums: a tag and the variant's body, dispatched through a table. */
import { fail, located } from './fault.js'
import { component } from './json-schema.js'
import { MAX_TAG } from './limits.js'
import { pascalCase, requireDeclaredName } from './names.js'
import { type NodeSpec, nodeOf, SchemaNode } from './node.js'
import type { Reader } from './reader.js'
import type { Json, JsonSchemaObject, Schema } from './schema.js'
import { isJsonObject } from './schema.js'
import { varintSize } from './sizes.js'
import { misuse, shown } from './writer.js'

interface Variant {
  readonly kind: string
  readonly json: string
  readonly tag: number
  readonly node: SchemaNode<any> | undefined
}

/** Variants by each of their names; throws on invalid and repeated names and tags. */
class Variants {
  readonly list: readonly Variant[]
  readonly byTag: (Variant | undefined)[] = []
  readonly byKind = new Map<string, Variant>()
  readonly byJson = new Map<string, Variant>()

  constructor(
    readonly owner: string,
    entries: readonly (readonly [kind: string, tag: number, node: SchemaNode<any> | undefined])[],
  ) {
    if (entries.length === 0) throw new Error(`${owner}: an enum must have at least one variant`)
    this.list = entries.map(([kind, tag, node]) => ({ kind, json: pascalCase(kind), tag, node }))
    for (const variant of this.list) {
      const { kind, tag } = variant
      requireDeclaredName(owner, kind)
      if (!Number.isInteger(tag) || tag < 0 || tag > MAX_TAG)
        throw new Error(`${owner}.${kind}: a tag must be between 0 and ${MAX_TAG}`)
      if (this.byTag[tag] !== undefined) throw new Error(`${owner}.${kind}: tag ${tag} is already used`)
      this.byTag[tag] = variant
      this.byKind.set(kind, variant)
      this.byJson.set(variant.json, variant)
    }
    // A table without holes stays a fast array.
    for (let tag = 0; tag < this.byTag.length; tag++) this.byTag[tag] ??= undefined
  }

  read(r: Reader): Variant {
    const at = r.pos
    const tag = r.varint()
    const variant = tag < this.byTag.length ? this.byTag[tag] : undefined
    return variant ?? fail('bad_tag', `${this.owner} has no variant ${tag}`, at)
  }

  ofKind(kind: string): Variant {
    return this.byKind.get(kind) ?? misuse(`a variant of ${this.owner}`, kind)
  }

  ofJson(name: string): Variant {
    const names = (): string => this.list.map((variant) => variant.json).join(', ')
    return this.byJson.get(name) ?? fail('bad_tag', `${this.owner} has no variant ${shown(name)}; it has ${names()}`)
  }

  body(): string {
    const parts = [...this.list]
      .sort((a, b) => a.tag - b.tag)
      .map(({ tag, kind, node }) => `${tag} ${kind}${node === undefined ? '' : `: ${node.expression}`}`)
    return `enum { ${parts.join(', ')} }`
  }
}

type EnumVariants = Readonly<Record<string, readonly [tag: number, schema: Schema<any> | undefined]>>

/**
 * One of several variants: tag (varint), then the body of the variant. Value `{kind, value}`, with `value` undefined
 * for a variant without a body. JSON: `{"Variant": body}`, or `"Variant"` without one. Tags are append-only.
 */
export function enumOf<const V extends EnumVariants>(
  name: string,
  variants: V,
): Schema<
  {
    readonly [K in keyof V]: { readonly kind: K; readonly value: V[K][1] extends Schema<infer T> ? T : undefined }
  }[keyof V]
> {
  const table = new Variants(
    name,
    Object.entries(variants).map(([kind, [tag, schema]]) => [
      kind,
      tag,
      schema === undefined ? undefined : nodeOf(schema),
    ]),
  )
  const spec: NodeSpec<any> = {
    name,
    minSize: 1 + Math.min(...table.list.map((variant) => variant.node?.minSize ?? 0)),
    maxSize: Math.max(...table.list.map(({ tag, node }) => varintSize(tag) + (node?.maxSize ?? 0))),
    put: (w, value) => {
      if (value === null || typeof value !== 'object') misuse(name, value)
      const variant = table.ofKind(value.kind)
      w.varint(variant.tag)
      if (variant.node === undefined) return
      try {
        variant.node.put(w, value.value)
      } catch (error) {
        throw located(error, variant.kind)
      }
    },
    take: (r) => {
      const variant = table.read(r)
      if (variant.node === undefined) return { kind: variant.kind, value: undefined }
      try {
        return { kind: variant.kind, value: variant.node.take(r) }
      } catch (error) {
        throw located(error, variant.kind)
      }
    },
    skip: (r) => {
      const variant = table.read(r)
      if (variant.node === undefined) return
      try {
        variant.node.skip(r)
      } catch (error) {
        throw located(error, variant.kind)
      }
    },
    jsonOf: (value, state) => {
      const variant = table.ofKind(value.kind)
      if (variant.node === undefined) return variant.json
      try {
        return { [variant.json]: variant.node.jsonOf(value.value, state) }
      } catch (error) {
        throw located(error, variant.json)
      }
    },
    ofJson: (json, state) => {
      if (typeof json === 'string') {
        const variant = table.ofJson(json)
        if (variant.node !== undefined)
          fail('bad_value', `variant ${variant.json} has a body: write {${shown(json)}: ...}`)
        return { kind: variant.kind, value: undefined }
      }
      const [key, body] = singleEntry(name, json)
      try {
        const variant = table.ofJson(key)
        if (variant.node === undefined)
          return fail('bad_value', `variant ${variant.json} has no body: write ${shown(key)}`)
        return { kind: variant.kind, value: variant.node.ofJson(body, state) }
      } catch (error) {
        throw located(error, key)
      }
    },
    schemaOf: (refs) =>
      component(refs, name, () => {
        const units = table.list.filter((variant) => variant.node === undefined).map((variant) => variant.json)
        const bodies = table.list.flatMap((variant) =>
          variant.node === undefined ? [] : [variantSchema(variant.json, variant.node.schemaOf(refs))],
        )
        const variants = [...(units.length > 0 ? [{ type: 'string', enum: units }] : []), ...bodies]
        const [only, ...others] = variants
        return only !== undefined && others.length === 0 ? only : { oneOf: variants }
      }),
    body: () => table.body(),
    children: () => table.list.flatMap((variant) => variant.node ?? []),
  }
  return new SchemaNode(spec)
}

/** One of several names: tag (varint). Value: the declared name. JSON: its PascalCase form. Tags are append-only. */
export function unitEnum<const V extends Readonly<Record<string, number>>>(
  name: string,
  variants: V,
): Schema<keyof V & string> {
  const table = new Variants(
    name,
    Object.entries(variants).map(([kind, tag]) => [kind, tag, undefined]),
  )
  const spec: NodeSpec<any> = {
    name,
    minSize: 1,
    maxSize: Math.max(...table.list.map(({ tag }) => varintSize(tag))),
    put: (w, value) => w.varint(table.ofKind(value).tag),
    take: (r) => table.read(r).kind,
    skip: (r) => void table.read(r),
    jsonOf: (value) => table.ofKind(value).json,
    ofJson: (json) =>
      typeof json === 'string'
        ? table.ofJson(json).kind
        : fail('bad_value', `expected a string (${name}), got ${shown(json)}`),
    schemaOf: (refs) =>
      component(refs, name, () => ({ type: 'string', enum: table.list.map((variant) => variant.json) })),
    body: () => table.body(),
    jsonString: true,
  }
  return new SchemaNode(spec)
}

/** Key and body of a one-key object, the JSON form of a variant with a body. */
export function singleEntry(owner: string, json: Json): readonly [string, Json] {
  if (!isJsonObject(json)) {
    return fail('bad_value', `expected an object with one key (${owner}), got ${shown(json)}`)
  }
  const entries = Object.entries(json)
  if (entries.length !== 1) fail('bad_value', `expected an object with one key (${owner}), got ${entries.length} keys`)
  return entries[0]!
}

/** JSON Schema of a variant with a body. */
export const variantSchema = (name: string, body: JsonSchemaObject): JsonSchemaObject => ({
  type: 'object',
  properties: { [name]: body },
  required: [name],
  additionalProperties: false,
})
