/**
 * Owns the opcodes of profile 1: integer WebAssembly, with their signatures and gas. Opcode numbers are the numbers of
 * the standard.
 */

/** Value types by their binary codes. */
export const I32 = 0x7f
export const I64 = 0x7e
export type ValueType = typeof I32 | typeof I64

/** An opcode that only pops and pushes. */
export interface Opcode {
  readonly code: number
  readonly name: string
  readonly params: readonly ValueType[]
  readonly result: ValueType | undefined
  /** Gas of one execution. */
  readonly gas: number
}

/** Load or store: its signature, and the accessed bytes. */
export interface MemoryOpcode extends Opcode {
  readonly bytes: 1 | 2 | 4 | 8
}

const GAS_MUL = 2
const GAS_DIVIDE_32 = 4
const GAS_DIVIDE_64 = 12
const GAS_MEMORY = 2

const COMPARE = ['eq', 'ne', 'lt_s', 'lt_u', 'gt_s', 'gt_u', 'le_s', 'le_u', 'ge_s', 'ge_u']
const UNARY = ['clz', 'ctz', 'popcnt']
const DIVIDE = ['div_s', 'div_u', 'rem_s', 'rem_u']
const BITWISE = ['and', 'or', 'xor', 'shl', 'shr_s', 'shr_u', 'rotl', 'rotr']

/** Consecutive opcodes, starting with `first`. */
const row = (
  first: number,
  names: readonly string[],
  params: readonly ValueType[],
  result: ValueType,
  gas: number,
): Opcode[] => names.map((name, index) => ({ code: first + index, name, params, result, gas }))

function integers(type: ValueType, prefix: string, at: { compare: number; arithmetic: number }): Opcode[] {
  const named = (names: readonly string[]): string[] => names.map((name) => `${prefix}.${name}`)
  const two = [type, type]
  const divide = type === I32 ? GAS_DIVIDE_32 : GAS_DIVIDE_64
  return [
    ...row(at.compare, named(['eqz']), [type], I32, 1),
    ...row(at.compare + 1, named(COMPARE), two, I32, 1),
    ...row(at.arithmetic, named(UNARY), [type], type, 1),
    ...row(at.arithmetic + 3, named(['add', 'sub']), two, type, 1),
    ...row(at.arithmetic + 5, named(['mul']), two, type, GAS_MUL),
    ...row(at.arithmetic + 6, named(DIVIDE), two, type, divide),
    ...row(at.arithmetic + 10, named(BITWISE), two, type, 1),
  ]
}

/** Opcodes without immediates, by code. */
export const NUMERIC: ReadonlyMap<number, Opcode> = new Map(
  [
    ...integers(I32, 'i32', { compare: 0x45, arithmetic: 0x67 }),
    ...integers(I64, 'i64', { compare: 0x50, arithmetic: 0x79 }),
    ...row(0xa7, ['i32.wrap_i64'], [I64], I32, 1),
    ...row(0xac, ['i64.extend_i32_s', 'i64.extend_i32_u'], [I32], I64, 1),
    ...row(0xc0, ['i32.extend8_s', 'i32.extend16_s'], [I32], I32, 1),
    ...row(0xc2, ['i64.extend8_s', 'i64.extend16_s', 'i64.extend32_s'], [I64], I64, 1),
  ].map((op) => [op.code, op]),
)

const load = (code: number, name: string, result: ValueType, bytes: MemoryOpcode['bytes']): MemoryOpcode => ({
  code,
  name,
  params: [I32],
  result,
  gas: GAS_MEMORY,
  bytes,
})
const store = (code: number, name: string, value: ValueType, bytes: MemoryOpcode['bytes']): MemoryOpcode => ({
  code,
  name,
  params: [I32, value],
  result: undefined,
  gas: GAS_MEMORY,
  bytes,
})

/** Loads and stores, by code. */
export const MEMORY: ReadonlyMap<number, MemoryOpcode> = new Map(
  [
    load(0x28, 'i32.load', I32, 4),
    load(0x29, 'i64.load', I64, 8),
    load(0x2c, 'i32.load8_s', I32, 1),
    load(0x2d, 'i32.load8_u', I32, 1),
    load(0x2e, 'i32.load16_s', I32, 2),
    load(0x2f, 'i32.load16_u', I32, 2),
    load(0x30, 'i64.load8_s', I64, 1),
    load(0x31, 'i64.load8_u', I64, 1),
    load(0x32, 'i64.load16_s', I64, 2),
    load(0x33, 'i64.load16_u', I64, 2),
    load(0x34, 'i64.load32_s', I64, 4),
    load(0x35, 'i64.load32_u', I64, 4),
    store(0x36, 'i32.store', I32, 4),
    store(0x37, 'i64.store', I64, 8),
    store(0x3a, 'i32.store8', I32, 1),
    store(0x3b, 'i32.store16', I32, 2),
    store(0x3c, 'i64.store8', I64, 1),
    store(0x3d, 'i64.store16', I64, 2),
    store(0x3e, 'i64.store32', I64, 4),
  ].map((op) => [op.code, op]),
)

/** Opcodes with special validation or compilation, with their gas. */
export const CONTROL_GAS = {
  unreachable: 1,
  nop: 0,
  block: 0,
  loop: 0,
  if: 2,
  else: 0,
  end: 0,
  br: 1,
  br_if: 2,
  br_table: 3,
  return: 1,
  call: 8,
  call_indirect: 12,
  drop: 1,
  select: 2,
  'local.get': 1,
  'local.set': 1,
  'local.tee': 1,
  'global.get': 1,
  'global.set': 1,
  'memory.size': 1,
  'memory.grow': 20,
  'i32.const': 1,
  'i64.const': 1,
  'memory.copy': 20,
  'memory.fill': 20,
} as const

/** Names of the opcodes of `CONTROL_GAS`, by code; opcodes with the prefix 0xfc start at 0xfc00. */
const CONTROL_NAMES: ReadonlyMap<number, keyof typeof CONTROL_GAS> = new Map([
  [0x00, 'unreachable'],
  [0x01, 'nop'],
  [0x02, 'block'],
  [0x03, 'loop'],
  [0x04, 'if'],
  [0x05, 'else'],
  [0x0b, 'end'],
  [0x0c, 'br'],
  [0x0d, 'br_if'],
  [0x0e, 'br_table'],
  [0x0f, 'return'],
  [0x10, 'call'],
  [0x11, 'call_indirect'],
  [0x1a, 'drop'],
  [0x1b, 'select'],
  [0x20, 'local.get'],
  [0x21, 'local.set'],
  [0x22, 'local.tee'],
  [0x23, 'global.get'],
  [0x24, 'global.set'],
  [0x3f, 'memory.size'],
  [0x40, 'memory.grow'],
  [0x41, 'i32.const'],
  [0x42, 'i64.const'],
  [0xfc0a, 'memory.copy'],
  [0xfc0b, 'memory.fill'],
])

/** Gas besides the gas of opcodes. */
export const GAS = {
  /** Locals per unit of gas, at the entry of a function. */
  localsPerUnit: 16,
  /** Gas at the first entry of a function in a call, and for each byte of its body, which is lowered then. */
  lowered: 20,
  perLoweredByte: 2,
  /** Bytes per unit of gas for `memory.copy` and `memory.fill`. */
  bulkBytesPerUnit: 8,
  /** Gas for each page by which a memory grows, and for each initial page of a call. */
  page: 300,
  /**
   * Gas for loading a module: base, bytes per unit, and for each of its types, functions, exports and data segments,
   * cached or not.
   */
  load: 500,
  loadBytesPerUnit: 8,
  loadedItem: 2,
} as const

/** Name of an opcode of the profile; undefined for any other opcode. */
export const opcodeName = (code: number): string | undefined =>
  NUMERIC.get(code)?.name ?? MEMORY.get(code)?.name ?? CONTROL_NAMES.get(code)

/** Every opcode with its gas, as covered by the hash of the ABI. */
export function opcodeLines(): string[] {
  const plain = [...NUMERIC.values(), ...MEMORY.values()].map(({ code, name, gas }) => [code, name, gas] as const)
  const control = [...CONTROL_NAMES].map(([code, name]) => [code, name, CONTROL_GAS[name]] as const)
  return [...plain, ...control]
    .sort(([a], [b]) => a - b)
    .map(([code, name, gas]) => `opcode ${code.toString(16)} ${name} ${gas}`)
}
