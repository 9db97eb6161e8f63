/**
 * Owns the sections of a module: imports, exports and initial values. Bodies are located here and validated by
 * `body.ts`.
 */
import { BinaryReader } from './binary.js'
import { HOST_FUNCTIONS, HOST_MODULE } from './host.js'
import {
  BODY_MAX_BYTES,
  EXPORTS_MAX,
  FUNCTIONS_MAX,
  GLOBALS_MAX,
  IMPORTS_MAX,
  MODULE_MAX_BYTES,
  NAME_MAX_BYTES,
  PAGE_BYTES,
  PAGES_MAX,
  PARAMS_MAX,
  SEGMENTS_MAX,
  TABLE_MAX,
  TYPES_MAX,
} from './limits.js'
import { I32, I64, type ValueType } from './opcodes.js'

export interface FunctionType {
  readonly params: readonly ValueType[]
  readonly result: ValueType | undefined
}
export interface GlobalDef {
  readonly type: ValueType
  readonly mutable: boolean
  readonly lo: number
  readonly hi: number
}
/** Function of the module: its type and the position of its body, from the declarations of locals to its last `end`. */
export interface FunctionDef {
  /** Index of its type, the smallest among equal types, so that types can be compared by it. */
  readonly typeIndex: number
  readonly type: FunctionType
  readonly start: number
  readonly end: number
}
/** Initial bytes of a part of the memory. */
export interface DataSegment {
  readonly at: number
  readonly bytes: Uint8Array
}

/** Module with valid sections and unvalidated bodies. */
export interface ModuleDef {
  readonly bytes: Uint8Array
  readonly types: readonly FunctionType[]
  /** For each type, the smallest index of an equal type. */
  readonly canonicalTypes: readonly number[]
  /** Imported functions, by their indexes in `HOST_FUNCTIONS`; they have the first function indexes. */
  readonly imports: readonly number[]
  /** Types of all functions, imported ones first; canonical. */
  readonly functionTypes: readonly number[]
  readonly functions: readonly FunctionDef[]
  readonly globals: readonly GlobalDef[]
  /** Initial elements of the table, each a function index or -1; undefined if there is no table. */
  readonly table: Int32Array | undefined
  readonly minPages: number
  readonly maxPages: number
  readonly data: readonly DataSegment[]
  /** Function indexes by export name. */
  readonly exports: ReadonlyMap<string, number>
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
/** Sections in their order; each section may occur only in this order. */
const ORDER = [1, 2, 3, 4, 5, 6, 7, 9, 12, 10, 11]
const NAMES: Readonly<Record<number, string>> = {
  1: 'type',
  2: 'import',
  3: 'function',
  4: 'table',
  5: 'memory',
  6: 'global',
  7: 'export',
  9: 'element',
  10: 'code',
  11: 'data',
  12: 'data count',
}
const EXPORT_NAME = /^[A-Za-z_][A-Za-z0-9_.:]*$/

const functionTypeKey = ({ params, result }: FunctionType): string => `${params.join()}:${result ?? ''}`

/** Value type, or a fault that lists the supported ones. */
export function valueType(reader: BinaryReader): ValueType {
  const code = reader.byte()
  if (code !== I32 && code !== I64) {
    reader.fault(`type 0x${code.toString(16)} is not in the profile, which has i32 and i64`, reader.pos - 1)
  }
  return code
}

/** Contents of the sections, filled in their order. */
class Sections {
  types: FunctionType[] = []
  canonicalTypes: number[] = []
  imports: number[] = []
  functionTypes: number[] = []
  globals: GlobalDef[] = []
  table: Int32Array | undefined
  pages: { readonly min: number; readonly max: number } | undefined
  exports = new Map<string, number>()
  exportNames = new Set<string>()
  functions: FunctionDef[] = []
  data: DataSegment[] = []
  dataCount: number | undefined

  constructor(readonly reader: BinaryReader) {}

  section(id: number): void {
    switch (id) {
      case 1:
        return this.typeSection()
      case 2:
        return this.importSection()
      case 3:
        return this.functionSection()
      case 4:
        return this.tableSection()
      case 5:
        return this.memorySection()
      case 6:
        return this.globalSection()
      case 7:
        return this.exportSection()
      case 9:
        return this.elementSection()
      case 10:
        return this.codeSection()
      case 11:
        return this.dataSection()
      default:
        this.dataCount = this.reader.u32()
    }
  }

  private typeSection(): void {
    const { reader } = this
    const firsts = new Map<string, number>()
    const count = reader.count('types', TYPES_MAX)
    for (let index = 0; index < count; index += 1) {
      if (reader.byte() !== 0x60) reader.fault('the profile supports only function types', reader.pos - 1)
      const params: ValueType[] = []
      for (let left = reader.count('parameters', PARAMS_MAX); left > 0; left -= 1) params.push(valueType(reader))
      const result = reader.count('results', 1) === 0 ? undefined : valueType(reader)
      const type = { params, result }
      const key = functionTypeKey(type)
      const first = firsts.get(key) ?? index
      firsts.set(key, first)
      this.types.push(type)
      this.canonicalTypes.push(first)
    }
  }

  private typeIndex(): number {
    const at = this.reader.pos
    return this.canonicalTypes[this.reader.u32()] ?? this.reader.fault('unknown type', at)
  }

  private importSection(): void {
    const { reader } = this
    const count = reader.count('imports', IMPORTS_MAX)
    for (let index = 0; index < count; index += 1) {
      const at = reader.pos
      const from = reader.name(NAME_MAX_BYTES)
      const name = reader.name(NAME_MAX_BYTES)
      if (reader.byte() !== 0x00) reader.fault('only functions can be imported', reader.pos - 1)
      const place = from === HOST_MODULE ? HOST_FUNCTIONS.findIndex((host) => host.name === name) : -1
      const host = HOST_FUNCTIONS[place]
      if (host === undefined) return reader.fault(`the host does not have the function ${from}.${name}`, at)
      const canonical = this.typeIndex()
      const type = this.types[canonical] as FunctionType
      const fits =
        type.params.length === host.params &&
        type.params.every((param) => param === I32) &&
        type.result === (host.hasResult ? I32 : undefined)
      if (!fits)
        reader.fault(`${from}.${name} has ${host.params} i32 and ${host.hasResult ? 'an i32' : 'no'} result`, at)
      this.imports.push(place)
      this.functionTypes.push(canonical)
    }
  }

  private functionSection(): void {
    const count = this.reader.count('functions', FUNCTIONS_MAX - this.imports.length)
    for (let index = 0; index < count; index += 1) this.functionTypes.push(this.typeIndex())
  }

  /** Limits of a table or memory: the initial size, and the maximum if there is one. */
  private limits(what: string): { readonly min: number; readonly max: number } {
    const { reader } = this
    const at = reader.pos
    const flags = reader.byte()
    if (flags > 1) reader.fault(`the profile supports only a plain ${what}`, at)
    const min = reader.u32()
    const max = flags === 0 ? 0xffff_ffff : reader.u32()
    if (max < min) reader.fault(`the initial size of the ${what} exceeds its maximum`, at)
    return { min, max }
  }

  private tableSection(): void {
    const { reader } = this
    if (reader.count('tables', 1) === 0) return
    if (reader.byte() !== 0x70) reader.fault('the profile supports only tables of functions', reader.pos - 1)
    const at = reader.pos
    const { min } = this.limits('table')
    if (min > TABLE_MAX) reader.fault(`a table of ${min} entries exceeds the limit of ${TABLE_MAX}`, at)
    this.table = new Int32Array(min).fill(-1)
  }

  private memorySection(): void {
    const { reader } = this
    if (reader.count('memories', 1) === 0) return
    const at = reader.pos
    const { min, max } = this.limits('memory')
    if (min > PAGES_MAX) reader.fault(`a memory of ${min} pages exceeds the limit of ${PAGES_MAX}`, at)
    // The binary format knows no more than 4 GiB.
    if (max !== 0xffff_ffff && max > 65_536) reader.fault('a memory of more than 65,536 pages', at)
    this.pages = { min, max: Math.min(max, PAGES_MAX) }
  }

  private globalSection(): void {
    const { reader } = this
    const count = reader.count('globals', GLOBALS_MAX)
    for (let index = 0; index < count; index += 1) {
      const type = valueType(reader)
      const mutable = reader.byte()
      if (mutable > 1) reader.fault('a global must be constant or variable', reader.pos - 1)
      this.globals.push({ type, mutable: mutable === 1, ...this.constant(type) })
    }
  }

  /** Read a constant expression: one number and `end`. */
  private constant(type: ValueType): { readonly lo: number; readonly hi: number } {
    const { reader } = this
    const at = reader.pos
    const opcode = reader.byte()
    if (opcode !== (type === I32 ? 0x41 : 0x42)) reader.fault('an initial value must be a constant of its type', at)
    const value = type === I32 ? { lo: reader.s32(), hi: 0 } : reader.s64()
    if (reader.byte() !== 0x0b) reader.fault('an initial value must be one constant', reader.pos - 1)
    return value
  }

  private exportSection(): void {
    const { reader } = this
    const count = reader.count('exports', EXPORTS_MAX)
    for (let index = 0; index < count; index += 1) {
      const at = reader.pos
      const name = reader.name(NAME_MAX_BYTES)
      const kind = reader.byte()
      const of = reader.u32()
      if (this.exportNames.has(name)) reader.fault(`two exports are named ${name}`, at)
      this.exportNames.add(name)
      if (kind === 0x02) {
        if (name !== 'memory' || of !== 0 || this.pages === undefined) {
          reader.fault('the memory must be exported as "memory"', at)
        }
        continue
      }
      if (kind !== 0x00) reader.fault('only the memory and functions can be exported', at)
      const type = this.types[this.functionTypes[of] ?? -1]
      if (type === undefined) return reader.fault('unknown function', at)
      if (type.params.length > 0 || type.result !== undefined) {
        reader.fault(`exported function ${name} must have no parameters and no result`, at)
      }
      if (of < this.imports.length || !EXPORT_NAME.test(name)) reader.fault(`${name} cannot be exported`, at)
      this.exports.set(name, of)
    }
  }

  private elementSection(): void {
    const { reader } = this
    const count = reader.count('element segments', SEGMENTS_MAX)
    for (let index = 0; index < count; index += 1) {
      const at = reader.pos
      if (reader.u32() !== 0) reader.fault('the profile supports only active segments of the table', at)
      const offset = this.constant(I32).lo >>> 0
      const length = reader.count('elements', TABLE_MAX)
      const { table } = this
      if (table === undefined || offset + length > table.length) return reader.fault('elements exceed the table', at)
      for (let place = 0; place < length; place += 1) {
        const of = reader.u32()
        if (of >= this.functionTypes.length) reader.fault('unknown function', at)
        table[offset + place] = of
      }
    }
  }

  private codeSection(): void {
    const { reader } = this
    const own = this.functionTypes.slice(this.imports.length)
    const count = reader.count('bodies', FUNCTIONS_MAX)
    if (count !== own.length) reader.fault(`${own.length} functions but ${count} bodies`)
    for (const typeIndex of own) {
      const length = reader.count('bytes of a body', BODY_MAX_BYTES)
      const start = reader.skip(length)
      this.functions.push({ typeIndex, type: this.types[typeIndex] as FunctionType, start, end: start + length })
    }
  }

  private dataSection(): void {
    const { reader } = this
    const count = reader.count('data segments', SEGMENTS_MAX)
    if (this.dataCount !== undefined && this.dataCount !== count) {
      reader.fault(`${this.dataCount} data segments declared, got ${count}`)
    }
    for (let index = 0; index < count; index += 1) {
      const at = reader.pos
      if (reader.u32() !== 0) reader.fault('the profile supports only active segments of the memory', at)
      const offset = this.constant(I32).lo >>> 0
      const length = reader.u32()
      if (this.pages === undefined || offset + length > this.pages.min * PAGE_BYTES) {
        reader.fault('data exceeds the memory', at)
      }
      const start = reader.skip(length)
      this.data.push({ at: offset, bytes: reader.bytes.subarray(start, start + length) })
    }
  }
}

/** Read the sections of a module. Throws `ModuleFault` for everything that is not in the profile. */
export function readModule(bytes: Uint8Array): ModuleDef {
  const reader = new BinaryReader(bytes)
  if (bytes.length > MODULE_MAX_BYTES) reader.fault(`${bytes.length} bytes exceed the limit of ${MODULE_MAX_BYTES}`)
  for (const byte of MAGIC) if (reader.byte() !== byte) reader.fault('not a WebAssembly module of version 1', 0)
  const sections = new Sections(reader)
  let last = -1
  while (reader.pos < bytes.length) {
    const at = reader.pos
    const id = reader.byte()
    const place = ORDER.indexOf(id)
    if (place < 0) reader.fault(`section ${id} is not in the profile`, at)
    if (place <= last) reader.fault(`the ${NAMES[id]} section is at the wrong place`, at)
    last = place
    const length = reader.u32()
    if (length > bytes.length - reader.pos) reader.fault('the module ends within a section', at)
    reader.end = reader.pos + length
    sections.section(id)
    if (reader.pos !== reader.end) reader.fault(`trailing bytes in the ${NAMES[id]} section`)
    reader.end = bytes.length
  }
  const { pages, functions, functionTypes, imports, data, dataCount, ...rest } = sections
  if (pages === undefined) return reader.fault('a contract must have exactly one memory')
  if (functions.length !== functionTypes.length - imports.length) reader.fault('functions have no bodies')
  if (dataCount !== undefined && dataCount !== data.length) reader.fault('data segments are missing')
  const { types, canonicalTypes, globals, table, exports } = rest
  return {
    bytes,
    types,
    canonicalTypes,
    imports,
    functionTypes,
    functions,
    globals,
    table,
    minPages: pages.min,
    maxPages: pages.max,
    data,
    exports,
  }
}
