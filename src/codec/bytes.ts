/** Owns byte strings of fixed and variable length. */
import { fail } from './fault.js'
import { type NodeSpec, SchemaNode } from './node.js'
import type { Json, JsonSchemaObject, Schema } from './schema.js'
import { prefixedSize } from './sizes.js'
import { fast, viewOf } from './text.js'
import { shown } from './writer.js'

const HEX = /^(?:[0-9a-f]{2})*$/
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Lower-case hex of bytes. */
export const toHex = (bytes: Uint8Array): string => fast(viewOf(bytes)).hexSlice(0, bytes.length)

/** Bytes of lower-case hex, or undefined. */
export const fromHex = (text: string): Buffer | undefined => (HEX.test(text) ? Buffer.from(text, 'hex') : undefined)

function hexOfJson(json: Json): Buffer {
  const bytes = typeof json === 'string' ? fromHex(json) : undefined
  return bytes ?? fail('bad_value', `expected lower-case hex, got ${shown(json)}`)
}

function base64OfJson(json: Json): Buffer {
  if (typeof json === 'string' && BASE64.test(json)) {
    const bytes = Buffer.from(json, 'base64')
    // Node also accepts unpadded text and stray bits; only one text per value is valid.
    if (bytes.toString('base64') === json) return bytes
  }
  return fail('bad_value', `expected padded base64, got ${shown(json)}`)
}

export function requireBound(what: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`${what} must be an integer from ${least}, got ${value}`)
}

function variable(keyword: 'bytes' | 'hex', maxBytes: number): Schema<Uint8Array> {
  requireBound(`${keyword}: bound`, maxBytes, 0)
  const decode = keyword === 'hex' ? hexOfJson : base64OfJson
  const spec: NodeSpec<Uint8Array> = {
    minSize: 1,
    maxSize: prefixedSize(maxBytes),
    put: (w, value) => w.bytes(value, maxBytes),
    take: (r) => r.bytes(maxBytes),
    skip: (r) => r.skipBytes(maxBytes),
    jsonOf: keyword === 'hex' ? toHex : (value) => viewOf(value).toString('base64'),
    ofJson: (json) => {
      const bytes = decode(json)
      if (bytes.length > maxBytes) fail('out_of_bounds', `${bytes.length} bytes exceed the limit of ${maxBytes}`)
      return bytes
    },
    schemaOf: (): JsonSchemaObject =>
      keyword === 'hex'
        ? { type: 'string', pattern: '^([0-9a-f]{2})*$', maxLength: 2 * maxBytes }
        : { type: 'string', contentEncoding: 'base64', maxLength: 4 * Math.ceil(maxBytes / 3) },
    body: () => `${keyword}(${maxBytes})`,
    jsonString: true,
    emit: {
      put: (value) => `w.bytes(${value},${maxBytes});`,
      take: () => `r.bytes(${maxBytes})`,
      skip: () => `r.skipBytes(${maxBytes});`,
    },
  }
  return new SchemaNode(spec)
}

/** Length and bytes, at most `maxBytes`; base64 in JSON. Decodes as a Buffer view into the input. */
export const bytes = (maxBytes: number): Schema<Uint8Array> => variable('bytes', maxBytes)

/** Length and bytes, at most `maxBytes`; lower-case hex in JSON. Decodes as a Buffer view into the input. */
export const hex = (maxBytes: number): Schema<Uint8Array> => variable('hex', maxBytes)

/** Exactly `size` bytes without a length; lower-case hex in JSON. Decodes as a Buffer view into the input. */
export function bytesN(size: number): Schema<Uint8Array> {
  requireBound('bytesN: size', size, 1)
  const spec: NodeSpec<Uint8Array> = {
    minSize: size,
    maxSize: size,
    put: (w, value) => w.bytesN(value, size),
    take: (r) => r.bytesN(size),
    skip: (r) => r.skip(size),
    jsonOf: toHex,
    ofJson: (json) => {
      const bytes = hexOfJson(json)
      if (bytes.length !== size) fail('out_of_bounds', `expected ${size} bytes, got ${bytes.length}`)
      return bytes
    },
    schemaOf: () => ({ type: 'string', pattern: `^[0-9a-f]{${2 * size}}$` }),
    body: () => `bytesN(${size})`,
    jsonString: true,
    emit: {
      put: (value) => `w.bytesN(${value},${size});`,
      take: () => `r.bytesN(${size})`,
      skip: () => '',
      fixed: size,
    },
  }
  return new SchemaNode(spec)
}

/** Hash of 32 bytes. */
export const hash32: Schema<Uint8Array> = bytesN(32)
