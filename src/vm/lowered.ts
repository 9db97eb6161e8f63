/**
 * Owns the internal form of a function: 32-bit words for a register machine. Each local and each operand stack position
 * is a slot of its frame, so the slots of operands are known in advance. Numeric opcodes keep the numbers of the
 * standard: [opcode, destination, operand, ...]. The opcodes below are specific to this form.
 */

export const OP = {
  /** [] */
  unreachable: 0x00,
  /** [gas]: charges the segment that begins here. */
  gas: 0x01,
  /** [target] */
  jump: 0x02,
  /** [slot, target] */
  jumpIf: 0x03,
  /** [slot, target] */
  jumpUnless: 0x04,
  /** [slot]: returns the value of the slot. */
  returnValue: 0x05,
  /** [destination, source] */
  move: 0x06,
  /** [slot, count, targets..., default target] */
  jumpTable: 0x0e,
  /** [] */
  return: 0x0f,
  /** [function, first argument] */
  call: 0x10,
  /** [type, slot, first argument] */
  callIndirect: 0x11,
  /** [index in HOST_FUNCTIONS, first argument, 1 with a result] */
  callHost: 0x12,
  /** [destination, first, second, condition] */
  select: 0x1b,
  /** [destination, global] */
  globalGet: 0x23,
  /** [global, source] */
  globalSet: 0x24,
  /** [destination] */
  memorySize: 0x3f,
  /** [destination, pages] */
  memoryGrow: 0x40,
  /** []: enters the called function; does not occur in bodies. */
  enter: 0x09,
  /** [destination, low half] */
  const32: 0x41,
  /** [destination, low half, high half] */
  const64: 0x42,
  /** [to, from, length] */
  memoryCopy: 0x07,
  /** [to, byte, length] */
  memoryFill: 0x08,
} as const

/** Opcode of i32 with a constant as its second operand: [destination, operand, constant]. */
export const IMMEDIATE: ReadonlyMap<number, number> = new Map(
  // eq ... ge_u, add, sub, mul, and ... shr_u
  [
    0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76,
  ].map((opcode, index) => [opcode, 0xc8 + index]),
)

/** Function in its internal form. */
export interface Lowered {
  readonly code: Int32Array
  /** Parameters are the first locals; a call sets the others to zero. */
  readonly params: number
  readonly locals: number
  /** Slots of a frame: its locals and the maximum of its operands. */
  readonly slots: number
}
