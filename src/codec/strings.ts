/** Owns texts: plain strings, validated texts, and byte keys that have a text form. */
import { definedFields } from '../base/defined-fields.js'
import { requireBound } from './bytes.js'
import { fail } from './fault.js'
import { component } from './json-schema.js'
import { KnownTexts } from './known-texts.js'
import { type NodeSpec, SchemaNode } from './node.js'
import type { CodecContext, Json, Schema } from './schema.js'
import { prefixedSize } from './sizes.js'
import { fast, wellFormed } from './text.js'
import { misuse, shown } from './writer.js'

function textOfJson(json: Json, maxBytes: number): string {
  if (typeof json !== 'string') return fail('bad_value', `expected a string, got ${shown(json)}`)
  if (!wellFormed(json)) fail('bad_utf8', 'a lone surrogate in a string')
  if (json.length > maxBytes || Buffer.byteLength(json) > maxBytes)
    fail('out_of_bounds', `more than ${maxBytes} bytes of UTF-8`)
  return json
}

function stringSpec(maxBytes: number): NodeSpec<string> {
  requireBound('string: bound', maxBytes, 0)
  return {
    minSize: 1,
    maxSize: prefixedSize(maxBytes),
    put: (w, value) => w.string(value, maxBytes),
    take: (r) => r.string(maxBytes),
    skip: (r) => r.skipString(maxBytes),
    jsonOf: (value) => value,
    ofJson: (json) => textOfJson(json, maxBytes),
    schemaOf: () => ({ type: 'string', maxLength: maxBytes }),
    body: () => `string(${maxBytes})`,
    jsonString: true,
    emit: {
      put: (value) => `w.string(${value},${maxBytes});`,
      take: () => `r.string(${maxBytes})`,
      skip: () => `r.skipString(${maxBytes});`,
    },
  }
}

/** UTF-8 text of at most `maxBytes` bytes; any well-formed string, a leading byte order mark included. */
export const string = (maxBytes: number): Schema<string> => new SchemaNode(stringSpec(maxBytes))

/**
 * The same bytes and description as `string`, for a text whose JSON may contain aliases.
 *
 * @param name name of the text for the resolver of aliases, and in the JSON Schema
 */
export function aliasedString(name: string, maxBytes: number): Schema<string> {
  const plain = stringSpec(maxBytes)
  return new SchemaNode({
    ...plain,
    ofJson: (json, { ctx }) => {
      const value = textOfJson(json, maxBytes)
      return ctx?.aliases?.(name, value) ?? value
    },
    schemaOf: (refs) => component(refs, name, () => ({ type: 'string', maxLength: maxBytes })),
  })
}

/**
 * Named text with a rule.
 *
 * @param validate reason why a text is rejected (fault `bad_value`), or undefined if it is valid; must be pure
 * @param pattern regular expression for the JSON Schema
 */
export function text(
  name: string,
  maxBytes: number,
  validate: (text: string) => string | undefined,
  pattern?: string,
): Schema<string> {
  requireBound(`${name}: bound`, maxBytes, 0)
  const known = new KnownTexts()
  const take: NodeSpec<string>['take'] = (r) => {
    const at = r.pos
    const size = r.length(maxBytes)
    const start = r.pos
    const seen = known.find(r.buf, start, start + size)
    if (seen !== undefined) {
      r.pos = start + size
      return seen
    }
    r.pos = at
    const value = r.string(maxBytes)
    const reason = validate(value)
    if (reason !== undefined) fail('bad_value', reason, at)
    if (value.length === size) {
      known.keep(value)
      known.note(value)
    }
    return value
  }
  const spec: NodeSpec<string> = {
    name,
    minSize: 1,
    maxSize: prefixedSize(maxBytes),
    put: (w, value) => {
      if (typeof value === 'string' && !known.has(value)) {
        const reason = validate(value)
        if (reason !== undefined) misuse(`${name} (${reason})`, value)
        known.note(value)
      }
      w.string(value, maxBytes)
    },
    take,
    skip: (r) => void take(r),
    jsonOf: (value) => value,
    ofJson: (json, { ctx }) => {
      const value = textOfJson(json, maxBytes)
      const reason = validate(value)
      if (reason === undefined) return value
      return ctx?.aliases?.(name, value) ?? fail('bad_value', reason)
    },
    schemaOf: (refs) => component(refs, name, () => definedFields({ type: 'string', maxLength: maxBytes, pattern })),
    body: () => `text(${maxBytes})`,
    jsonString: true,
  }
  return new SchemaNode(spec)
}

/** Display and validation of a byte key. */
export interface BinaryKeyOptions {
  readonly name: string
  /** Exact length of every key, in bytes; the wire form then has no length. */
  readonly exactBytes?: number
  /** Reason to reject bytes (fault `bad_value`), or undefined if they are valid; must be pure. */
  readonly validate?: (value: string) => string | undefined
  /** JSON text of the key. */
  readonly toText: (value: string, ctx: CodecContext | undefined) => string
  /** Key of a JSON text, or undefined if invalid. */
  readonly fromText: (text: string, ctx: CodecContext | undefined) => string | undefined
  /** Regular expression of the JSON text, for the JSON Schema. */
  readonly pattern?: string
}

/**
 * Bytes that serve as a key: a latin1 string in memory, one character per byte, so that it can be a Map key; length and
 * bytes on the wire; a separate text form in JSON.
 */
export function binaryKey(maxBytes: number, options: BinaryKeyOptions): Schema<string> {
  const { name, exactBytes, validate, toText, fromText, pattern } = options
  requireBound(`${name}: bound`, maxBytes, 1)
  if (exactBytes !== undefined) requireBound(`${name}: size`, exactBytes, 1)
  const reasonOf = (value: string): string | undefined => {
    if (exactBytes !== undefined && value.length !== exactBytes)
      return `expected ${exactBytes} bytes, got ${value.length}`
    if (value.length > maxBytes) return `at most ${maxBytes} bytes`
    return validate?.(value)
  }
  const known = new KnownTexts()
  const take: NodeSpec<string>['take'] = (r) => {
    const at = r.pos
    const size = exactBytes ?? r.length(maxBytes)
    const start = r.take(size)
    const seen = known.find(r.buf, start, r.pos)
    if (seen !== undefined) return seen
    const value = fast(r.buf).latin1Slice(start, r.pos)
    const reason = validate?.(value)
    if (reason !== undefined) fail('bad_value', reason, at)
    known.keep(value)
    return value
  }
  const skip: NodeSpec<string>['skip'] =
    validate === undefined ? (r) => r.skip(exactBytes ?? r.length(maxBytes)) : (r) => void take(r)
  const spec: NodeSpec<string> = {
    name,
    minSize: exactBytes ?? 1,
    maxSize: exactBytes ?? prefixedSize(maxBytes),
    put: (w, value) => {
      if (typeof value !== 'string') misuse(`${name} as a latin1 string`, value)
      const reason = known.has(value) ? undefined : reasonOf(value)
      if (reason !== undefined) misuse(`${name} (${reason})`, value)
      if (exactBytes === undefined) w.varint(value.length)
      w.latin1(value)
    },
    take,
    skip,
    jsonOf: (value, state) => toText(value, state.ctx),
    ofJson: (json, state) => {
      const value =
        typeof json === 'string' ? (fromText(json, state.ctx) ?? state.ctx?.aliases?.(name, json)) : undefined
      if (value === undefined) return fail('bad_value', `not a valid ${name}: ${shown(json)}`)
      const reason = reasonOf(value)
      if (reason !== undefined) fail('bad_value', reason)
      return value
    },
    schemaOf: (refs) => component(refs, name, () => definedFields({ type: 'string', pattern })),
    body: () => (exactBytes === undefined ? `key(${maxBytes})` : `keyN(${exactBytes})`),
    jsonString: true,
  }
  return new SchemaNode(spec)
}
