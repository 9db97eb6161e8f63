/**
 * Owns the validation and compilation of a function body, in one pass: the algorithm of the standard over operand types
 * and control frames, which also determines the slot of every operand.
 *
 * Gas is charged per segment, as a whole on entry. A segment begins with the body, and after `loop`, `if`, `else`,
 * `br_if` and every `end` but the last. Unreachable code is validated, costs nothing and is omitted.
 */
import { Blocks } from './blocks.js'
import { LOCALS_MAX } from './limits.js'
import { IMMEDIATE, type Lowered, OP } from './lowered.js'
import { type FunctionDef, type FunctionType, type GlobalDef, type ModuleDef, valueType } from './module.js'
import {
  CONTROL_GAS,
  GAS,
  I32,
  I64,
  MEMORY,
  type MemoryOpcode,
  NUMERIC,
  type Opcode,
  type ValueType,
} from './opcodes.js'
import { ANY, CONSTANT, type Emitted } from './operands.js'

/** Maximum operands outside of their slots while a local changes. */
const HELD_MAX = 16

/** Numeric opcodes, which only pop and push, and memory opcodes, by code; one array lookup per opcode. */
const NUMERIC_BY_CODE = byCode(NUMERIC)
const MEMORY_BY_CODE = byCode(MEMORY)
const IMMEDIATE_BY_CODE = byCode(IMMEDIATE)

function byCode<T>(of: ReadonlyMap<number, T>): readonly (T | undefined)[] {
  return Array.from({ length: 256 }, (_, code) => of.get(code))
}

/** Validate and compile a body. Throws `ModuleFault` if it is invalid in the profile. */
export function lowerBody(module: ModuleDef, def: FunctionDef, emitted?: Emitted): Lowered {
  return new Body(module, def, emitted).lower()
}

class Body extends Blocks {
  lower(): Lowered {
    const { reader, def } = this
    this.readLocals()
    this.openSegment()
    this.enter(0x02, def.type.result, true)
    this.charge(Math.ceil(this.locals.length / GAS.localsPerUnit))
    while (this.controls.length > 0) {
      this.offset = reader.pos
      this.opcode = reader.byte()
      this.step(this.opcode)
    }
    if (reader.pos !== def.end) reader.fault('code after the end of the body')
    return {
      code: this.code.slice(0, this.length),
      params: def.type.params.length,
      locals: this.locals.length,
      slots: this.locals.length + this.highest,
    }
  }

  private readLocals(): void {
    const { reader } = this
    for (let groups = reader.count('groups of locals', LOCALS_MAX); groups > 0; groups -= 1) {
      const at = reader.pos
      const count = reader.u32()
      if (count > LOCALS_MAX - this.locals.length) reader.fault(`more than ${LOCALS_MAX} locals`, at)
      const type = valueType(reader)
      for (let left = count; left > 0; left -= 1) this.locals.push(type)
    }
  }

  private step(opcode: number): void {
    const numeric = NUMERIC_BY_CODE[opcode]
    if (numeric !== undefined) return this.numeric(numeric)
    const memory = MEMORY_BY_CODE[opcode]
    if (memory !== undefined) return this.memory(memory)
    switch (opcode) {
      case 0x00:
        this.charge(CONTROL_GAS.unreachable)
        this.emit(OP.unreachable)
        return this.endPath()
      case 0x01:
        return this.charge(CONTROL_GAS.nop)
      case 0x02:
        return this.block()
      case 0x03:
        return this.loop()
      case 0x04:
        return this.if()
      case 0x05:
        return this.else()
      case 0x0b:
        return this.end()
      case 0x0c:
        return this.br()
      case 0x0d:
        return this.brIf()
      case 0x0e:
        return this.brTable()
      case 0x0f:
        return this.return()
      case 0x10:
        return this.call()
      case 0x11:
        return this.callIndirect()
      case 0x1a:
        this.charge(CONTROL_GAS.drop)
        this.popAny()
        return
      case 0x1b:
        return this.select()
      case 0x20:
        return this.localGet()
      case 0x21:
        return this.localSet()
      case 0x22:
        return this.localTee()
      case 0x23:
        return this.globalGet()
      case 0x24:
        return this.globalSet()
      case 0x3f:
        this.charge(CONTROL_GAS['memory.size'])
        this.memoryIndex()
        return this.pushResult(I32, OP.memorySize)
      case 0x40:
        return this.memoryGrow()
      case 0x41:
        this.charge(CONTROL_GAS['i32.const'])
        return this.pushConstant(I32, this.reader.s32())
      case 0x42: {
        this.charge(CONTROL_GAS['i64.const'])
        const { lo, hi } = this.reader.s64()
        return this.pushConstant(I64, lo, hi)
      }
      case 0xfc:
        return this.bulk()
      default:
        return this.fault(`opcode 0x${opcode.toString(16)} is not in the profile`)
    }
  }

  // Calls.

  private call(): void {
    this.charge(CONTROL_GAS.call)
    const { module } = this
    const index = this.reader.u32()
    const type = module.types[module.functionTypes[index] ?? -1]
    if (type === undefined) return this.fault(`unknown function ${index}`)
    const base = this.popArguments(type)
    const place = module.imports[index]
    if (base >= 0) {
      if (place === undefined) this.emit(OP.call, index - module.imports.length, this.home(base))
      else this.emit(OP.callHost, place, this.home(base), type.result === undefined ? 0 : 1)
    }
    if (type.result !== undefined) this.push(type.result)
  }

  private callIndirect(): void {
    this.charge(CONTROL_GAS.call_indirect)
    const { module, reader } = this
    const index = reader.u32()
    const type = module.types[index]
    if (type === undefined) return this.fault(`unknown type ${index}`)
    if (reader.byte() !== 0x00 || module.table === undefined) this.fault('unknown table')
    this.pop(I32)
    const selector = this.isReached ? this.slotOf(this.height) : -1
    const base = this.popArguments(type)
    if (base >= 0) this.emit(OP.callIndirect, module.canonicalTypes[index] as number, selector, this.home(base))
    if (type.result !== undefined) this.push(type.result)
  }

  /**
   * Pop the arguments of a call into their own slots; returns the index of the first argument, or -1 in unreachable
   * code.
   */
  private popArguments({ params }: FunctionType): number {
    for (let index = params.length - 1; index >= 0; index -= 1) this.pop(params[index] as ValueType)
    if (!this.isReached) return -1
    const base = this.height
    for (let index = 0; index < params.length; index += 1) this.bringHome(base + index)
    return base
  }

  // Operands, locals, globals.

  private select(): void {
    this.charge(CONTROL_GAS.select)
    this.pop(I32)
    const second = this.popAny()
    const first = this.popAny()
    if (first !== second && first !== ANY && second !== ANY) this.fault('select requires two operands of one type')
    const base = this.height
    if (this.isReached) {
      const [one, other, condition] = [this.slotOf(base), this.slotOf(base + 1), this.slotOf(base + 2)]
      this.emitTo(OP.select, this.home(base), one, other, condition)
    }
    this.push(first === ANY ? second : first)
  }

  private localType(index: number): ValueType {
    return this.locals[index] ?? this.fault(`unknown local ${index}`)
  }

  private localGet(): void {
    this.charge(CONTROL_GAS['local.get'])
    const index = this.reader.u32()
    this.push(this.localType(index), index)
  }

  private localSet(): void {
    this.charge(CONTROL_GAS['local.set'])
    const index = this.reader.u32()
    this.pop(this.localType(index))
    if (this.isReached) this.setLocal(index)
  }

  private localTee(): void {
    this.charge(CONTROL_GAS['local.tee'])
    const index = this.reader.u32()
    const type = this.localType(index)
    this.pop(type)
    if (this.isReached) this.setLocal(index)
    this.push(type, index)
  }

  /** Store the popped operand in a local. */
  private setLocal(local: number): void {
    const top = this.height
    const place = this.places[top]
    // A look at a few operands for each change of a local: bodies are lowered in time that grows with their length.
    if (top - this.settled > HELD_MAX) this.settle()
    const { destinationAt } = this
    let isHeld = false
    // Operands that were read from the local keep what it had.
    for (let index = this.settled; index < top; index += 1) {
      if (this.places[index] !== local) continue
      this.bringHome(index)
      isHeld = true
    }
    if (!isHeld && destinationAt >= 0 && place === this.home(top) && this.code[destinationAt] === place) {
      this.code[destinationAt] = local
      this.destinationAt = -1
    } else this.copyTo(local, top)
  }

  private globalAt(index: number): GlobalDef {
    return this.module.globals[index] ?? this.fault(`unknown global ${index}`)
  }

  private globalGet(): void {
    this.charge(CONTROL_GAS['global.get'])
    const index = this.reader.u32()
    const { type } = this.globalAt(index)
    this.pushResult(type, OP.globalGet, index)
  }

  private globalSet(): void {
    this.charge(CONTROL_GAS['global.set'])
    const index = this.reader.u32()
    const { type, mutable } = this.globalAt(index)
    if (!mutable) this.fault(`global ${index} is constant`)
    this.pop(type)
    if (this.isReached) this.emit(OP.globalSet, index, this.slotOf(this.height))
  }

  // Numbers and memory.

  private numeric({ code, params, result, gas }: Opcode): void {
    this.charge(gas)
    for (let index = params.length - 1; index >= 0; index -= 1) this.pop(params[index] as ValueType)
    if (this.isReached) {
      const base = this.height
      const home = this.home(base)
      const immediate = IMMEDIATE_BY_CODE[code]
      if (params.length === 1) this.emitTo(code, home, this.slotOf(base))
      else if (immediate !== undefined && this.places[base + 1] === CONSTANT) {
        this.emitTo(immediate, home, this.slotOf(base), this.los[base + 1] as number)
      } else {
        const first = this.slotOf(base)
        this.emitTo(code, home, first, this.slotOf(base + 1))
      }
    }
    this.push(result as ValueType)
  }

  private memory({ code, params, result, gas, bytes }: MemoryOpcode): void {
    this.charge(gas)
    const { reader } = this
    if (2 ** reader.count('as alignment', 3) > bytes) this.fault('alignment exceeds the size of the access')
    const offset = reader.u32()
    for (let index = params.length - 1; index >= 0; index -= 1) this.pop(params[index] as ValueType)
    const base = this.height
    if (this.isReached) {
      const address = this.slotOf(base)
      if (result !== undefined) this.emitTo(code, this.home(base), address, offset | 0)
      else this.emit(code, address, this.slotOf(base + 1), offset | 0)
    }
    if (result !== undefined) this.push(result)
  }

  private memoryIndex(): void {
    if (this.reader.byte() !== 0x00) this.fault('unknown memory')
  }

  private memoryGrow(): void {
    this.charge(CONTROL_GAS['memory.grow'])
    this.memoryIndex()
    this.pop(I32)
    const base = this.height
    if (this.isReached) this.emitTo(OP.memoryGrow, this.home(base), this.slotOf(base))
    this.push(I32)
  }

  private bulk(): void {
    const kind = this.reader.u32()
    if (kind !== 10 && kind !== 11) this.fault(`opcode 0xfc ${kind} is not in the profile`)
    this.charge(kind === 10 ? CONTROL_GAS['memory.copy'] : CONTROL_GAS['memory.fill'])
    this.memoryIndex()
    if (kind === 10) this.memoryIndex()
    for (let left = 3; left > 0; left -= 1) this.pop(I32)
    if (!this.isReached) return
    const base = this.height
    const [first, second, third] = [this.slotOf(base), this.slotOf(base + 1), this.slotOf(base + 2)]
    this.emit(kind === 10 ? OP.memoryCopy : OP.memoryFill, first, second, third)
  }
}
