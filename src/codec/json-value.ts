/** Owns JSON values as a type: their canonical text (RFC 8785 without fractions) on the wire. */
import { requireBound } from './bytes.js'
import { fail, RawFault } from './fault.js'
import { canonicalWeight } from './json-canonical.js'
import { scanJson, setOwn } from './json-scan.js'
import { type NodeSpec, SchemaNode } from './node.js'
import type { Reader } from './reader.js'
import type { Json, Schema } from './schema.js'
import { isJsonList } from './schema.js'
import { prefixedSize } from './sizes.js'
import { fast, utf8Fault, wellFormed } from './text.js'
import { misuse, shown } from './writer.js'

/** Return a copy of the value; throws a RawFault with the reason if it has no canonical text. */
function cleaned(value: unknown, depthLeft: number): Json {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') {
    if (!wellFormed(value)) fail('bad_utf8', 'a lone surrogate in a string')
    return value
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value))
      fail(
        'bad_value',
        `${value} is not an integer within 2^53 - 1: fractions have no canonical form, write them as strings`,
      )
    return value === 0 ? 0 : value
  }
  if (Array.isArray(value)) {
    if (depthLeft === 0) fail('too_deep', 'JSON is nested too deeply')
    return value.map((item) => cleaned(item, depthLeft - 1))
  }
  const prototype = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined
  if (prototype !== Object.prototype && prototype !== null)
    return fail('bad_value', `expected JSON with integers only, got ${shown(value)}`)
  if (depthLeft === 0) fail('too_deep', 'JSON is nested too deeply')
  const out: { [key: string]: Json } = {}
  for (const [key, item] of Object.entries(value as object)) {
    if (!wellFormed(key)) fail('bad_utf8', 'a lone surrogate in a field name')
    setOwn(out, key, cleaned(item, depthLeft - 1))
  }
  return out
}

/** Text of a cleaned value; JSON.stringify escapes as RFC 8785 requires. */
function textOf(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isJsonList(value)) return `[${value.map(textOf).join(',')}]`
  // RFC 8785 orders by UTF-16 units, as `<` does.
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1))
  return `{${keys.map((key) => `${JSON.stringify(key)}:${textOf(value[key]!)}`).join(',')}}`
}

/** Canonical text of a JSON value without fractions. Throws an Error for anything else. */
export function canonicalJson(value: Json, maxDepth = 32): string {
  try {
    return textOf(cleaned(value, maxDepth))
  } catch (error) {
    throw error instanceof RawFault ? new Error(`no canonical JSON: ${error.message}`) : error
  }
}

/** Texts of decoded values with the allowed nesting: values are immutable, so the text is reused for encoding. */
const decodedTexts = new WeakMap<object, { readonly text: string; readonly maxDepth: number }>()

function decodedText(value: Json, maxDepth: number): string | undefined {
  const known = typeof value === 'object' && value !== null ? decodedTexts.get(value) : undefined
  return known !== undefined && known.maxDepth <= maxDepth ? known.text : undefined
}

const canonicalText = (value: Json, maxDepth: number): string =>
  decodedText(value, maxDepth) ?? textOf(cleaned(value, maxDepth))

function cached(json: Json, text: string, maxDepth: number): Json {
  if (typeof json === 'object' && json !== null) decodedTexts.set(json, { text, maxDepth })
  return json
}

/** Throw the fault of a text that is not canonical. */
function failOver(text: string, maxDepth: number, at: number): never {
  try {
    cleaned(scanJson(text), maxDepth)
  } catch (error) {
    if (!(error instanceof RawFault)) throw error
    return fail(error.code, error.message, at)
  }
  return fail('non_canonical', 'the JSON text is not canonical (RFC 8785)', at)
}

/** True for the most common canonical texts, which need no parse: a plain ASCII string, or up to 15 digits. */
function plain(buf: Buffer, start: number, end: number): boolean {
  const first = buf[start]
  if (first === 0x22) {
    const last = end - 1
    if (last === start || buf[last] !== 0x22) return false
    for (let i = start + 1; i < last; i++) {
      const byte = buf[i]!
      if (byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c) return false
    }
    return true
  }
  if (end - start > 15 || (first === 0x30 && end - start > 1)) return false
  for (let i = start; i < end; i++) if (buf[i]! < 0x30 || buf[i]! > 0x39) return false
  return end > start
}

/**
 * JSON value: length and canonical text. Integers within 2^53 - 1, strings, booleans, null, arrays, objects; fractions
 * are rejected, because they have no unique text.
 *
 * @param maxDepth maximum nesting of arrays and objects; 0 allows scalars only
 */
export function json(maxBytes: number, maxDepth: number): Schema<Json> {
  requireBound('json: bound', maxBytes, 1)
  requireBound('json: depth', maxDepth, 0)
  /** Text that was read, checked and weighed. */
  const textAt = (r: Reader, start: number): string => {
    const bad = utf8Fault(r.buf, start, r.pos)
    if (bad >= 0) fail('bad_utf8', 'not UTF-8', bad)
    const text = fast(r.buf).utf8Slice(start, r.pos)
    const weight = canonicalWeight(text, maxDepth)
    if (weight === undefined) return failOver(text, maxDepth, start)
    r.jsonWeight += weight
    return text
  }
  const take = (r: Reader): Json => {
    const size = r.length(maxBytes)
    const start = r.take(size)
    if (plain(r.buf, start, r.pos)) {
      if (r.buf[start] === 0x22) return fast(r.buf).latin1Slice(start + 1, r.pos - 1)
      return Number(fast(r.buf).latin1Slice(start, r.pos))
    }
    const text = r.isChecked ? fast(r.buf).utf8Slice(start, r.pos) : textAt(r, start)
    // A canonical text has no repeated field, so the platform's parser returns its only value.
    return cached(JSON.parse(text) as Json, text, maxDepth)
  }
  const spec: NodeSpec<Json> = {
    minSize: 2,
    maxSize: prefixedSize(maxBytes),
    put: (w, value) => {
      const text = canonicalText(value, maxDepth)
      if (text.length > maxBytes) misuse(`at most ${maxBytes} bytes of JSON`, text)
      w.string(text, maxBytes)
    },
    take,
    skip: (r) => {
      const start = r.take(r.length(maxBytes))
      if (!plain(r.buf, start, r.pos)) textAt(r, start)
    },
    // Decoded values are clean, and immutable.
    jsonOf: (value) => (decodedText(value, maxDepth) === undefined ? cleaned(value, maxDepth) : value),
    ofJson: (value) => {
      const json = cleaned(value, maxDepth)
      if (Buffer.byteLength(textOf(json)) > maxBytes) fail('out_of_bounds', `more than ${maxBytes} bytes of JSON`)
      return json
    },
    schemaOf: () => ({}),
    body: () => `json(${maxBytes}, ${maxDepth})`,
    jsonNull: true,
  }
  return new SchemaNode(spec)
}
