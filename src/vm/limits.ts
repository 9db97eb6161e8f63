/** Owns the bounds of contract modules and of their runs: rules of the ABI, never settings of a node. */

/** Largest module, in bytes: four bodies of the largest size, and a program of thousands of lines. */
export const MODULE_MAX_BYTES = 64 * 1024
/** Maximum function body, in bytes, which is compiled at its first call. */
export const BODY_MAX_BYTES = 16 * 1024
/** Functions of a module, imported ones included. */
export const FUNCTIONS_MAX = 2_000
/** Maximum types, exports and segments of a module: reading them costs time at each load, regardless of their bytes. */
export const TYPES_MAX = 512
export const EXPORTS_MAX = 256
export const SEGMENTS_MAX = 1_024
/** Imported functions: each of the host a few times over. */
export const IMPORTS_MAX = 64
/** Parameters of a function. */
export const PARAMS_MAX = 16
/** Locals of a function, parameters included. */
export const LOCALS_MAX = 256
/** Values on the operand stack of a function. */
export const OPERANDS_MAX = 512
/** Blocks inside each other, the body included. */
export const NESTING_MAX = 64
/** Targets of a `br_table` beside the default one. */
export const BR_TABLE_MAX = 512
/** Elements of the table. */
export const TABLE_MAX = 1_024
export const GLOBALS_MAX = 256
/** Memory, in pages of 64 KiB. */
export const PAGES_MAX = 16
export const PAGE_BYTES = 64 * 1024
/** Stack units of a call with all that it calls: a frame has 4, its locals and its operands. */
export const STACK_UNITS_MAX = 16_384
export const FRAME_UNITS = 4
/** Longest name of an export, in bytes. */
export const NAME_MAX_BYTES = 64

/** Every bound by its name, as the hash of the ABI covers it. */
export const MODULE_LIMITS: Readonly<Record<string, number>> = {
  module: MODULE_MAX_BYTES,
  body: BODY_MAX_BYTES,
  functions: FUNCTIONS_MAX,
  types: TYPES_MAX,
  exports: EXPORTS_MAX,
  segments: SEGMENTS_MAX,
  imports: IMPORTS_MAX,
  params: PARAMS_MAX,
  locals: LOCALS_MAX,
  operands: OPERANDS_MAX,
  nesting: NESTING_MAX,
  br_table: BR_TABLE_MAX,
  table: TABLE_MAX,
  globals: GLOBALS_MAX,
  pages: PAGES_MAX,
  stack_units: STACK_UNITS_MAX,
  frame_units: FRAME_UNITS,
  name: NAME_MAX_BYTES,
}
