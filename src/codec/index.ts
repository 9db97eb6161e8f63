/** Owns the public interface of the codec: schema combinators, canonical bytes, JSON form, frames. */
export { bounded } from './bounded.js'
export { bytes, bytesN, fromHex, hash32, hex, toHex } from './bytes.js'
export { list, omissible, option } from './containers.js'
export { withDefaults } from './defaults.js'
export { enumOf, unitEnum } from './enums.js'
export { type CodecFault, type CodecFaultCode, type Decoded, fail, RawFault } from './fault.js'
export {
  decodeFrame,
  encodeFrame,
  FRAME_HEADER_BYTES,
  type Frame,
  type FrameHeader,
  type FrameOf,
  type FrameOptions,
  frameOf,
  readFrameHeader,
} from './frame.js'
export { bool, u8, u16, u32, u64, varint, varintBig, zigzag } from './integers.js'
export { FIELD_WEIGHT, LIST_WEIGHT, OBJECT_WEIGHT } from './json-canonical.js'
export { jsonSchemaRefs, referredName } from './json-schema.js'
export { canonicalJson, json } from './json-value.js'
export { type Lazy, lazy, lazyFromBytes, lazyOf } from './lazy.js'
export { type CodecLimits, DEFAULT_MAX_BYTES, DEFAULT_MAX_DEPTH } from './limits.js'
export { map } from './map.js'
export { pascalCase, type SnakeCase, snakeCase } from './names.js'
export { decodeWith, isSchema, SCHEMA_HASH_BYTES } from './node.js'
export {
  formatNumeric,
  NUMERIC_MAX_BYTES,
  NUMERIC_MAX_SCALE,
  type Numeric,
  normalizeNumeric,
  numeric,
  parseNumeric,
} from './numeric.js'
export { type OpenValue, open, openRegistry } from './open.js'
export { Reader } from './reader.js'
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
export { type BinaryKeyOptions, binaryKey, string, text } from './strings.js'
export { type Fields, type StructOf, struct, structOf } from './struct.js'
export { compareBytes, compareText } from './text.js'
export { Writer } from './writer.js'
