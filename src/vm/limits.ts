/** Owns the bounds of contract modules and of their runs; they are rules of the ABI, never settings of a node. */

/** Maximum module, in bytes: four bodies of the largest size, or a program of thousands of lines. */
export const MODULE_MAX_BYTES = 64 * 1024
/** Maximum function body, in bytes, which is compiled at its first call. */
export const BODY_MAX_BYTES = 16 * 1024
/** Maximum functions of a module, including imported ones. */
export const FUNCTIONS_MAX = 2_000
/** Maximum types, exports and segments of a module: reading them costs time at each load, regardless of their bytes. */
export const TYPES_MAX = 512
export const EXPORTS_MAX = 256
export const SEGMENTS_MAX = 1_024
/** Maximum imported functions: each host function several times. */
export const IMPORTS_MAX = 64
/** Maximum parameters of a function. */
export const PARAMS_MAX = 16
/** Maximum locals of a function, including parameters. */
export const LOCALS_MAX = 256
/** Maximum values on the operand stack of a function. */
export const OPERANDS_MAX = 512
/** Maximum nesting of blocks, including the body. */
export const NESTING_MAX = 64
/** Maximum targets of a `br_table` besides the default target. */
export const BR_TABLE_MAX = 512
/** Maximum elements of the table. */
export const TABLE_MAX = 1_024
export const GLOBALS_MAX = 256
/** Maximum memory, in pages of 64 KiB. */
export const PAGES_MAX = 16
export const PAGE_BYTES = 64 * 1024
/** Maximum stack units of a call, including nested calls: a frame has 4 units, its locals and its operands. */
export const STACK_UNITS_MAX = 16_384
export const FRAME_UNITS = 4
/** Longest name of an export, in bytes. */
export const NAME_MAX_BYTES = 64

/** Every bound by its name, as covered by the hash of the ABI. */
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
