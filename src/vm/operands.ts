/**
 * Owns the operands of a body during compilation: their types, their slots, and the emitted words. An operand stays in
 * a local or a constant until it is needed in its own slot.
 */
import { BinaryReader } from './binary.js'
import { NESTING_MAX, OPERANDS_MAX } from './limits.js'
import { OP } from './lowered.js'
import type { FunctionDef, ModuleDef } from './module.js'
import { I32, type ValueType } from './opcodes.js'

/** Type of an operand in unreachable code. */
export const ANY = 0
export type OperandType = ValueType | typeof ANY

/** Location of an operand without a slot: a constant. */
export const CONSTANT = -1

/** Marker for no word, at the end of a chain of words. */
export const NOWHERE = -1

/** A block, loop, branch of an `if`, or the body itself. */
export interface Control {
  readonly opcode: number
  readonly result: ValueType | undefined
  /** Number of operands below it. */
  readonly height: number
  /** True if the block is reachable. */
  readonly isLive: boolean
  /** True if its code became unreachable before its end: by a branch, a return, or `unreachable`. */
  isUnreachable: boolean
  /** Target of a branch to a loop. */
  readonly start: number
  /** Last word to be patched with its end; until then each such word holds the previous one. NOWHERE for none. */
  toEnd: number
  /** Word with the target of the `else` branch of an `if`. */
  readonly toElse: number | undefined
}

/** Called for each emitted instruction, for source maps. */
export type Emitted = (word: number, offset: number, opcode: number) => void

/**
 * Operands and words of the body being lowered, shared because only one body is lowered at a time. Allocating them for
 * each function would cost more than running a function of a few bytes.
 */
const TYPES = new Uint8Array(OPERANDS_MAX)
const PLACES = new Int32Array(OPERANDS_MAX)
const LOS = new Int32Array(OPERANDS_MAX)
const HIS = new Int32Array(OPERANDS_MAX)
let words = new Int32Array(64 * 1024)
/** Words of the longest instruction except a jump table. */
const INSTRUCTION_WORDS = 5

/** Common state of the validation and compilation of a body. */
export class Operands {
  protected readonly reader: BinaryReader
  protected readonly locals: ValueType[]
  /** Words so far, and their number. */
  protected code = words
  protected length = 0
  protected readonly controls: Control[] = []
  /** Types of the operands, and the location of each: a slot, or CONSTANT with its halves. */
  protected readonly types = TYPES
  protected readonly places = PLACES
  protected readonly los = LOS
  protected readonly his = HIS
  /** Number of operands. */
  protected height = 0
  /** True if the code is reachable: copied from the innermost block, because every opcode reads it. */
  protected isReached = false
  /** Operands below this index are in their own slots. */
  protected settled = 0
  protected highest = 0
  /** Word that holds the gas of the segment. */
  protected gasAt = -1
  /** Word with the destination of the last instruction, as long as no other instruction follows. */
  protected destinationAt = -1
  /** Offset of the current opcode. */
  protected offset = 0
  protected opcode = 0

  constructor(
    protected readonly module: ModuleDef,
    protected readonly def: FunctionDef,
    protected readonly emitted: Emitted | undefined,
  ) {
    this.reader = new BinaryReader(module.bytes, def.start, def.end)
    this.locals = [...def.type.params]
  }

  protected fault(message: string): never {
    return this.reader.fault(message, this.offset)
  }

  protected get control(): Control {
    return this.controls[this.controls.length - 1] as Control
  }

  protected enter(
    opcode: number,
    result: ValueType | undefined,
    isLive: boolean,
    start = -1,
    toElse: number | undefined = undefined,
  ): void {
    if (this.controls.length >= NESTING_MAX) this.fault(`more than ${NESTING_MAX} nested blocks`)
    const { height } = this
    this.controls.push({ opcode, result, height, isLive, isUnreachable: false, start, toEnd: NOWHERE, toElse })
    this.isReached = isLive
  }

  /** Leave the innermost block. */
  protected leave(): void {
    this.controls.pop()
    const around = this.controls.at(-1)
    this.isReached = around?.isLive === true && !around.isUnreachable
  }

  /** Mark the following code as unreachable. */
  protected endPath(): void {
    const { control } = this
    control.isUnreachable = true
    this.isReached = false
    this.height = control.height
    this.settled = Math.min(this.settled, control.height)
  }

  // The stack of operands.

  protected home(index: number): number {
    return this.locals.length + index
  }

  protected push(type: OperandType, place = this.home(this.height)): void {
    const index = this.height
    if (index >= OPERANDS_MAX) this.fault(`more than ${OPERANDS_MAX} operands`)
    this.types[index] = type
    this.places[index] = place
    this.height = index + 1
    if (index >= this.highest) this.highest = index + 1
  }

  protected pushConstant(type: ValueType, lo: number, hi = lo >> 31): void {
    const index = this.height
    this.push(type, CONSTANT)
    this.los[index] = lo
    this.his[index] = hi
  }

  /** Push the result of an instruction without operands. */
  protected pushResult(type: ValueType, opcode: number, operand?: number): void {
    if (this.isReached) this.emitTo(opcode, this.home(this.height), operand)
    this.push(type)
  }

  protected popAny(): OperandType {
    const { height, isUnreachable } = this.control
    if (this.height === height) return isUnreachable ? ANY : this.fault('an operand is missing')
    this.height -= 1
    if (this.settled > this.height) this.settled = this.height
    return this.types[this.height] as OperandType
  }

  protected pop(expected: ValueType): void {
    const found = this.popAny()
    if (found !== expected && found !== ANY) {
      this.fault(
        `expected ${expected === I32 ? 'an i32' : 'an i64'} operand, got ${found === I32 ? 'an i32' : 'an i64'}`,
      )
    }
  }

  /** Check the type of the topmost operand, without popping it. */
  protected expectTop(type: ValueType | undefined): void {
    if (type === undefined) return
    const { settled } = this
    const index = this.height - 1
    const place = this.places[index]
    this.pop(type)
    this.push(type, this.isReached ? place : undefined)
    this.settled = settled
  }

  /** Slot of an operand; a constant is moved to its own slot first. */
  protected slotOf(index: number): number {
    if (this.places[index] === CONSTANT) this.bringHome(index)
    return this.places[index] as number
  }

  /** Move an operand to its own slot. */
  protected bringHome(index: number): void {
    const home = this.home(index)
    this.copyTo(home, index)
    this.places[index] = home
  }

  /** Move every operand to its own slot, where all paths to a merge point expect it. */
  protected settle(): void {
    for (let index = this.settled; index < this.height; index += 1) this.bringHome(index)
    this.settled = this.height
  }

  /** Copy an operand to a slot. */
  protected copyTo(slot: number, index: number): void {
    const place = this.places[index] as number
    if (place === slot) return
    if (place !== CONSTANT) return this.emit(OP.move, slot, place)
    const lo = this.los[index] as number
    const hi = this.his[index] as number
    if (hi === lo >> 31) this.emit(OP.const32, slot, lo)
    else this.emit(OP.const64, slot, lo, hi)
  }

  // The internal form.

  /** Ensure space for this many further words. */
  protected makeRoom(count: number): void {
    if (this.length + count <= this.code.length) return
    words = new Int32Array(2 * (this.length + count))
    words.set(this.code)
    this.code = words
  }

  /**
   * Add an instruction. Its words are separate parameters, since a rest parameter would allocate an array for each
   * instruction.
   */
  protected emit(opcode: number, a?: number, b?: number, c?: number, d?: number): void {
    this.emitted?.(this.length, this.offset, this.opcode)
    this.makeRoom(INSTRUCTION_WORDS)
    const { code } = this
    let at = this.length
    code[at++] = opcode
    if (a !== undefined) code[at++] = a
    if (b !== undefined) code[at++] = b
    if (c !== undefined) code[at++] = c
    if (d !== undefined) code[at++] = d
    this.length = at
    this.destinationAt = -1
  }

  /** Add an instruction whose first word is a destination. */
  protected emitTo(opcode: number, destination: number, a?: number, b?: number, c?: number): void {
    const at = this.length + 1
    this.emit(opcode, destination, a, b, c)
    this.destinationAt = at
  }

  /** Begin a segment and return its offset; an empty current segment is reused. */
  protected openSegment(): number {
    this.destinationAt = -1
    if (this.gasAt !== this.length - 1 || this.code[this.gasAt] !== 0) {
      this.emit(OP.gas, 0)
      this.gasAt = this.length - 1
    }
    return this.gasAt - 1
  }

  protected charge(gas: number): void {
    if (this.isReached) (this.code[this.gasAt] as number) += gas
  }
}
