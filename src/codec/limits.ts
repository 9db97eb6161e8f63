/** Owns the bounds of the codec, each with its unit and its reason. */

/** Maximum bytes of one encoded value: a block with its payloads, the largest exchanged value. */
export const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

/** Maximum nesting of open and recursive values: enough for every query filter, and far below the stack limit. */
export const DEFAULT_MAX_DEPTH = 32

/** Maximum nesting of a JSON text: the JSON form has a few more levels than the binary depth. */
export const JSON_TEXT_MAX_DEPTH = 256

/** Maximum enum tag: tables are indexed by tag, so they must stay small. */
export const MAX_TAG = 4_095

/** Size of the buffer that the shared writer keeps between uses; a larger buffer is dropped after use. */
export const WRITER_KEEP_BYTES = 1024 * 1024

/** Limits of one decode. */
export interface CodecLimits {
  /** Maximum input size, in bytes. */
  readonly maxBytes?: number
  /** Maximum nesting of open and recursive values. */
  readonly maxDepth?: number
}
