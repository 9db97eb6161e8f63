/** Owns the bounds of the codec, each with its unit and its reason. */

/** Maximum bytes of one encoded value: a block with its payloads, the largest exchanged value. */
export const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

/** Open and recursive values inside one another: enough for every query filter, far from the end of the stack. */
export const DEFAULT_MAX_DEPTH = 32

/** Maximum nesting of a JSON text: the JSON form has a few more levels than the binary depth. */
export const JSON_TEXT_MAX_DEPTH = 256

/** Enum tags: tables are indexed by tag, so they are kept small. */
export const MAX_TAG = 4_095

/** Bytes that the shared writer keeps between uses; a larger buffer is dropped after the value that needed it. */
export const WRITER_KEEP_BYTES = 1024 * 1024

/** Limits of one decode. */
export interface CodecLimits {
  /** Refuse longer input, in bytes. */
  readonly maxBytes?: number
  /** Refuse deeper nesting of open and recursive values. */
  readonly maxDepth?: number
}
