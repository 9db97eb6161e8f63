/**
 * Owns modules that are ready to run. Bodies are lowered at their first entry, since the ledger stores only validated
 * modules.
 */
import { lowerBody } from './body.js'
import type { Lowered } from './lowered.js'
import { type FunctionDef, type ModuleDef, readModule } from './module.js'
import { GAS, opcodeName } from './opcodes.js'

/** Position of a trap for display: a function of the module and a byte offset in it. */
export interface CodePlace {
  readonly functionIndex: number
  readonly byteOffset: number
  readonly opcode: string
}

/** Memory of a module, in bytes, measured on a 64-bit machine with a margin: for a byte of lowered code, at most, */
const CODE_BYTE_WEIGHT = 16
/** for a function besides its code: its definition, its lowered form and an array for it, */
const FUNCTION_WEIGHT = 400
/** for a type, an export or a segment, */
const ITEM_WEIGHT = 256
/** and for the module itself. */
const MODULE_WEIGHT = 2_048

export class LoadedModule {
  private readonly bodies: (Lowered | undefined)[]

  constructor(readonly def: ModuleDef) {
    this.bodies = new Array(def.functions.length)
  }

  /** Estimated memory in bytes when all functions are lowered. */
  get weight(): number {
    const { bytes, functions, types, exports, data } = this.def
    const items = types.length + exports.size + data.length
    return CODE_BYTE_WEIGHT * bytes.length + FUNCTION_WEIGHT * functions.length + ITEM_WEIGHT * items + MODULE_WEIGHT
  }

  /** Gas of the first entry of a function in a call. */
  firstGas(index: number): number {
    const { start, end } = this.def.functions[index] as FunctionDef
    return GAS.lowered + GAS.perLoweredByte * (end - start)
  }

  /** A function in its internal form. */
  lowered(index: number): Lowered {
    const known = this.bodies[index]
    if (known !== undefined) return known
    const made = lowerBody(this.def, this.def.functions[index] as FunctionDef)
    this.bodies[index] = made
    return made
  }

  /** Source position of a word of a lowered function. */
  place(index: number, word: number): CodePlace | undefined {
    const of = this.def.functions[index]
    if (of === undefined) return undefined
    let found: CodePlace | undefined
    lowerBody(this.def, of, (at, byteOffset, opcode) => {
      if (at > word) return
      const functionIndex = index + this.def.imports.length
      found = { functionIndex, byteOffset, opcode: opcodeName(opcode) ?? `0x${opcode.toString(16)}` }
    })
    return found
  }
}

/**
 * Validate a whole module: sections, types of every operand, bounds. Throws `ModuleFault` if it does not match profile
 * 1.
 */
export function checkModule(bytes: Uint8Array): LoadedModule {
  const def = readModule(bytes)
  for (const body of def.functions) lowerBody(def, body)
  return new LoadedModule(def)
}

/** Load a module that was validated at its registration. */
export const loadModule = (bytes: Uint8Array): LoadedModule => new LoadedModule(readModule(bytes))

/** Gas for reading a module of this many bytes. */
export const codeGas = (bytes: number): number => GAS.load + Math.ceil(bytes / GAS.loadBytesPerUnit)

/** Gas for loading a module for a call, cached or not: reading it, its memory, and its initial data. */
export function loadGas({ def }: LoadedModule): number {
  const items = def.types.length + def.functions.length + def.exports.size + def.data.length
  return codeGas(def.bytes.length) + GAS.loadedItem * items + GAS.page * def.minPages
}
