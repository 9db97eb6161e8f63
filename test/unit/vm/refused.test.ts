/** Modules refused by the profile, each beside an accepted one. */
import { describe, expect, it } from 'vitest'
import { checkModule, ModuleFault } from '../../../src/vm/index.js'
import {
  assemble,
  I32,
  I64,
  type ModuleSource,
  NONE,
  type Node,
  op,
  section,
  type Type,
} from '../../support/vm/assembler.js'
import { repeated } from '../../support/vm/bombs.js'

const EMPTY: ModuleSource = {
  types: [],
  imports: [],
  functions: [],
  globals: [
    { type: I32, mutable: false, value: 1n },
    { type: I32, mutable: true, value: 1n },
  ],
  memory: { min: 1, max: 2 },
  data: [],
  exports: {},
}
/** A module of one function. */
const withBody = (
  body: readonly Node[],
  results: readonly Type[] = [],
  locals: readonly Type[] = [],
): ModuleSource => ({
  ...EMPTY,
  functions: [{ signature: { params: [], results }, locals, body }],
})
const drop = op.plain(0x1a)
const refuses = (source: ModuleSource, words: RegExp): void => {
  expect(() => checkModule(assemble(source))).toThrow(ModuleFault)
  expect(() => checkModule(assemble(source))).toThrow(words)
}
const accepts = (source: ModuleSource): void => {
  expect(() => checkModule(assemble(source))).not.toThrow()
}

describe('function bodies', () => {
  it.each([
    ['an operand of another type', [op.i64(1n), op.i32(1), op.plain(0x6a), drop], /expected an/],
    ['a missing operand', [op.plain(0x6a), drop], /missing/],
    ['a remaining operand', [op.i32(1)], /left/],
    ['an operand of the enclosing block', [op.i32(1), op.block(NONE, [drop])], /missing/],
    ['a remaining operand in a block', [op.block(NONE, [op.i32(1)])], /left/],
    [
      'an operand that a block leaves for the next instruction',
      [op.block(NONE, [op.i32(1)]), drop],
      /left at the end of a block/,
    ],
    ['a number of more than 32 bits', [{ op: 0x20, imm: [0x80, 0x80, 0x80, 0x80, 0x10] }, drop], /32 bits/],
    ['an if with a result and no else', [op.i32(1), op.if(I32, [op.i32(1)]), drop], /must have an else/],
    ['select of two types', [op.i32(1), op.i64(1n), op.i32(1), op.plain(0x1b), drop], /one type/],
    ['a branch beyond the body', [op.br(1)], /enclosing blocks/],
    ['a table of two types', [op.block(I32, [op.i32(1), op.i32(0), op.brTable([0], 1)]), drop], /different types/],
    ['an unknown local', [op.get(0), drop], /unknown local/],
    ['an unknown global', [op.globalGet(2), drop], /unknown global/],
    ['a change of a constant', [op.i32(1), op.globalSet(0)], /constant/],
    ['a call of an unknown function', [op.call(9)], /unknown function/],
    ['a call through a missing table', [op.i32(0), op.callIndirect(0)], /unknown table/],
    ['an alignment above the access size', [op.i32(0), op.memory(0x28, 3, 0), drop], /alignment exceeds/],
    ['floats', [{ op: 0x43, imm: [0, 0, 0, 0] } as Node, drop], /not in the profile/],
    ['conversions without traps', [{ op: 0xfc00 } as Node], /not in the profile/],
    ['memory.init', [{ op: 0xfc08, imm: [0, 0] } as Node], /not in the profile/],
    ['a tail call', [{ op: 0x12, imm: [0] } as Node], /not in the profile/],
    ['a type of floats', [op.block(0x7d, [])], /a block must have/],
  ] as const)('are rejected with %s', (_name, body, words) => {
    refuses(withBody(body), words)
  })

  it('may have any consistent types in unreachable code', () => {
    accepts(withBody([op.plain(0x00), op.plain(0x6a), drop]))
    accepts(withBody([op.br(0), op.i32(1), op.plain(0x1b), drop]))
    refuses(withBody([op.plain(0x00), op.i64(1n), op.plain(0x6a), drop]), /expected an/)
    refuses(withBody([op.plain(0x00), op.i32(1)]), /left/)
  })

  it('have limited locals, operands, nested blocks, branch table targets and bytes', () => {
    const locals = (count: number): ModuleSource => withBody([], [], new Array<Type>(count).fill(I64))
    accepts(locals(256))
    refuses(locals(257), /locals/)
    const operands = (count: number): ModuleSource =>
      withBody([...new Array<Node>(count).fill(op.i32(1)), ...new Array<Node>(count).fill(drop)])
    accepts(operands(512))
    refuses(operands(513), /operands/)
    const nested = (depth: number): Node[] => (depth === 0 ? [] : [op.block(NONE, nested(depth - 1))])
    accepts(withBody(nested(63)))
    refuses(withBody(nested(64)), /nested blocks/)
    const table = (count: number): ModuleSource =>
      withBody([op.i32(0), op.brTable(new Array<number>(count).fill(0), 0)])
    accepts(table(512))
    refuses(table(513), /targets/)
    const bytes = (count: number): ModuleSource => withBody(new Array<Node>(count).fill(op.plain(0x01)))
    accepts(bytes(16 * 1024 - 2))
    refuses(bytes(16 * 1024), /bytes of a body/)
  })
})

describe('contract modules', () => {
  it('have limited functions, parameters, globals, tables and memory', () => {
    const functions = (count: number): ModuleSource => ({
      ...EMPTY,
      functions: new Array(count).fill({ signature: { params: [], results: [] }, locals: [], body: [] }),
    })
    // The assembler writes a type for each function.
    accepts(functions(512))
    refuses(functions(513), /513 types/)
    const small = (bodies: number): Uint8Array => repeated({ part: [], bytes: 0, bodies })
    expect(() => checkModule(small(2_000))).not.toThrow()
    expect(() => checkModule(small(2_001))).toThrow(/2001 functions/)
    const params = (count: number): ModuleSource => ({
      ...EMPTY,
      types: [{ params: new Array<Type>(count).fill(I32), results: [] }],
    })
    accepts(params(16))
    refuses(params(17), /parameters/)
    refuses({ ...EMPTY, globals: new Array(257).fill({ type: I32, mutable: true, value: 0n }) }, /globals/)
    refuses({ ...EMPTY, table: { size: 1_025, elements: [] } }, /table of 1025/)
    refuses({ ...EMPTY, table: { size: 1, elements: [9] } }, /unknown function/)
    refuses({ ...withBody([]), table: { size: 1, elements: [0, 0] } }, /exceed the table/)
    refuses({ ...EMPTY, memory: { min: 17, max: 17 } }, /17 pages/)
    refuses({ ...EMPTY, data: [{ at: 65_535, bytes: [1, 2] }] }, /exceeds the memory/)
    const data = (count: number): ModuleSource => ({ ...EMPTY, data: new Array(count).fill({ at: 0, bytes: [] }) })
    accepts(data(1_024))
    refuses(data(1_025), /1025 data segments/)
    const signature = { params: [I32, I32], results: [] }
    const imports = (count: number): ModuleSource => ({
      ...EMPTY,
      imports: new Array(count).fill({ name: 'output', signature }),
    })
    accepts(imports(64))
    refuses(imports(65), /65 imports/)
    const exports = (count: number): ModuleSource => ({
      ...withBody([]),
      exports: Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0])),
    })
    // The memory is one of them.
    accepts(exports(255))
    refuses(exports(256), /257 exports/)
    expect(checkModule(assemble({ ...EMPTY, memory: { min: 1, max: 300 } })).def.maxPages).toBe(16)
  })

  it('may import only host functions with their exact signatures', () => {
    const signature = { params: [I32, I32] as const, results: [] }
    accepts({ ...EMPTY, imports: [{ name: 'output', signature }] })
    refuses({ ...EMPTY, imports: [{ name: 'output', signature: { params: [I32], results: [] } }] }, /2 i32/)
    refuses({ ...EMPTY, imports: [{ name: 'clock', signature }] }, /does not have the function host1.clock/)
  })

  it('may export memory, and functions without parameters and results', () => {
    accepts({ ...withBody([]), exports: { transfer: 0 } })
    refuses({ ...withBody([op.i32(1)], [I32]), exports: { transfer: 0 } }, /no parameters/)
    refuses({ ...withBody([]), exports: { transfer: 1 } }, /unknown function/)
    refuses({ ...withBody([]), exports: { 'a b': 0 } }, /printable/)
    refuses({ ...withBody([]), exports: { '1a': 0 } }, /cannot be exported/)
  })

  it.each([
    ['a start function', section(8, [0]), /section 8/],
    ['custom sections', section(0, [1, 0x61]), /section 0/],
    ['tags', section(13, [0]), /section 13/],
    ['a duplicate section', section(11, [0]), /wrong place/],
  ])('are rejected with %s', (_name, bytes, words) => {
    expect(() => checkModule(Uint8Array.from([...assemble(withBody([])), ...bytes]))).toThrow(words)
  })
})
