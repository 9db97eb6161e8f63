/** Owns the limits of the message reader, each with its unit and reason. */

/**
 * Maximum size of a body, in bytes: 1,000 payments of 2 KB each. Larger text would occupy the reader thread for
 * seconds.
 */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Maximum depth of elements. Real messages are below 20; the limit keeps every recursion of the reader shallow. */
export const MAX_DEPTH = 64

/**
 * Maximum number of elements in a body: 1,000 payments of 64 elements each. The parser takes a second for half a
 * million.
 */
export const MAX_ELEMENTS = 64_000

/** Maximum number of attributes of an element. ISO elements have at most one, wrappers a few namespace declarations. */
export const MAX_ATTRIBUTES = 16

/** Maximum depth of AppHdr and Document in wrappers (market wrappers nest four deep). */
export const MAX_ENVELOPE_DEPTH = 8

/** Maximum faults listed for one body; a last entry reports that the list was truncated. */
export const MAX_FAULTS = 100

/** Maximum characters of a faulty value in a fault. */
export const MAX_FAULT_VALUE = 64

/** Maximum characters of a pinned ledger, account or asset name in supplementary data; ledger ids are far shorter. */
export const MAX_PIN_CHARS = 256

/** Maximum depth of objects in a flat JSON body; the deepest path of a payment has seven steps. */
export const MAX_FLAT_DEPTH = 16

/**
 * Maximum characters of a key of a flat JSON body, including the keys of enclosing objects; the longest path of a
 * payment has some 150.
 */
export const MAX_FLAT_KEY_CHARS = 512

/** Maximum number of lines of a flat key=value body: 1,000 payments of 20 fields each. */
export const MAX_FLAT_LINES = 20_000
