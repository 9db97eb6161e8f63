/** Owns random modules of the profile: all are valid, most do something, many trap. */
import {
  type FunctionSource,
  I32,
  I64,
  type ModuleSource,
  NONE,
  type Node,
  op,
  type Signature,
  type Type,
} from './assembler.js'

/** Random numbers from a seed: equal on every machine. */
export class Random {
  constructor(private state: number) {}
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }
  below(limit: number): number {
    return this.next() % limit
  }
  chance(percent: number): boolean {
    return this.below(100) < percent
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }
}

const BINARY: Readonly<Record<number, readonly number[]>> = {
  [I32]: range(0x6a, 0x78),
  [I64]: range(0x7c, 0x8a),
}
const UNARY: Readonly<Record<number, readonly number[]>> = {
  [I32]: [0x67, 0x68, 0x69, 0xc0, 0xc1],
  [I64]: [0x79, 0x7a, 0x7b, 0xc2, 0xc3, 0xc4],
}
const COMPARE: Readonly<Record<number, readonly number[]>> = { [I32]: range(0x46, 0x4f), [I64]: range(0x51, 0x5a) }
const LOADS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  [I32]: [
    [0x28, 2],
    [0x2c, 0],
    [0x2d, 0],
    [0x2e, 1],
    [0x2f, 1],
  ],
  [I64]: [
    [0x29, 3],
    [0x30, 0],
    [0x31, 0],
    [0x32, 1],
    [0x33, 1],
    [0x34, 2],
    [0x35, 2],
  ],
}
const STORES: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  [I32]: [
    [0x36, 2],
    [0x3a, 0],
    [0x3b, 1],
  ],
  [I64]: [
    [0x37, 3],
    [0x3c, 0],
    [0x3d, 1],
    [0x3e, 2],
  ],
}
const SPECIAL = [0n, 1n, -1n, 2n, 31n, 32n, 63n, 64n, 255n, 0x7fff_ffffn, -0x8000_0000n, 0xffff_ffffn, 0x1_0000_0000n]
const SPECIAL_64 = [...SPECIAL, 0x7fff_ffff_ffff_ffffn, -0x8000_0000_0000_0000n, 0x20_0000_0000_0000n, -0x1_0000_0001n]

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Host functions of random modules, implemented by the mock of the differential. */
const IMPORTS = [
  { name: 'state_get', signature: { params: [I32, I32, I32, I32], results: [I32] } },
  { name: 'state_del', signature: { params: [I32, I32], results: [I32] } },
  { name: 'event', signature: { params: [I32, I32, I32, I32], results: [] } },
  { name: 'output', signature: { params: [I32, I32], results: [] } },
] as const satisfies ModuleSource['imports']

interface Label {
  readonly type: Type | undefined
}
interface Scope {
  readonly locals: readonly Type[]
  readonly results: readonly Type[]
  /** Innermost last; the first is the body. */
  readonly labels: readonly Label[]
}

class Generator {
  private budget = 0
  private readonly signatures: Signature[]
  private readonly types: Signature[]
  private readonly globals: ModuleSource['globals']
  private readonly tableSize: number

  constructor(private readonly random: Random) {
    const type = (): Type => (random.chance(50) ? I32 : I64)
    const signature = (): Signature => ({
      params: Array.from({ length: random.below(4) }, type),
      results: random.chance(70) ? [type()] : [],
    })
    this.types = Array.from({ length: 1 + random.below(3) }, signature)
    const own = Array.from({ length: random.below(5) }, () =>
      random.chance(50) ? random.pick(this.types) : signature(),
    )
    this.signatures = [{ params: [], results: [] }, ...own]
    this.globals = Array.from({ length: 1 + random.below(4) }, (_, index) => ({
      type: type(),
      mutable: index === 0 || random.chance(80),
      value: BigInt(random.below(1000)) - 500n,
    }))
    this.tableSize = random.chance(70) ? 1 + random.below(8) : 0
  }

  module(): ModuleSource {
    const { random, signatures } = this
    const functions = signatures.map((signature) => this.function(signature))
    const all = IMPORTS.length + functions.length
    const min = 1 + random.below(2)
    return {
      types: this.types,
      imports: IMPORTS,
      functions,
      globals: this.globals,
      ...(this.tableSize === 0
        ? {}
        : {
            table: {
              size: this.tableSize,
              elements: Array.from({ length: random.below(this.tableSize + 1) }, () => random.below(all)),
            },
          }),
      memory: { min, max: min + random.below(20) },
      data: Array.from({ length: random.below(3) }, () => ({
        at: random.below(60_000),
        bytes: Array.from({ length: random.below(40) }, () => random.below(256)),
      })),
      exports: { main: IMPORTS.length },
    }
  }

  private function(signature: Signature): FunctionSource {
    const { random } = this
    const locals = Array.from({ length: random.below(6) }, () => (random.chance(50) ? I32 : I64) as Type)
    this.budget = 20 + random.below(120)
    const scope: Scope = {
      locals: [...signature.params, ...locals],
      results: signature.results,
      labels: [{ type: signature.results[0] }],
    }
    const [result] = signature.results
    const body = [...this.statements(scope, 4), ...(result === undefined ? [] : this.value(result, scope, 4))]
    return { signature, locals, body }
  }

  private statements(scope: Scope, depth: number): Node[] {
    const nodes: Node[] = []
    for (let left = 1 + this.random.below(5); left > 0 && this.budget > 0; left -= 1)
      nodes.push(...this.statement(scope, depth))
    return nodes
  }

  private statement(scope: Scope, depth: number): Node[] {
    const { random } = this
    this.budget -= 1
    const locals = scope.locals.length
    const choice = random.below(100)
    if (choice < 22 && locals > 0) {
      const local = random.below(locals)
      return [...this.value(scope.locals[local] as Type, scope, depth - 1), op.set(local)]
    }
    if (choice < 30) {
      const global = random.below(this.globals.length)
      const { type, mutable } = this.globals[global] as { type: Type; mutable: boolean }
      return mutable ? [...this.value(type, scope, depth - 1), op.globalSet(global)] : []
    }
    if (choice < 42) {
      const type = random.chance(50) ? I32 : I64
      const [code, align] = random.pick(STORES[type] as (readonly [number, number])[])
      return [...this.address(scope, depth - 1), ...this.value(type, scope, depth - 1), this.access(code, align)]
    }
    if (choice < 50 && depth > 0) {
      const kind = random.below(3)
      const inner = this.inside(scope, undefined)
      if (kind === 0) return [op.block(NONE, this.statements(inner, depth - 1))]
      if (kind === 1) return this.loop(scope, depth)
      return [
        ...this.value(I32, scope, depth - 1),
        op.if(
          NONE,
          this.statements(inner, depth - 1),
          random.chance(50) ? this.statements(inner, depth - 1) : undefined,
        ),
      ]
    }
    if (choice < 58) return this.branchIf(scope, depth)
    if (choice < 63) return this.dead(scope, depth)
    if (choice < 69) return this.call(undefined, scope, depth) ?? []
    if (choice < 73) return [...this.bulk(scope, depth)]
    if (choice < 76) return [...this.value(I32, scope, 0), op.grow, op.plain(0x1a)]
    if (choice < 80) return this.hostCall(scope)
    if (choice < 83) return [op.plain(0x01)]
    if (choice < 87 && locals > 1) {
      // Exchange: operands outlive the locals that they were read from.
      const first = random.below(locals)
      const alike = scope.locals.flatMap((type, index) => (type === scope.locals[first] ? [index] : []))
      const second = random.pick(alike)
      const more = random.chance(50)
        ? [...this.value(scope.locals[first] as Type, scope, 1), op.plain(scope.locals[first] === I32 ? 0x6a : 0x7c)]
        : []
      return [op.get(first), op.get(second), ...more, op.set(first), op.set(second)]
    }
    return [...this.value(random.chance(50) ? I32 : I64, scope, depth - 1), op.plain(0x1a)]
  }

  private inside(scope: Scope, type: Type | undefined): Scope {
    return { ...scope, labels: [...scope.labels, { type }] }
  }

  /** Loop that mostly counts down a local. */
  private loop(scope: Scope, depth: number): Node[] {
    const { random } = this
    const counter = scope.locals.indexOf(I32)
    const inner = this.inside(scope, undefined)
    const body = this.statements(inner, depth - 1)
    if (counter < 0 || random.chance(10)) return [op.loop(NONE, body)]
    const step = [op.get(counter), op.i32(1), op.plain(0x6b), op.tee(counter), op.brIf(0)]
    return [op.i32(random.below(30)), op.set(counter), op.loop(NONE, [...body, ...step])]
  }

  private branchIf(scope: Scope, depth: number): Node[] {
    const { random } = this
    const target = random.below(scope.labels.length)
    const label = scope.labels[scope.labels.length - 1 - target] as Label
    if (label.type === undefined) return [...this.value(I32, scope, depth - 1), op.brIf(target)]
    return [
      ...this.value(label.type, scope, depth - 1),
      ...this.value(I32, scope, depth - 1),
      op.brIf(target),
      op.plain(0x1a),
    ]
  }

  /** End of a path, mostly behind a condition. */
  private dead(scope: Scope, depth: number): Node[] {
    const { random } = this
    const inner = this.inside(scope, undefined)
    const ending = this.ending(inner, depth)
    if (random.chance(30)) ending.push(...this.statements(inner, depth - 1))
    return random.chance(85) ? [...this.value(I32, scope, depth - 1), op.if(NONE, ending)] : [op.block(NONE, ending)]
  }

  private ending(scope: Scope, depth: number): Node[] {
    const { random } = this
    const carried = (type: Type | undefined): Node[] => (type === undefined ? [] : this.value(type, scope, depth - 1))
    const kind = random.below(10)
    if (kind === 0) return [op.plain(0x00)]
    if (kind < 4) return [...carried(scope.results[0]), op.plain(0x0f)]
    const target = random.below(scope.labels.length)
    const at = (depthOf: number): Label => scope.labels[scope.labels.length - 1 - depthOf] as Label
    const { type } = at(target)
    if (kind < 7) return [...carried(type), op.br(target)]
    const alike = scope.labels.map((_, index) => index).filter((index) => at(index).type === type)
    const targets = Array.from({ length: random.below(5) }, () => random.pick(alike))
    return [...carried(type), ...this.value(I32, scope, depth - 1), op.brTable(targets, target)]
  }

  private bulk(scope: Scope, depth: number): Node[] {
    const small = (): Node => op.i32(this.random.below(70_000))
    const length = this.random.chance(80) ? [op.i32(this.random.below(300))] : this.value(I32, scope, depth - 1)
    return this.random.chance(50)
      ? [small(), small(), ...length, op.copy]
      : [small(), ...this.value(I32, scope, depth - 1), ...length, op.fill]
  }

  private hostCall(scope: Scope): Node[] {
    const { random } = this
    const index = random.below(IMPORTS.length)
    const { params, results } = (IMPORTS[index] as (typeof IMPORTS)[number]).signature
    const args = params.flatMap(() => (random.chance(80) ? [op.i32(random.below(70_000))] : this.value(I32, scope, 1)))
    return [...args, op.call(index), ...results.map(() => op.plain(0x1a))]
  }

  private call(type: Type | undefined, scope: Scope, depth: number): Node[] | undefined {
    const { random } = this
    const isFit = ({ results }: Signature): boolean => results[0] === type
    if (this.tableSize > 0 && random.chance(40)) {
      const fitting = this.types.flatMap((signature, index) => (isFit(signature) ? [index] : []))
      if (fitting.length > 0) {
        const index = random.pick(fitting)
        const { params } = this.types[index] as Signature
        const selector = random.chance(85) ? [op.i32(random.below(this.tableSize))] : this.value(I32, scope, depth - 1)
        return [...params.flatMap((param) => this.value(param, scope, depth - 1)), ...selector, op.callIndirect(index)]
      }
    }
    const fitting = this.signatures.flatMap((signature, index) => (isFit(signature) ? [index] : []))
    if (fitting.length === 0) return undefined
    const index = random.pick(fitting)
    const { params } = this.signatures[index] as Signature
    return [...params.flatMap((param) => this.value(param, scope, depth - 1)), op.call(IMPORTS.length + index)]
  }

  private constant(type: Type): Node[] {
    const { random } = this
    if (random.chance(8))
      return [
        type === I32 ? op.i32(random.chance(50) ? -1 : -0x8000_0000) : op.i64(random.chance(50) ? -1n : -(1n << 63n)),
      ]
    const value = random.chance(50)
      ? random.pick(type === I32 ? SPECIAL : SPECIAL_64)
      : (BigInt(random.next()) << BigInt(random.below(33))) - BigInt(random.next())
    return [type === I32 ? op.i32(Number(BigInt.asIntN(32, value))) : op.i64(value)]
  }

  private address(scope: Scope, depth: number): Node[] {
    return this.random.chance(75) ? [op.i32(this.random.below(70_000))] : this.value(I32, scope, depth)
  }

  private access(code: number, align: number): Node {
    const offset = this.random.chance(90) ? this.random.below(200) : this.random.next()
    return op.memory(code, this.random.below(align + 1), offset)
  }

  private value(type: Type, scope: Scope, depth: number): Node[] {
    const { random } = this
    this.budget -= 1
    const locals = scope.locals.flatMap((of, index) => (of === type ? [index] : []))
    if (depth <= 0 || this.budget <= 0) {
      return locals.length > 0 && random.chance(70) ? [op.get(random.pick(locals))] : this.constant(type)
    }
    const choice = random.below(100)
    const deeper = (of: Type = type): Node[] => this.value(of, scope, depth - 1)
    if (choice < 14 && locals.length > 0) return [op.get(random.pick(locals))]
    if (choice < 22) return this.constant(type)
    if (choice < 44) {
      const binary = op.plain(random.pick(BINARY[type] as number[]))
      if (locals.length === 0 || random.chance(70)) return [...deeper(), ...deeper(), binary]
      // The local changes between its read and its use.
      const local = random.pick(locals)
      return [op.get(local), ...deeper(), ...(random.chance(70) ? [op.tee(local)] : []), binary]
    }
    if (choice < 49) return [...deeper(), op.plain(random.pick(UNARY[type] as number[]))]
    if (choice < 57) {
      if (type === I64) return [...deeper(I32), op.plain(random.pick([0xac, 0xad]))]
      const of = random.chance(50) ? I32 : I64
      if (random.chance(20)) return [...deeper(of), op.plain(of === I32 ? 0x45 : 0x50)]
      if (random.chance(15)) return [...deeper(I64), op.plain(0xa7)]
      return [...deeper(of), ...deeper(of), op.plain(random.pick(COMPARE[of] as number[]))]
    }
    if (choice < 65) {
      const [code, align] = random.pick(LOADS[type] as (readonly [number, number])[])
      return [...this.address(scope, depth - 1), this.access(code, align)]
    }
    if (choice < 70 && locals.length > 0) return [...deeper(), op.tee(random.pick(locals))]
    if (choice < 74) {
      const globals = this.globals.flatMap((global, index) => (global.type === type ? [index] : []))
      return globals.length > 0 ? [op.globalGet(random.pick(globals))] : this.constant(type)
    }
    if (choice < 79) return [...deeper(), ...deeper(), ...deeper(I32), op.plain(0x1b)]
    if (choice < 90) {
      const inner = this.inside(scope, type)
      const body = (): Node[] => [
        ...this.statements(inner, depth - 1),
        ...(random.chance(8) ? this.ending(inner, depth - 1) : []),
        ...this.value(type, inner, depth - 1),
      ]
      if (random.chance(40)) return [op.block(type, body())]
      if (random.chance(20)) {
        const again = this.inside(scope, undefined)
        const counter = scope.locals.indexOf(I32)
        const step =
          counter < 0
            ? []
            : [
                op.get(counter),
                op.i32(0x8000_0007),
                op.plain(0x71),
                op.tee(counter),
                op.i32(1),
                op.plain(0x6b),
                op.tee(counter),
                op.i32(0),
                op.plain(0x4a),
                op.brIf(0),
              ]
        return [op.loop(type, [...this.statements(again, depth - 1), ...step, ...this.value(type, again, depth - 1)])]
      }
      return [...deeper(I32), op.if(type, body(), body())]
    }
    if (choice < 94) return this.call(type, scope, depth) ?? this.constant(type)
    return type === I32 && random.chance(50) ? [op.size] : this.constant(type)
  }
}

/** Module of a seed. */
export const randomModule = (seed: number): ModuleSource => new Generator(new Random(seed)).module()
