/** Owns the bounds of the message reader, each with its unit and its reason. */

/** Bytes of a body: 1,000 payments of 2 KB each. Larger text would hold the reader thread for seconds. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Open elements. Real messages stay below 20; the bound keeps every recursion of the reader shallow. */
export const MAX_DEPTH = 64

/** Elements of one body: 1,000 payments of 64 elements each. Half a million elements take the parser a second. */
export const MAX_ELEMENTS = 64_000

/** Attributes of one element. ISO elements carry one at most, wrappers a handful of namespace declarations. */
export const MAX_ATTRIBUTES = 16

/** Depth at which AppHdr and Document are still looked for (market wrappers nest four deep). */
export const MAX_ENVELOPE_DEPTH = 8

/** Maximum faults listed for one body; a last entry reports that the list was cut. */
export const MAX_FAULTS = 100

/** Characters of an offending value that a fault repeats. */
export const MAX_FAULT_VALUE = 64

/** Characters of a pinned ledger, account or asset name in supplementary data; ledger ids are far shorter. */
export const MAX_PIN_CHARS = 256

/** Objects in each other in a flat JSON body; the deepest path of a payment has seven steps. */
export const MAX_FLAT_DEPTH = 16

/**
 * Characters of a key of a flat JSON body, including the keys of enclosing objects; the longest path of a payment has
 * some 150.
 */
export const MAX_FLAT_KEY_CHARS = 512

/** Lines of a flat key=value body: 1,000 payments of 20 fields each. */
export const MAX_FLAT_LINES = 20_000
