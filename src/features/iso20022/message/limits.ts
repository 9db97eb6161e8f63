/** Owns the bounds of the message reader, each with its unit and its reason. */

/** Body bytes. The largest public sample has 129 KB; 20 MiB of text would hold the event loop for seconds. */
export const MAX_BODY_BYTES = 256 * 1024

/** Open elements. Real messages stay below 20; the bound keeps every recursion of the reader shallow. */
export const MAX_DEPTH = 64

/** Elements of one body. Half a million elements take the parser a second. */
export const MAX_ELEMENTS = 20_000

/** Attributes of one element. ISO elements carry one at most, wrappers a handful of namespace declarations. */
export const MAX_ATTRIBUTES = 16

/** Depth at which AppHdr and Document are still looked for (market wrappers nest four deep). */
export const MAX_ENVELOPE_DEPTH = 8

/** Faults listed for one body; past it a last entry says that the list was cut. */
export const MAX_FAULTS = 100

/** Characters of an offending value that a fault repeats. */
export const MAX_FAULT_VALUE = 64

/** Characters of a pinned ledger, account or asset name in supplementary data; ledger ids are far shorter. */
export const MAX_PIN_CHARS = 256

/** Objects in each other in a flat JSON body; the deepest path of a payment has seven steps. */
export const MAX_FLAT_DEPTH = 16

/** Lines of a flat key=value body; the largest family has fewer than a hundred fields. */
export const MAX_FLAT_LINES = 2_000
