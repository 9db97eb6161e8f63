/**
 * Owns the assembly of modules for tests: trees of instructions to bytes, plain or metered so that V8 counts like the
 * interpreter.
 */
import { CONTROL_GAS, GAS, MEMORY, NUMERIC } from '../../../src/vm/opcodes.js'

export const I32 = 0x7f
export const I64 = 0x7e
export type Type = typeof I32 | typeof I64
export interface Signature {
  readonly params: readonly Type[]
  readonly results: readonly Type[]
}

/** Instruction; blocks contain others. */
export interface Node {
  readonly op: number
  /** Encoded immediates. */
  readonly imm?: readonly number[]
  readonly body?: readonly Node[]
  readonly otherwise?: readonly Node[]
}
export interface FunctionSource {
  readonly signature: Signature
  readonly locals: readonly Type[]
  readonly body: readonly Node[]
}
export interface ModuleSource {
  /** Types for `call_indirect`, by index; signatures of functions are appended. */
  readonly types: readonly Signature[]
  readonly imports: readonly { readonly name: string; readonly signature: Signature }[]
  readonly functions: readonly FunctionSource[]
  readonly globals: readonly { readonly type: Type; readonly mutable: boolean; readonly value: bigint }[]
  /** Elements of the table from index 0; undefined: no table. */
  readonly table?: { readonly size: number; readonly elements: readonly number[] }
  readonly memory: { readonly min: number; readonly max: number }
  readonly data: readonly { readonly at: number; readonly bytes: readonly number[] }[]
  /** Function indexes by name. */
  readonly exports: Readonly<Record<string, number>>
}

export function u32(value: number): number[] {
  const bytes: number[] = []
  let left = value >>> 0
  do {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0))
    left >>>= 7
  } while (left > 0)
  return bytes
}
export function signed(value: bigint | number): number[] {
  const bytes: number[] = []
  let left = BigInt(value)
  for (;;) {
    const low = Number(left & 0x7fn)
    left >>= 7n
    if ((left === 0n && (low & 0x40) === 0) || (left === -1n && (low & 0x40) !== 0)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}
const vector = (items: readonly (readonly number[])[]): number[] => [...u32(items.length), ...items.flat()]
const sized = (bytes: readonly number[]): number[] => [...u32(bytes.length), ...bytes]
export const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)]
const text = (name: string): number[] => sized([...Buffer.from(name)])
const typeBytes = ({ params, results }: Signature): number[] => [
  0x60,
  ...u32(params.length),
  ...params,
  ...u32(results.length),
  ...results,
]

/** Instructions by name, for handwritten modules. */
export const op = {
  i32: (value: number): Node => ({ op: 0x41, imm: signed(value | 0) }),
  i64: (value: bigint): Node => ({ op: 0x42, imm: signed(BigInt.asIntN(64, value)) }),
  get: (local: number): Node => ({ op: 0x20, imm: u32(local) }),
  set: (local: number): Node => ({ op: 0x21, imm: u32(local) }),
  tee: (local: number): Node => ({ op: 0x22, imm: u32(local) }),
  globalGet: (index: number): Node => ({ op: 0x23, imm: u32(index) }),
  globalSet: (index: number): Node => ({ op: 0x24, imm: u32(index) }),
  call: (index: number): Node => ({ op: 0x10, imm: u32(index) }),
  callIndirect: (type: number): Node => ({ op: 0x11, imm: [...u32(type), 0] }),
  br: (depth: number): Node => ({ op: 0x0c, imm: u32(depth) }),
  brIf: (depth: number): Node => ({ op: 0x0d, imm: u32(depth) }),
  brTable: (targets: readonly number[], last: number): Node => ({
    op: 0x0e,
    imm: [...vector(targets.map(u32)), ...u32(last)],
  }),
  block: (type: number, body: readonly Node[]): Node => ({ op: 0x02, imm: [type], body }),
  loop: (type: number, body: readonly Node[]): Node => ({ op: 0x03, imm: [type], body }),
  if: (type: number, body: readonly Node[], otherwise?: readonly Node[]): Node => ({
    op: 0x04,
    imm: [type],
    body,
    ...(otherwise === undefined ? {} : { otherwise }),
  }),
  plain: (code: number): Node => ({ op: code }),
  memory: (code: number, align: number, offset: number): Node => ({ op: code, imm: [...u32(align), ...u32(offset)] }),
  copy: { op: 0xfc0a, imm: [0, 0] } as Node,
  fill: { op: 0xfc0b, imm: [0] } as Node,
  grow: { op: 0x40, imm: [0] } as Node,
  size: { op: 0x3f, imm: [0] } as Node,
}
export const NONE = 0x40
const END = 0x0b

const opcodeBytes = (code: number): number[] => (code > 0xff ? [code >> 8, code & 0xff] : [code])

/** Bytes of instructions. */
export function nodeBytes(nodes: readonly Node[]): number[] {
  const bytes: number[] = []
  for (const { op: code, imm = [], body, otherwise } of nodes) {
    bytes.push(...opcodeBytes(code), ...imm)
    if (body === undefined) continue
    for (const byte of nodeBytes(body)) bytes.push(byte)
    if (otherwise !== undefined) {
      bytes.push(0x05)
      for (const byte of nodeBytes(otherwise)) bytes.push(byte)
    }
    bytes.push(END)
  }
  return bytes
}

function localBytes(locals: readonly Type[]): number[] {
  return vector(locals.map((type) => [1, type]))
}

/** Parts of a module that metering does not add. */
interface Extra {
  readonly functions: readonly { readonly signature: Signature; readonly bytes: readonly number[] }[]
  readonly globals: readonly number[][]
  readonly exports: readonly number[][]
  readonly maxPages: number
}

function moduleBytes(source: ModuleSource, bodies: readonly (readonly number[])[], extra: Extra): Uint8Array {
  const types = [
    ...source.types,
    ...source.imports.map(({ signature }) => signature),
    ...source.functions.map(({ signature }) => signature),
    ...extra.functions.map(({ signature }) => signature),
  ]
  const importsAt = source.types.length
  const functionsAt = importsAt + source.imports.length
  const own = source.functions.length + extra.functions.length
  const { table, memory } = source
  const globals = source.globals.map(({ type, mutable, value }) => [
    type,
    mutable ? 1 : 0,
    type === I32 ? 0x41 : 0x42,
    ...signed(value),
    END,
  ])
  const exports = [
    [...text('memory'), 0x02, 0],
    ...Object.entries(source.exports).map(([name, index]) => [...text(name), 0x00, ...u32(index)]),
  ]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(types.map(typeBytes))),
    ...section(
      2,
      vector(
        source.imports.map(({ name }, index) => [...text('host1'), ...text(name), 0x00, ...u32(importsAt + index)]),
      ),
    ),
    ...section(3, vector(Array.from({ length: own }, (_, index) => u32(functionsAt + index)))),
    ...(table === undefined ? [] : section(4, vector([[0x70, 0x00, ...u32(table.size)]]))),
    ...section(5, vector([[0x01, ...u32(memory.min), ...u32(Math.min(memory.max, extra.maxPages))]])),
    ...section(6, vector([...globals, ...extra.globals])),
    ...section(7, vector([...exports, ...extra.exports])),
    ...(table === undefined || table.elements.length === 0
      ? []
      : section(9, vector([[0x00, 0x41, 0x00, END, ...vector(table.elements.map(u32))]]))),
    ...section(10, vector([...bodies.map(sized), ...extra.functions.map(({ bytes }) => sized(bytes))])),
    ...section(11, vector(source.data.map(({ at, bytes }) => [0x00, 0x41, ...signed(at), END, ...sized(bytes)]))),
  ])
}

const bodyBytes = ({ locals, body }: FunctionSource): number[] => [...localBytes(locals), ...nodeBytes(body), END]

/** Bytes of a module. */
export const assemble = (source: ModuleSource): Uint8Array =>
  moduleBytes(source, source.functions.map(bodyBytes), { functions: [], globals: [], exports: [], maxPages: 65_536 })

// Metering for V8: charges, stack units and first entries are instructions of the module itself.

const OWN_PAGES_MAX = 16
const STACK_UNITS_MAX = 16_384
const CONTROL_BY_CODE: Readonly<Record<number, keyof typeof CONTROL_GAS>> = {
  0: 'unreachable',
  1: 'nop',
  2: 'block',
  3: 'loop',
  4: 'if',
  12: 'br',
  13: 'br_if',
  14: 'br_table',
  15: 'return',
  16: 'call',
  17: 'call_indirect',
  26: 'drop',
  27: 'select',
  32: 'local.get',
  33: 'local.set',
  34: 'local.tee',
  35: 'global.get',
  36: 'global.set',
  63: 'memory.size',
  64: 'memory.grow',
  65: 'i32.const',
  66: 'i64.const',
  64522: 'memory.copy',
  64523: 'memory.fill',
}
function gasOf(code: number): number {
  const name = CONTROL_BY_CODE[code]
  if (name !== undefined) return CONTROL_GAS[name]
  return (NUMERIC.get(code) ?? MEMORY.get(code))?.gas ?? Number.NaN
}
const ENDS_PATH: ReadonlySet<number> = new Set([0x00, 0x0c, 0x0e, 0x0f])

/** Export names of metering. */
export const METER = { gas: 'meter_gas', reason: 'meter_reason' } as const
/** Reason why metering ended a call with `unreachable`. */
export const REASON = { none: 0, gas: 1, stack: 2 } as const

/** Metered module for V8. `units`: stack units of each function's frame. */
export function assembleMetered(source: ModuleSource, units: readonly number[]): Uint8Array {
  const first = source.imports.length + source.functions.length
  const [charge, enter, grow, copy, fill] = [first, first + 1, first + 2, first + 3, first + 4]
  const gas = source.globals.length
  const [stack, reason, flags] = [gas + 1, gas + 2, gas + 3]
  const g = op.globalGet
  const s = op.globalSet
  const p = op.plain
  const stop = (why: number): Node => op.if(NONE, [op.i32(why), s(reason), p(0x00)])
  const call = (index: number | undefined): Node => op.call(index as number)
  const pay = (amount: number): Node[] => (amount === 0 ? [] : [op.i32(amount), call(charge)])

  const functions = source.functions.map((own, index) => {
    const chunks: Node[][] = []
    const body = meteredBody(own, (cost) => pay(cost), { grow: call(grow), copy: call(copy), fill: call(fill) })
    const length = bodyBytes(own).length
    const unit = units[index] as number
    chunks.push([
      ...[g(flags + index), p(0x45)],
      op.if(NONE, [...pay(GAS.lowered + GAS.perLoweredByte * length), op.i32(1), s(flags + index)]),
      ...[op.i32(unit), call(enter)],
      op.block(own.signature.results[0] ?? NONE, body),
      ...[g(stack), op.i32(unit), p(0x6b), s(stack)],
    ])
    return [...localBytes(own.locals), ...nodeBytes(chunks.flat()), END]
  })
  const helper = (
    params: number,
    results: number,
    nodes: readonly Node[],
  ): { signature: Signature; bytes: number[] } => ({
    signature: { params: new Array(params).fill(I32), results: new Array(results).fill(I32) },
    bytes: [...localBytes([]), ...nodeBytes(nodes), END],
  })
  const bulk = (of: Node): Node[] => [
    ...[op.get(2), op.i32(3), p(0x76), op.get(2), op.i32(7), p(0x71), op.i32(0), p(0x47), p(0x6a), call(charge)],
    ...[op.get(0), op.get(1), op.get(2), of],
  ]
  const max = Math.min(source.memory.max, OWN_PAGES_MAX)
  return moduleBytes(source, functions, {
    maxPages: OWN_PAGES_MAX,
    functions: [
      helper(1, 0, [g(gas), op.get(0), p(0x6b), s(gas), g(gas), op.i32(0), p(0x48), stop(REASON.gas)]),
      helper(1, 0, [
        g(stack),
        op.get(0),
        p(0x6a),
        s(stack),
        g(stack),
        op.i32(STACK_UNITS_MAX),
        p(0x4a),
        stop(REASON.stack),
      ]),
      helper(1, 1, [
        ...[op.size, op.get(0), p(0x6a), op.i32(max), p(0x4b), op.get(0), op.i32(max), p(0x4b), p(0x72)],
        op.if(NONE, [op.i32(-1), p(0x0f)]),
        ...[op.get(0), op.i32(GAS.page), p(0x6c), call(charge), op.get(0), op.grow],
      ]),
      helper(3, 0, bulk(op.copy)),
      helper(3, 0, bulk(op.fill)),
    ],
    globals: [gas, stack, reason, ...source.functions].map(() => [I32, 1, 0x41, 0, END]),
    exports: [
      [...text(METER.gas), 0x03, ...u32(gas)],
      [...text(METER.reason), 0x03, ...u32(reason)],
      ...source.globals.map((_, index) => [...text(`g${index}`), 0x03, ...u32(index)]),
    ],
  })
}

/** Body whose segments are charged: returns become branches out of the enclosing block. */
function meteredBody(
  { signature, locals, body }: FunctionSource,
  pay: (cost: number) => Node[],
  bulk: { readonly grow: Node; readonly copy: Node; readonly fill: Node },
): Node[] {
  const entry = Math.ceil((signature.params.length + locals.length) / GAS.localsPerUnit)

  /** List of instructions at a depth of blocks; `opening` is added to the first segment if the list has its own. */
  function list(nodes: readonly Node[], depth: number, opening: number, isLive: boolean): Node[] {
    const out: Node[] = []
    let segment: Node[] = []
    let cost = opening
    let live = isLive
    const close = (): void => {
      out.push(...pay(cost), ...segment)
      segment = []
      cost = 0
    }
    for (const node of nodes) {
      if (live) cost += gasOf(node.op)
      if (node.body !== undefined) {
        // The inside of a plain block continues the segment, which is charged where the block begins.
        if (node.op === 0x02) {
          const inner = prefix(node.body, depth + 1, live)
          cost += inner.cost
          segment.push({ ...node, body: inner.nodes })
        } else {
          const inside = list(node.body, depth + 1, 0, live)
          const otherwise = node.otherwise === undefined ? undefined : list(node.otherwise, depth + 1, 0, live)
          segment.push({ ...node, body: inside, ...(otherwise === undefined ? {} : { otherwise }) })
        }
        if (live) close()
        continue
      }
      segment.push(replaced(node, depth))
      if (live && node.op === 0x0d) close()
      if (ENDS_PATH.has(node.op)) live = false
    }
    close()
    return out
  }

  /** Inside of a block: the cost of its first segment is added to the enclosing segment. */
  function prefix(nodes: readonly Node[], depth: number, isLive: boolean): { nodes: Node[]; cost: number } {
    let cost = 0
    let live = isLive
    const before: Node[] = []
    for (const [index, node] of nodes.entries()) {
      if (live) cost += gasOf(node.op)
      if (node.body !== undefined) {
        if (node.op === 0x02) {
          const inner = prefix(node.body, depth + 1, live)
          cost += inner.cost
          before.push({ ...node, body: inner.nodes })
        } else {
          const inside = list(node.body, depth + 1, 0, live)
          const otherwise = node.otherwise === undefined ? undefined : list(node.otherwise, depth + 1, 0, live)
          before.push({ ...node, body: inside, ...(otherwise === undefined ? {} : { otherwise }) })
        }
        return { nodes: [...before, ...list(nodes.slice(index + 1), depth, 0, live)], cost }
      }
      before.push(replaced(node, depth))
      if (live && node.op === 0x0d) return { nodes: [...before, ...list(nodes.slice(index + 1), depth, 0, live)], cost }
      if (ENDS_PATH.has(node.op)) live = false
    }
    return { nodes: before, cost }
  }

  function replaced(node: Node, depth: number): Node {
    if (node.op === 0x0f) return op.br(depth)
    if (node.op === 0x40) return bulk.grow
    if (node.op === 0xfc0a) return bulk.copy
    if (node.op === 0xfc0b) return bulk.fill
    return node
  }

  return list(body, 0, entry, true)
}
