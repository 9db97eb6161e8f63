/** Owns modules designed to be slow: for validation, for execution, and for the host. */
import { MEMORY, NUMERIC } from '../../../src/vm/opcodes.js'
import { I32, I64, type ModuleSource, NONE, type Node, op, section, signed, type Type, u32 } from './assembler.js'

/**
 * Module whose `main` executes every opcode that pops and pushes, every load and every store, and leaves the result.
 */
export function everyOpcode(): ModuleSource {
  const operand = (type: Type, place: number): Node =>
    type === I32 ? op.i32(place === 0 ? -77_777 : 13) : op.i64(place === 0 ? -0x1234_5678_9abc_def1n : 0x1_0000_0013n)
  const kept = (result: Type | undefined): Node[] =>
    result === undefined
      ? []
      : result === I32
        ? [op.get(0), op.plain(0x73), op.set(0)]
        : [op.get(1), op.plain(0x85), op.set(1)]
  const plain = [...NUMERIC.values()].flatMap(({ code, params, result }) => [
    ...params.map(operand),
    op.plain(code),
    ...kept(result),
  ])
  // Stores first: their values are loaded.
  const memory = [...MEMORY.values()]
    .reverse()
    .flatMap(({ code, params, result }) => [
      op.i32(64),
      ...params.slice(1).map(operand),
      op.memory(code, 0, 0),
      ...kept(result),
    ])
  const bulk = [op.i32(8), op.i32(64), op.i32(16), op.copy, op.i32(32), op.i32(7), op.i32(8), op.fill]
  const left = [op.get(0), op.globalSet(0), op.get(1), op.globalSet(1)]
  const round = [...memory, ...plain, ...bulk, op.size, op.grow, ...kept(I32), ...left]
  return {
    types: [],
    imports: [],
    functions: [{ signature: { params: [], results: [] }, locals: [I32, I64], body: round }],
    globals: [
      { type: I32, mutable: true, value: 0n },
      { type: I64, mutable: true, value: 0n },
    ],
    memory: { min: 1, max: 2 },
    data: [],
    exports: { main: 0 },
  }
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
/** Size just below the largest body: four of them nearly fill a module. */
const BODY_BYTES = 16_000
const BODIES = 4

/** Body: a beginning, a part repeated until the body is full, an end. */
export interface Repeated {
  readonly part: readonly number[]
  readonly head?: readonly number[]
  readonly tail?: readonly number[]
  readonly bytes?: number
  readonly bodies?: number
}

const times = (count: number, part: readonly number[]): number[] => new Array(count).fill(part).flat()

/** Bytes of one body with a repeated part; it has a local of each type. */
function bodyOf({ part, head = [], tail = [], bytes = BODY_BYTES }: Repeated): number[] {
  const code = [2, 1, I32, 1, I64, ...head]
  while (part.length > 0 && code.length + part.length + tail.length < bytes) code.push(...part)
  code.push(...tail, 0x0b)
  return code
}

/** Module of functions without parameters, by their bodies. */
function moduleOf(bodies: readonly (readonly number[])[], exported: readonly number[] = []): Uint8Array {
  const list = [...u32(bodies.length)]
  for (const code of bodies) list.push(...u32(code.length), ...code)
  const types = section(1, [1, 0x60, 0, 0])
  const functions = section(3, [...u32(bodies.length), ...times(bodies.length, [0])])
  const memory = section(5, [1, 1, 1, 16])
  return Uint8Array.from([...MAGIC, ...types, ...functions, ...memory, ...exported, ...section(10, list)])
}

/** Module of bodies with a repeated part. */
export function repeated(one: Repeated): Uint8Array {
  return moduleOf(new Array<number[]>(one.bodies ?? BODIES).fill(bodyOf(one)))
}

/** Returns at once, on a path that validation cannot know. */
const RETURNS = [0x41, 1, 0x04, NONE, 0x0f, 0x0b]
/** The same, with an entrypoint `go` that enters and leaves every body: the cost is their compilation. */
export function entered(one: Repeated, salt: number): Uint8Array {
  const bodies = one.bodies ?? BODIES
  const body = bodyOf({ ...one, head: [...RETURNS, ...(one.head ?? [])], bytes: (one.bytes ?? BODY_BYTES) - 32 })
  const calls = Array.from({ length: bodies }, (_, index) => [0x10, ...u32(index)]).flat()
  const go = [0, 0x41, ...signed(salt), 0x1a, ...calls, 0x0b]
  const exported = section(7, [1, 2, ...Buffer.from('go'), 0, ...u32(bodies)])
  return moduleOf([...new Array<number[]>(bodies).fill(body), go], exported)
}

const get = [0x20, 0]
const zero = [0x41, 0]
const drop = 0x1a
const end = 0x0b
const block = (type: number): number[] => [0x02, type]

/** Valid modules of 64 KiB; the name describes what is expensive to validate. */
export const CHECK_PARTS: Readonly<Record<string, Repeated>> = {
  nesting: { part: [...times(62, block(NONE)), ...times(62, [end])] },
  'nesting with operands': { part: [...times(62, [...get, ...block(NONE)]), ...times(62, [end, drop])] },
  'branches out of deep blocks': { part: [...times(62, block(NONE)), 0x0c, 61, ...times(62, [end])] },
  br_table: { part: [...block(NONE), ...zero, 0x0e, ...u32(512), ...times(513, [0]), end] },
  'br_table with a value': {
    part: [...block(I32), ...zero, ...zero, 0x0e, ...u32(512), ...times(513, [0]), end, drop],
  },
  'br_table out of deep blocks': {
    part: [
      ...times(60, block(I32)),
      ...zero,
      ...zero,
      ...[0x0e, ...u32(512), ...Array.from({ length: 513 }, (_, at) => at % 60)],
      ...times(60, [end]),
      drop,
    ],
  },
  'br_if with a value': {
    head: block(I32),
    part: [...zero, ...zero, 0x0d, 0, drop],
    tail: [...zero, end, drop],
  },
  'if and else': { part: [...zero, 0x04, NONE, 0x05, end] },
  'many operands': { head: times(500, zero), part: [...block(NONE), end], tail: times(500, [drop]) },
  'operands that a local holds back': { part: [...times(15, get), ...zero, 0x21, 0, ...times(15, [drop])] },
  'wide constants': { part: [0x42, ...times(9, [0x80]), 0x7f, drop] },
  'tests of one byte': { head: zero, part: [0x45], tail: [drop] },
  loads: { part: [...zero, 0x28, 0, 0, drop] },
  'code that no path reaches': { head: [0x00], part: [...block(NONE), 0x0c, 0, end] },
  'select that no path reaches': { head: [0x00], part: [0x1b], tail: [drop] },
  'small functions': { part: [], bytes: 0, bodies: 1_990 },
}
/** Modules of these bodies. */
export const CHECK_BOMBS: Readonly<Record<string, () => Uint8Array>> = Object.fromEntries(
  Object.entries(CHECK_PARTS).map(([name, one]) => [name, () => repeated(one)]),
)

/** Entrypoints that loop until their gas is exhausted; the name describes an iteration. Locals 0 and 1 are i32. */
const endless = (...round: readonly Node[]): Node[] => [op.loop(NONE, [...round, op.br(0)])]
const many = (count: number, ...nodes: readonly Node[]): Node[] => new Array<readonly Node[]>(count).fill(nodes).flat()
const dropped = op.plain(drop)
const binary = (code: number, a: Node, b: Node): Node[] => many(20, a, b, op.plain(code), dropped)

/** Bodies with the highest processor time per gas. */
export const RUN_BOMBS: Readonly<Record<string, readonly Node[]>> = {
  'empty loop': endless(),
  locals: endless(...many(40, op.get(0), op.set(1))),
  br_if: endless(...many(20, op.block(NONE, [op.get(0), op.brIf(0)]))),
  br_table: endless(...many(20, op.block(NONE, [op.get(0), op.brTable([0, 0, 0], 0)]))),
  add: endless(...binary(0x6a, op.get(0), op.get(1))),
  'i64 add': endless(...binary(0x7c, op.i64(5n), op.i64(-7n))),
  'i64 multiply': endless(...binary(0x7e, op.i64(0x1234_5678_9abc_def1n), op.i64(-77_777_777_777n))),
  'i64 divide': endless(...binary(0x7f, op.i64(-0x1234_5678_9abc_def1n), op.i64(77_777n))),
  'i64 divide by a wide one': endless(...binary(0x80, op.i64(-1n), op.i64(0x1_2345_6789n))),
  'i64 remainder': endless(...binary(0x81, op.i64(-0x1234_5678_9abc_def1n), op.i64(77_777_777_777n))),
  'i64 rotate': endless(...binary(0x89, op.i64(-0x1234_5678_9abc_def1n), op.i64(33n))),
  'i64 leading zeros': endless(...many(20, op.i64(1n), op.plain(0x79), dropped)),
  'i64 ones': endless(...many(20, op.i64(-1n), op.plain(0x7b), dropped)),
  'i64 compare': endless(...binary(0x53, op.i64(-5n), op.i64(7n))),
  'i32 divide': endless(...binary(0x6d, op.i32(-1_000_000), op.i32(7))),
  'i32 remainder': endless(...binary(0x70, op.i32(-1_000_000), op.i32(7))),
  load: endless(...many(20, op.i32(8), op.memory(0x28, 2, 0), dropped)),
  'i64 load': endless(...many(20, op.i32(8), op.memory(0x29, 3, 0), dropped)),
  store: endless(...many(20, op.i32(8), op.get(0), op.memory(0x36, 2, 0))),
  'i64 store': endless(...many(20, op.i32(9), op.i64(-1n), op.memory(0x37, 0, 0))),
  select: endless(...many(20, op.get(0), op.get(1), op.get(0), op.plain(0x1b), dropped)),
  'copy of nothing': endless(...many(20, op.i32(0), op.i32(0), op.i32(0), op.copy)),
  'copy of a page': endless(op.i32(0), op.i32(1), op.i32(65_535), op.copy),
  'fill of a page': endless(op.i32(0), op.i32(1), op.i32(65_536), op.fill),
  'grow in vain': endless(op.i32(100), op.grow, dropped),
  'grow by nothing': [op.i32(15), op.grow, dropped, ...endless(op.i32(0), op.grow, dropped)],
}
