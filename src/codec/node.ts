/** Owns the class behind every schema: it turns the primitive operations of a combinator into the public interface. */
import { definedFields } from '../base/defined-fields.js'
import { hash } from '../crypto/hash.js'
import { type CodecFault, type Decoded, fail, faultOf, formatPath, RawFault } from './fault.js'
import { lineAndColumn, placeInJson, scanJson } from './json-scan.js'
import { type CodecLimits, DEFAULT_MAX_BYTES, DEFAULT_MAX_DEPTH, WRITER_KEEP_BYTES } from './limits.js'
import { Reader } from './reader.js'
import type { CodecContext, Json, JsonSchemaObject, JsonSchemaRefs, Schema } from './schema.js'
import { fast, utf8Fault, viewOf } from './text.js'
import { Writer } from './writer.js'

/** Length of a schema hash in bytes. */
export const SCHEMA_HASH_BYTES = 16

/** State of a JSON conversion. */
export class JsonState {
  /** Number of entered levels; reset it to continue after a refusal. */
  depth = 0
  constructor(readonly ctx: CodecContext | undefined) {}

  /** Count the nesting of open and recursive values, by the rule of the binary form. */
  enter(): void {
    if (++this.depth > DEFAULT_MAX_DEPTH) fail('too_deep', `more than ${DEFAULT_MAX_DEPTH} levels`)
  }

  leave(): void {
    this.depth--
  }
}

/** Source of one operation for the code generator; `value` is an expression without side effects. */
export interface Emit {
  put(value: string, gen: EmitScope): string
  take(gen: EmitScope): string
  skip(gen: EmitScope): string
  /** Size of every value, if it is constant and any content is valid. */
  readonly fixed?: number | undefined
}

/** Values that emitted source can refer to. */
export interface EmitScope {
  /** Identifier of a schema node. */
  ref(node: SchemaNode<any>): string
}

/** Definition of a node by its combinator. */
export interface NodeSpec<T> {
  readonly name?: string
  readonly minSize: number
  readonly maxSize: number
  /** Write, read or skip one value; errors are RawFaults. */
  put(writer: Writer, value: T): void
  take(reader: Reader): T
  skip(reader: Reader): void
  jsonOf(value: T, state: JsonState): Json
  ofJson(json: Json, state: JsonState): T
  schemaOf(refs: JsonSchemaRefs): JsonSchemaObject
  /** Expression of the structure; named children appear as their reference. */
  body(): string
  children?(): readonly SchemaNode<any>[]
  /** Name used by references, if it is neither the name nor the body. */
  readonly reference?: string
  /** True if the JSON form is always a string: such a type may be the key of a JSON object. */
  readonly jsonString?: boolean
  /** True if the JSON form may be null. */
  readonly jsonNull?: boolean
  /** True if a field of this type may be absent in JSON: it is then undefined. */
  readonly optional?: boolean
  readonly emit?: Emit
}

let spareReader: Reader | undefined = new Reader()
let spareWriter: Writer | undefined = new Writer()

/** Run a read over all of the bytes with a pooled reader; throws RawFaults. */
function readAll<T>(
  bytes: Uint8Array,
  ctx: CodecContext | undefined,
  limits: CodecLimits | undefined,
  read: (reader: Reader) => T,
): T {
  const maxBytes = limits?.maxBytes ?? DEFAULT_MAX_BYTES
  if (bytes.length > maxBytes) fail('out_of_bounds', `${bytes.length} bytes exceed the limit of ${maxBytes}`, 0)
  // A check of the schema may decode other bytes meanwhile: that call then creates its own reader.
  const reader = spareReader ?? new Reader()
  spareReader = undefined
  reader.reset(bytes, ctx, limits?.maxDepth ?? DEFAULT_MAX_DEPTH)
  try {
    const value = read(reader)
    reader.finish()
    return value
  } finally {
    reader.release()
    spareReader = reader
  }
}

/** Decode bytes with a custom reader: the result of `read`, or its fault; trailing bytes are a fault. */
export function decodeWith<T>(
  bytes: Uint8Array,
  read: (reader: Reader) => T,
  ctx?: CodecContext,
  limits?: CodecLimits,
): Decoded<T> {
  try {
    return { ok: true, value: readAll(bytes, ctx, limits, read) }
  } catch (error) {
    return { ok: false, fault: faultOf(error) }
  }
}

/** Error for a value that does not match its schema. */
function misuseError(name: string | undefined, error: unknown): unknown {
  if (!(error instanceof RawFault)) return error
  const path = formatPath(error.trail ?? [])
  return new Error(`cannot encode ${name ?? 'value'}${path === '' ? '' : ` at ${path}`}: ${error.message}`)
}

/** Maximum length of a text in which the positions of all faults are determined, in UTF-16 units: each costs a scan. */
const PLACES_TEXT_MAX = 64 * 1024

/** Position of a fault, found by a second scan. Faults are rare, so positions are not tracked while reading. */
function placeOf(text: string, { code, trail }: Pick<RawFault, 'code' | 'trail'>): { line: number; column: number } {
  const place = placeInJson(text, trail ?? [])
  return lineAndColumn(text, code === 'unknown_field' ? place.key : place.value)
}

/** Schema. All instances have one shape, so that calls through them stay fast. */
export class SchemaNode<T> implements Schema<T> {
  readonly name: string | undefined
  readonly minSize: number
  readonly maxSize: number
  put: (writer: Writer, value: T) => void
  take: (reader: Reader) => T
  skip: (reader: Reader) => void
  readonly jsonOf: (value: T, state: JsonState) => Json
  readonly ofJson: (json: Json, state: JsonState) => T
  readonly schemaOf: (refs: JsonSchemaRefs) => JsonSchemaObject
  readonly body: () => string
  readonly children: () => readonly SchemaNode<any>[]
  readonly reference: string | undefined
  readonly jsonString: boolean
  readonly jsonNull: boolean
  readonly optional: boolean
  readonly emit: Emit | undefined
  private readonly checker: (reader: Reader) => void
  private description: string | undefined
  private digest: Buffer | undefined

  constructor(spec: NodeSpec<T>) {
    if (spec.name !== undefined && !/^[A-Za-z][A-Za-z0-9]*$/.test(spec.name)) {
      throw new Error(`schema name ${JSON.stringify(spec.name)} must consist of letters and digits`)
    }
    this.name = spec.name
    this.minSize = spec.minSize
    this.maxSize = spec.maxSize
    this.put = spec.put
    this.take = spec.take
    this.skip = spec.skip
    this.jsonOf = spec.jsonOf
    this.ofJson = spec.ofJson
    this.schemaOf = spec.schemaOf
    this.body = spec.body
    this.children = spec.children ?? (() => [])
    this.reference = spec.reference
    this.jsonString = spec.jsonString ?? false
    this.jsonNull = spec.jsonNull ?? false
    this.optional = spec.optional ?? false
    this.emit = spec.emit
    this.checker = (reader) => this.skip(reader)
    this.description = undefined
    this.digest = undefined
  }

  /** Name of this type in the description of another type that contains it. */
  get expression(): string {
    return this.reference ?? this.name ?? this.body()
  }

  encode(value: T, ctx?: CodecContext): Buffer {
    const writer = spareWriter ?? new Writer()
    spareWriter = undefined
    writer.pos = 0
    writer.depth = 0
    writer.context = ctx
    try {
      this.put(writer, value)
      return writer.toBytes()
    } catch (error) {
      throw misuseError(this.name, error)
    } finally {
      writer.context = undefined
      if (writer.buf.length <= WRITER_KEEP_BYTES) spareWriter = writer
      else spareWriter = new Writer()
    }
  }

  write(writer: Writer, value: T, ctx?: CodecContext): void {
    const outer = writer.context
    if (ctx !== undefined) writer.context = ctx
    try {
      this.put(writer, value)
    } catch (error) {
      throw misuseError(this.name, error)
    } finally {
      writer.context = outer
    }
  }

  decode(bytes: Uint8Array, ctx?: CodecContext, limits?: CodecLimits): Decoded<T> {
    return decodeWith(bytes, this.take, ctx, limits)
  }

  read(reader: Reader): T {
    return this.take(reader)
  }

  check(bytes: Uint8Array, ctx?: CodecContext, limits?: CodecLimits): CodecFault | undefined {
    try {
      readAll(bytes, ctx, limits, this.checker)
      return undefined
    } catch (error) {
      return faultOf(error)
    }
  }

  toJson(value: T, ctx?: CodecContext): Json {
    try {
      return this.jsonOf(value, new JsonState(ctx))
    } catch (error) {
      throw misuseError(this.name, error)
    }
  }

  fromJson(json: Json, ctx?: CodecContext): Decoded<T> {
    try {
      return { ok: true, value: this.ofJson(json, new JsonState(ctx)) }
    } catch (error) {
      return { ok: false, fault: faultOf(error) }
    }
  }

  parseJson(input: string | Uint8Array, ctx?: CodecContext, limits?: CodecLimits): Decoded<T> {
    const maxBytes = limits?.maxBytes ?? DEFAULT_MAX_BYTES
    if (input.length > maxBytes) {
      return { ok: false, fault: { code: 'out_of_bounds', message: `longer than ${maxBytes} bytes` } }
    }
    let text: string
    if (typeof input === 'string') text = input
    else {
      const bad = utf8Fault(input, 0, input.length)
      if (bad >= 0) return { ok: false, fault: { code: 'bad_utf8', message: 'not UTF-8', at: bad } }
      text = fast(viewOf(input)).utf8Slice(0, input.length)
    }
    let json: Json
    try {
      json = scanJson(text)
    } catch (error) {
      const { at, ...fault } = faultOf(error)
      return { ok: false, fault: at === undefined ? fault : { ...fault, ...lineAndColumn(text, at) } }
    }
    try {
      return { ok: true, value: this.ofJson(json, new JsonState(ctx)) }
    } catch (error) {
      const { also, ...fault } = faultOf(error)
      const { also: others = [], ...first } = error as RawFault
      const places = text.length > PLACES_TEXT_MAX ? [] : others.map((other) => placeOf(text, other))
      const more = also?.map((other, at) => ({ ...other, ...places[at] }))
      return { ok: false, fault: { ...fault, ...placeOf(text, first), ...definedFields({ also: more }) } }
    }
  }

  jsonSchema(refs: JsonSchemaRefs): JsonSchemaObject {
    return this.schemaOf(refs)
  }

  describe(): string {
    this.description ??= describeNode(this)
    return this.description
  }

  get hash(): Buffer {
    this.digest ??= hash('schema', Buffer.from(this.describe(), 'utf8')).subarray(0, SCHEMA_HASH_BYTES)
    return this.digest
  }
}

/** Description of a type: its expression, then one line per referenced named type, in byte order of the names. */
function describeNode(root: SchemaNode<any>): string {
  const lines = new Map<string, string>()
  const seen = new Set<SchemaNode<any>>()
  const pending: SchemaNode<any>[] = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    if (node.name !== undefined && node.reference === undefined) {
      const line = `${node.name} = ${node.body()}`
      const known = lines.get(node.name)
      if (known !== undefined && known !== line) {
        throw new Error(`two schemas are named ${node.name}:\n${known}\n${line}`)
      }
      lines.set(node.name, line)
    }
    pending.push(...node.children())
  }
  // Names are ASCII, so the order of units is the order of bytes.
  const names = [...lines.keys()].sort((a, b) => (a < b ? -1 : 1))
  return [root.expression, ...names.map((name) => lines.get(name)!)].map((line) => `${line}\n`).join('')
}

/** True for a schema, as opposed to a record of schemas. */
export const isSchema = (value: object): value is Schema<unknown> => value instanceof SchemaNode

/** Node behind a schema; every schema is one. */
export function nodeOf<T>(schema: Schema<T>): SchemaNode<T> {
  if (!(schema instanceof SchemaNode)) throw new Error('not a schema of this codec')
  return schema as SchemaNode<T>
}
