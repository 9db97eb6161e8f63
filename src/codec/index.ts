/** Owns the public interface of the codec: schema combinators, canonical bytes, JSON form, frames. */
export { bounded } from './bounded.js'
export { bytes, bytesN, fromHex, hash32, hex, toHex } from './bytes.js'
export { list, omissible, option } from './containers.js'
export { withDefaults } from './defaults.js'
export { enumOf, unitEnum } from './enums.js'
export type { CodecFault, CodecFaultCode, Decoded } from './fault.js'
export { decodeFrame, encodeFrame, FRAME_HEADER_BYTES, type FrameOf, frameOf, readFrameHeader } from './frame.js'
export { bool, u8, u16, u32, u64, varint, varintBig, zigzag } from './integers.js'
export { FIELD_WEIGHT, LIST_WEIGHT, OBJECT_WEIGHT } from './json-canonical.js'
export { jsonSchemaRefs, referredName } from './json-schema.js'
export { canonicalJson, json } from './json-value.js'
export { type Lazy, lazy, lazyFromBytes, lazyOf } from './lazy.js'
export { DEFAULT_MAX_BYTES } from './limits.js'
export { map } from './map.js'
export { pascalCase, type SnakeCase, snakeCase } from './names.js'
export { decodeWith, isSchema } from './node.js'
export { formatNumeric, NUMERIC_MAX_SCALE, type Numeric, normalizeNumeric, numeric, parseNumeric } from './numeric.js'
export { open, openRegistry } from './open.js'
export { recursive, refine } from './recursive.js'
export {
  type AliasIds,
  type CodecContext,
  type Infer,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchemaObject,
  type JsonSchemaRefs,
  type OpenEntry,
  type OpenRegistry,
  type Schema,
} from './schema.js'
export { aliasedString, binaryKey, string, text } from './strings.js'
export { type Fields, type StructOf, struct, structOf } from './struct.js'
export { compareBytes, compareText } from './text.js'
export { Writer } from './writer.js'
