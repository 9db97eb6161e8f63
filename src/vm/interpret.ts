/**
 * Owns the interpreter of compiled functions: one loop over words with its own frames. The native stack holds one call
 * of `interpret` for each nested contract call, so that it never limits execution.
 */

import { ones, trailingZeros } from './int64.js'
import { FRAME_UNITS, PAGE_BYTES, STACK_UNITS_MAX } from './limits.js'
import { GAS } from './opcodes.js'
import type { Running } from './running.js'
import { EngineFault, TRAP, type Trap } from './traps.js'
import { wide } from './wide.js'

/** Words of a frame on the call stack: the offset at which it continues, its first slot, its function. */
const FRAME_WORDS = 3

/**
 * Run a function without parameters until it returns or traps. Remaining gas, memory and globals are in the instance.
 * Case labels are numbers, the opcodes of the standard and of `lowered.ts`, because names would not compile to a jump
 * table.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one dispatch loop, a case for each opcode
export function interpret(instance: Running, entry: number): Trap {
  const { machine, module, globalsLo, globalsHi, table } = instance
  const { lo, hi, frames } = machine
  const imported = module.def.imports.length
  const floor = machine.frameTop
  let frameTop = floor
  let units = machine.units
  let gas = instance.gas
  const { view } = instance
  let { memory } = instance
  let memoryBytes = memory.length
  let fp = machine.top
  let index = entry
  let code: Int32Array = ENTER
  let slots = 0
  let pc = 0
  let trap: Trap = TRAP.ok
  /** Function that is called next, and its first slot. */
  let callee = entry
  let calleeFp = fp

  // biome-ignore format: an opcode a line is how this is read
  run: for (;;) {
    switch (code[pc]) {
      case 0x00: trap = TRAP.unreachable; break run
      case 0x01: gas -= code[pc + 1]!; if (gas < 0) { trap = TRAP.out_of_gas; break run }; pc += 2; continue // gas of a segment
      case 0x02: pc = code[pc + 1]!; continue // jump
      case 0x03: pc = lo[fp + code[pc + 1]!]! === 0 ? pc + 3 : code[pc + 2]!; continue // jump if
      case 0x04: pc = lo[fp + code[pc + 1]!]! === 0 ? code[pc + 2]! : pc + 3; continue // jump unless
      case 0x05:
      case 0x0f: { // return; a value stands where the first argument stood
        if (code[pc] === 0x05) {
          lo[fp] = lo[fp + code[pc + 1]!]!
          hi[fp] = hi[fp + code[pc + 1]!]!
        }
        units -= FRAME_UNITS + slots
        if (frameTop === floor) break run
        frameTop -= FRAME_WORDS
        pc = frames[frameTop]!
        fp = frames[frameTop + 1]!
        index = frames[frameTop + 2]!
        const caller = module.lowered(index)
        code = caller.code
        slots = caller.slots
        continue
      }
      case 0x06: { const from = fp + code[pc + 2]!; lo[fp + code[pc + 1]!] = lo[from]!; hi[fp + code[pc + 1]!] = hi[from]!; pc += 3; continue } // move
      case 0x0e: { const count = code[pc + 2]!; const selected = lo[fp + code[pc + 1]!]! >>> 0; pc = code[pc + 3 + (selected < count ? selected : count)]!; continue } // jump by a table
      case 0x09: { // enters the function that is called
        // The first entry in a call pays for the lowering, whether another call did it before or not.
        if (instance.entered[callee] === 0) {
          gas -= module.firstGas(callee)
          if (gas < 0) { trap = TRAP.out_of_gas; break run }
          instance.entered[callee] = 1
        }
        const lowered = module.lowered(callee)
        units += FRAME_UNITS + lowered.slots
        if (units > STACK_UNITS_MAX) { trap = TRAP.stack_exhausted; break run }
        const { params, locals } = lowered
        for (let slot = calleeFp + params; slot < calleeFp + locals; slot += 1) {
          lo[slot] = 0
          hi[slot] = 0
        }
        index = callee
        fp = calleeFp
        code = lowered.code
        slots = lowered.slots
        pc = 0
        continue
      }
      case 0x10: // call
        callee = code[pc + 1]!
        calleeFp = fp + code[pc + 2]!
        frames[frameTop] = pc + 3
        frames[frameTop + 1] = fp
        frames[frameTop + 2] = index
        frameTop += FRAME_WORDS
        code = ENTER
        pc = 0
        continue
      case 0x11: { // call by the table
        const selected = lo[fp + code[pc + 2]!]! >>> 0
        const found = selected < table.length ? table[selected]! : -1
        if (found < 0 || module.def.functionTypes[found] !== code[pc + 1]) { trap = TRAP.indirect_call; break run }
        if (found >= imported) {
          callee = found - imported
          calleeFp = fp + code[pc + 3]!
          frames[frameTop] = pc + 4
          frames[frameTop + 1] = fp
          frames[frameTop + 2] = index
          frameTop += FRAME_WORDS
          code = ENTER
          pc = 0
          continue
        }
        instance.gas = gas
        machine.top = fp + slots
        machine.units = units
        machine.frameTop = frameTop
        const result = instance.host(module.def.imports[found]!, fp + code[pc + 3]!)
        gas = instance.gas
        trap = instance.trap
        if (trap !== TRAP.ok) break run
        lo[fp + code[pc + 3]!] = result
        pc += 4
        continue
      }
      case 0x12: { // call of the host
        instance.gas = gas
        machine.top = fp + slots
        machine.units = units
        machine.frameTop = frameTop
        const result = instance.host(code[pc + 1]!, fp + code[pc + 2]!)
        gas = instance.gas
        trap = instance.trap
        if (trap !== TRAP.ok) break run
        if (code[pc + 3] !== 0) lo[fp + code[pc + 2]!] = result
        pc += 4
        continue
      }
      case 0x1b: { // select
        const from = lo[fp + code[pc + 4]!]! === 0 ? fp + code[pc + 3]! : fp + code[pc + 2]!; lo[fp + code[pc + 1]!] = lo[from]!
        hi[fp + code[pc + 1]!] = hi[from]!; pc += 5; continue
      }
      case 0x23: lo[fp + code[pc + 1]!] = globalsLo[code[pc + 2]!]!; hi[fp + code[pc + 1]!] = globalsHi[code[pc + 2]!]!; pc += 3; continue // global.get
      case 0x24: globalsLo[code[pc + 1]!] = lo[fp + code[pc + 2]!]!; globalsHi[code[pc + 1]!] = hi[fp + code[pc + 2]!]!; pc += 3; continue // global.set
      case 0x3f: lo[fp + code[pc + 1]!] = Math.floor(memoryBytes / PAGE_BYTES); pc += 2; continue // memory.size
      case 0x40: { // memory.grow
        const before = Math.floor(memoryBytes / PAGE_BYTES)
        const more = lo[fp + code[pc + 2]!]! >>> 0
        if (before + more > module.def.maxPages) lo[fp + code[pc + 1]!] = -1
        else {
          gas -= GAS.page * more
          if (gas < 0) { trap = TRAP.out_of_gas; break run }
          instance.grow(before + more)
          memory = instance.memory
          memoryBytes = memory.length
          lo[fp + code[pc + 1]!] = before
        }
        pc += 3
        continue
      }
      case 0x41: lo[fp + code[pc + 1]!] = code[pc + 2]!; hi[fp + code[pc + 1]!] = code[pc + 2]! >> 31; pc += 3; continue // constant of 32 bits, or of 64 whose upper half is its sign
      case 0x42: lo[fp + code[pc + 1]!] = code[pc + 2]!; hi[fp + code[pc + 1]!] = code[pc + 3]!; pc += 4; continue // constant of 64 bits
      case 0x07: { // memory.copy
        const to = lo[fp + code[pc + 1]!]! >>> 0
        const from = lo[fp + code[pc + 2]!]! >>> 0
        const length = lo[fp + code[pc + 3]!]! >>> 0
        gas -= Math.ceil(length / GAS.bulkBytesPerUnit)
        if (gas < 0) { trap = TRAP.out_of_gas; break run }
        if (to + length > memoryBytes || from + length > memoryBytes) { trap = TRAP.memory_bounds; break run }
        memory.copyWithin(to, from, from + length)
        pc += 4
        continue
      }
      case 0x08: { // memory.fill
        const to = lo[fp + code[pc + 1]!]! >>> 0
        const length = lo[fp + code[pc + 3]!]! >>> 0
        gas -= Math.ceil(length / GAS.bulkBytesPerUnit)
        if (gas < 0) { trap = TRAP.out_of_gas; break run }
        if (to + length > memoryBytes) { trap = TRAP.memory_bounds; break run }
        memory.fill(lo[fp + code[pc + 2]!]! & 0xff, to, to + length)
        pc += 4
        continue
      }
      case 0x45: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! === 0 ? 1 : 0; pc += 3; continue // i32.eqz
      case 0x46: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! === lo[fp + code[pc + 3]!]! ? 1 : 0; pc += 4; continue // i32.eq
      case 0x47: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! !== lo[fp + code[pc + 3]!]! ? 1 : 0; pc += 4; continue // i32.ne
      case 0x48: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! < lo[fp + code[pc + 3]!]! ? 1 : 0; pc += 4; continue // i32.lt_s
      case 0x49: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> 0 < lo[fp + code[pc + 3]!]! >>> 0 ? 1 : 0; pc += 4; continue // i32.lt_u
      case 0x4a: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! > lo[fp + code[pc + 3]!]! ? 1 : 0; pc += 4; continue // i32.gt_s
      case 0x4b: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> 0 > lo[fp + code[pc + 3]!]! >>> 0 ? 1 : 0; pc += 4; continue // i32.gt_u
      case 0x4c: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! <= lo[fp + code[pc + 3]!]! ? 1 : 0; pc += 4; continue // i32.le_s
      case 0x4d: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> 0 <= lo[fp + code[pc + 3]!]! >>> 0 ? 1 : 0; pc += 4; continue // i32.le_u
      case 0x4e: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >= lo[fp + code[pc + 3]!]! ? 1 : 0; pc += 4; continue // i32.ge_s
      case 0x4f: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> 0 >= lo[fp + code[pc + 3]!]! >>> 0 ? 1 : 0; pc += 4; continue // i32.ge_u
      case 0x67: lo[fp + code[pc + 1]!] = Math.clz32(lo[fp + code[pc + 2]!]!); pc += 3; continue // i32.clz
      case 0x68: lo[fp + code[pc + 1]!] = trailingZeros(lo[fp + code[pc + 2]!]!); pc += 3; continue // i32.ctz
      case 0x69: lo[fp + code[pc + 1]!] = ones(lo[fp + code[pc + 2]!]!); pc += 3; continue // i32.popcnt
      case 0x6a: lo[fp + code[pc + 1]!] = (lo[fp + code[pc + 2]!]! + lo[fp + code[pc + 3]!]!) | 0; pc += 4; continue // i32.add
      case 0x6b: lo[fp + code[pc + 1]!] = (lo[fp + code[pc + 2]!]! - lo[fp + code[pc + 3]!]!) | 0; pc += 4; continue // i32.sub
      case 0x6c: lo[fp + code[pc + 1]!] = Math.imul(lo[fp + code[pc + 2]!]!, lo[fp + code[pc + 3]!]!); pc += 4; continue // i32.mul
      case 0x6d: { // i32.div_s
        const by = lo[fp + code[pc + 3]!]!; if (by === 0) { trap = TRAP.divide_by_zero; break run }; const value = lo[fp + code[pc + 2]!]!
        if (by === -1 && value === -0x8000_0000) { trap = TRAP.integer_overflow; break run }
        lo[fp + code[pc + 1]!] = Math.trunc(value / by); pc += 4; continue
      }
      case 0x6e: { // i32.div_u
        const by = lo[fp + code[pc + 3]!]!; if (by === 0) { trap = TRAP.divide_by_zero; break run }; const value = lo[fp + code[pc + 2]!]!
        lo[fp + code[pc + 1]!] = Math.floor((value >>> 0) / (by >>> 0)); pc += 4; continue
      }
      case 0x6f: { // i32.rem_s
        const by = lo[fp + code[pc + 3]!]!; if (by === 0) { trap = TRAP.divide_by_zero; break run }; const value = lo[fp + code[pc + 2]!]!
        lo[fp + code[pc + 1]!] = by === -1 ? 0 : (value % by) | 0; pc += 4; continue
      }
      case 0x70: { // i32.rem_u
        const by = lo[fp + code[pc + 3]!]!; if (by === 0) { trap = TRAP.divide_by_zero; break run }; const value = lo[fp + code[pc + 2]!]!
        lo[fp + code[pc + 1]!] = (value >>> 0) % (by >>> 0); pc += 4; continue
      }
      case 0x71: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! & lo[fp + code[pc + 3]!]!; pc += 4; continue // i32.and
      case 0x72: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! | lo[fp + code[pc + 3]!]!; pc += 4; continue // i32.or
      case 0x73: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! ^ lo[fp + code[pc + 3]!]!; pc += 4; continue // i32.xor
      case 0x74: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! << lo[fp + code[pc + 3]!]!; pc += 4; continue // i32.shl
      case 0x75: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >> lo[fp + code[pc + 3]!]!; pc += 4; continue // i32.shr_s
      case 0x76: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> lo[fp + code[pc + 3]!]!; pc += 4; continue // i32.shr_u
      case 0x77: { // i32.rotl
        const value = lo[fp + code[pc + 2]!]!; const by = lo[fp + code[pc + 3]!]! & 31
        lo[fp + code[pc + 1]!] = by === 0 ? value : (value << by) | (value >>> (32 - by)); pc += 4; continue
      }
      case 0x78: { // i32.rotr
        const value = lo[fp + code[pc + 2]!]!; const by = lo[fp + code[pc + 3]!]! & 31
        lo[fp + code[pc + 1]!] = by === 0 ? value : (value >>> by) | (value << (32 - by)); pc += 4; continue
      }
      case 0x50: // i64.eqz
      case 0x79: // i64.clz
      case 0x7a: // i64.ctz
      case 0x7b: wide(code[pc]!, lo, hi, fp + code[pc + 1]!, fp + code[pc + 2]!, 0); pc += 3; continue // i64.popcnt
      case 0x51: case 0x52: case 0x53: case 0x54: case 0x55: case 0x56: case 0x57: case 0x58: case 0x59: case 0x5a: // i64.eq to ge_u
      case 0x7c: case 0x7d: case 0x7e: case 0x83: case 0x84: case 0x85: case 0x86: case 0x87: case 0x88: case 0x89: case 0x8a: // i64.add to rotr
        wide(code[pc]!, lo, hi, fp + code[pc + 1]!, fp + code[pc + 2]!, fp + code[pc + 3]!)
        pc += 4
        continue
      case 0x7f: case 0x80: case 0x81: case 0x82: // i64.div_s, div_u, rem_s, rem_u
        trap = wide(code[pc]!, lo, hi, fp + code[pc + 1]!, fp + code[pc + 2]!, fp + code[pc + 3]!)
        if (trap !== TRAP.ok) break run
        pc += 4
        continue
      case 0xa7: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]!; pc += 3; continue // i32.wrap_i64
      case 0xac: { const value = lo[fp + code[pc + 2]!]!; lo[fp + code[pc + 1]!] = value; hi[fp + code[pc + 1]!] = value >> 31; pc += 3; continue } // i64.extend_i32_s
      case 0xad: { const value = lo[fp + code[pc + 2]!]!; lo[fp + code[pc + 1]!] = value; hi[fp + code[pc + 1]!] = 0; pc += 3; continue } // i64.extend_i32_u
      case 0xc0: lo[fp + code[pc + 1]!] = (lo[fp + code[pc + 2]!]! << 24) >> 24; pc += 3; continue // i32.extend8_s
      case 0xc1: lo[fp + code[pc + 1]!] = (lo[fp + code[pc + 2]!]! << 16) >> 16; pc += 3; continue // i32.extend16_s
      case 0xc2: { const value = (lo[fp + code[pc + 2]!]! << 24) >> 24; lo[fp + code[pc + 1]!] = value; hi[fp + code[pc + 1]!] = value >> 31; pc += 3; continue } // i64.extend8_s
      case 0xc3: { const value = (lo[fp + code[pc + 2]!]! << 16) >> 16; lo[fp + code[pc + 1]!] = value; hi[fp + code[pc + 1]!] = value >> 31; pc += 3; continue } // i64.extend16_s
      case 0xc4: { const value = lo[fp + code[pc + 2]!]!; lo[fp + code[pc + 1]!] = value; hi[fp + code[pc + 1]!] = value >> 31; pc += 3; continue } // i64.extend32_s
      case 0xc8: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! === code[pc + 3]! ? 1 : 0; pc += 4; continue // i32.eq with a constant
      case 0xc9: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! !== code[pc + 3]! ? 1 : 0; pc += 4; continue // i32.ne with a constant
      case 0xca: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! < code[pc + 3]! ? 1 : 0; pc += 4; continue // i32.lt_s with a constant
      case 0xcb: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> 0 < code[pc + 3]! >>> 0 ? 1 : 0; pc += 4; continue // i32.lt_u with a constant
      case 0xcc: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! > code[pc + 3]! ? 1 : 0; pc += 4; continue // i32.gt_s with a constant
      case 0xcd: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> 0 > code[pc + 3]! >>> 0 ? 1 : 0; pc += 4; continue // i32.gt_u with a constant
      case 0xce: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! <= code[pc + 3]! ? 1 : 0; pc += 4; continue // i32.le_s with a constant
      case 0xcf: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> 0 <= code[pc + 3]! >>> 0 ? 1 : 0; pc += 4; continue // i32.le_u with a constant
      case 0xd0: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >= code[pc + 3]! ? 1 : 0; pc += 4; continue // i32.ge_s with a constant
      case 0xd1: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> 0 >= code[pc + 3]! >>> 0 ? 1 : 0; pc += 4; continue // i32.ge_u with a constant
      case 0xd2: lo[fp + code[pc + 1]!] = (lo[fp + code[pc + 2]!]! + code[pc + 3]!) | 0; pc += 4; continue // i32.add with a constant
      case 0xd3: lo[fp + code[pc + 1]!] = (lo[fp + code[pc + 2]!]! - code[pc + 3]!) | 0; pc += 4; continue // i32.sub with a constant
      case 0xd4: lo[fp + code[pc + 1]!] = Math.imul(lo[fp + code[pc + 2]!]!, code[pc + 3]!); pc += 4; continue // i32.mul with a constant
      case 0xd5: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! & code[pc + 3]!; pc += 4; continue // i32.and with a constant
      case 0xd6: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! | code[pc + 3]!; pc += 4; continue // i32.or with a constant
      case 0xd7: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! ^ code[pc + 3]!; pc += 4; continue // i32.xor with a constant
      case 0xd8: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! << code[pc + 3]!; pc += 4; continue // i32.shl with a constant
      case 0xd9: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >> code[pc + 3]!; pc += 4; continue // i32.shr_s with a constant
      case 0xda: lo[fp + code[pc + 1]!] = lo[fp + code[pc + 2]!]! >>> code[pc + 3]!; pc += 4; continue // i32.shr_u with a constant
      case 0x28: { // i32.load
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 4 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = view.getInt32(at, true); pc += 4
        continue
      }
      case 0x29: { // i64.load
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 8 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = view.getInt32(at, true)
        hi[fp + code[pc + 1]!] = view.getInt32(at + 4, true); pc += 4; continue
      }
      case 0x2c: { // i32.load8_s
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 1 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = (memory[at]! << 24) >> 24; pc += 4
        continue
      }
      case 0x30: { // i64.load8_s
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 1 > memoryBytes) { trap = TRAP.memory_bounds; break run }; const value = (memory[at]! << 24) >> 24
        lo[fp + code[pc + 1]!] = value; hi[fp + code[pc + 1]!] = value >> 31; pc += 4; continue
      }
      case 0x2d: { // i32.load8_u
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 1 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = memory[at]!; pc += 4; continue
      }
      case 0x31: { // i64.load8_u
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 1 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = memory[at]!; hi[fp + code[pc + 1]!] = 0
        pc += 4; continue
      }
      case 0x2e: { // i32.load16_s
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 2 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = view.getInt16(at, true); pc += 4
        continue
      }
      case 0x32: { // i64.load16_s
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 2 > memoryBytes) { trap = TRAP.memory_bounds; break run }; const value = view.getInt16(at, true)
        lo[fp + code[pc + 1]!] = value; hi[fp + code[pc + 1]!] = value >> 31; pc += 4; continue
      }
      case 0x2f: { // i32.load16_u
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 2 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = view.getUint16(at, true); pc += 4
        continue
      }
      case 0x33: { // i64.load16_u
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 2 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = view.getUint16(at, true)
        hi[fp + code[pc + 1]!] = 0; pc += 4; continue
      }
      case 0x34: { // i64.load32_s
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 4 > memoryBytes) { trap = TRAP.memory_bounds; break run }; const value = view.getInt32(at, true)
        lo[fp + code[pc + 1]!] = value; hi[fp + code[pc + 1]!] = value >> 31; pc += 4; continue
      }
      case 0x35: { // i64.load32_u
        const at = (lo[fp + code[pc + 2]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 4 > memoryBytes) { trap = TRAP.memory_bounds; break run }; lo[fp + code[pc + 1]!] = view.getInt32(at, true)
        hi[fp + code[pc + 1]!] = 0; pc += 4; continue
      }
      case 0x36: { // i32.store
        const at = (lo[fp + code[pc + 1]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 4 > memoryBytes) { trap = TRAP.memory_bounds; break run }; view.setInt32(at, lo[fp + code[pc + 2]!]!, true); pc += 4
        continue
      }
      case 0x37: { // i64.store
        const at = (lo[fp + code[pc + 1]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 8 > memoryBytes) { trap = TRAP.memory_bounds; break run }; view.setInt32(at, lo[fp + code[pc + 2]!]!, true)
        view.setInt32(at + 4, hi[fp + code[pc + 2]!]!, true); pc += 4; continue
      }
      case 0x3a: { // i32.store8
        const at = (lo[fp + code[pc + 1]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 1 > memoryBytes) { trap = TRAP.memory_bounds; break run }; memory[at] = lo[fp + code[pc + 2]!]!; pc += 4; continue
      }
      case 0x3b: { // i32.store16
        const at = (lo[fp + code[pc + 1]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 2 > memoryBytes) { trap = TRAP.memory_bounds; break run }; view.setInt16(at, lo[fp + code[pc + 2]!]!, true); pc += 4
        continue
      }
      case 0x3c: { // i64.store8
        const at = (lo[fp + code[pc + 1]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 1 > memoryBytes) { trap = TRAP.memory_bounds; break run }; memory[at] = lo[fp + code[pc + 2]!]!; pc += 4; continue
      }
      case 0x3d: { // i64.store16
        const at = (lo[fp + code[pc + 1]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 2 > memoryBytes) { trap = TRAP.memory_bounds; break run }; view.setInt16(at, lo[fp + code[pc + 2]!]!, true); pc += 4
        continue
      }
      case 0x3e: { // i64.store32
        const at = (lo[fp + code[pc + 1]!]! >>> 0) + (code[pc + 3]! >>> 0)
        if (at + 4 > memoryBytes) { trap = TRAP.memory_bounds; break run }; view.setInt32(at, lo[fp + code[pc + 2]!]!, true); pc += 4
        continue
      }
      default:
        throw new EngineFault(`word ${code[pc]} at ${pc} of function ${index} is not an instruction`)
    }
  }
  // A call that ran out of gas has none left: its whole limit counts as used.
  instance.gas = trap === TRAP.out_of_gas ? 0 : gas
  instance.stoppedAt = { index, word: pc }
  return trap
}

/** Code executed between a call and the first word of its function. */
const ENTER = Int32Array.of(0x09)
