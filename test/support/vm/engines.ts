/** Owns one call in both engines, with its results in comparable form. */
import { createHash } from 'node:crypto'
import { HOST_FUNCTIONS, Instance, type LoadedModule, Machine, type TRAP, trapName } from '../../../src/vm/index.js'
import { assembleMetered, METER, type ModuleSource, REASON } from './assembler.js'

/** Result of a call. */
export interface Outcome {
  readonly trap: string
  readonly gas: number
  readonly pages: number
  readonly memory: string
  readonly globals: readonly string[]
  /** Host calls, with the memory that they pointed to. */
  readonly host: readonly string[]
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** Host with results derived from its arguments, which records its calls. */
function mockHost(notes: string[]) {
  return (name: string, memory: Uint8Array, args: readonly number[]): number => {
    const at = (args[0] as number) >>> 0
    const there = at < memory.length ? Buffer.from(memory.subarray(at, at + 8)).toString('hex') : '-'
    notes.push(`${name}(${args.join()}) ${there}`)
    return (args[0] as number) ^ notes.length
  }
}

/** Run `main` in the interpreter. */
export function inInterpreter(module: LoadedModule, gas: number): Outcome {
  const notes: string[] = []
  const host = mockHost(notes)
  const machine = new Machine()
  const instance = new Instance(module, machine, gas, (of, place, first) => {
    const { name, params } = HOST_FUNCTIONS[place] as (typeof HOST_FUNCTIONS)[number]
    return host(name, of.memory, [...of.machine.lo.subarray(first, first + params)])
  })
  const trap = instance.run(module.def.exports.get('main') as number)
  const { memory, globalsLo, globalsHi } = instance
  return {
    trap: trapName(trap) ?? String(trap),
    gas: instance.gas,
    pages: memory.length / 65_536,
    memory: digest(memory),
    globals: module.def.globals.map(({ type }, index) =>
      type === 0x7f
        ? String(globalsLo[index])
        : String((BigInt(globalsHi[index] as number) << 32n) | BigInt((globalsLo[index] as number) >>> 0)),
    ),
    host: notes,
  }
}

/** Error texts of V8 by trap. */
const WORDS: readonly (readonly [RegExp, keyof typeof TRAP])[] = [
  [/^unreachable/, 'unreachable'],
  [/memory access out of bounds/, 'memory_bounds'],
  [/divide by zero|remainder by zero/, 'divide_by_zero'],
  [/divide result unrepresentable/, 'integer_overflow'],
  [/table index is out of bounds|signature mismatch|null function/, 'indirect_call'],
]

// The types of this library lack it.
interface Wasm {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> }
  validate(bytes: Uint8Array): boolean
}
export const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly

/** Metered module in V8, ready for calls. */
export class InV8 {
  private readonly module: object

  constructor(
    private readonly source: ModuleSource,
    units: readonly number[],
  ) {
    this.module = new wasm.Module(assembleMetered(source, units))
  }

  run(gas: number): Outcome {
    const notes: string[] = []
    const host = mockHost(notes)
    let memory: { readonly buffer: ArrayBuffer } | undefined
    const imports = Object.fromEntries(
      this.source.imports.map(({ name }) => [
        name,
        (...args: number[]) => host(name, new Uint8Array((memory as { buffer: ArrayBuffer }).buffer), args),
      ]),
    )
    const { exports } = new wasm.Instance(this.module, { host1: imports })
    memory = exports['memory'] as { readonly buffer: ArrayBuffer }
    const cell = (name: string): { value: number | bigint } => exports[name] as { value: number | bigint }
    cell(METER.gas).value = gas
    const trap = this.trapOf(exports['main'] as () => void, cell(METER.reason))
    const bytes = new Uint8Array(memory.buffer)
    return {
      trap,
      gas: trap === 'out_of_gas' ? 0 : Number(cell(METER.gas).value),
      pages: bytes.length / 65_536,
      memory: digest(bytes),
      globals: this.source.globals.map((_, index) => String(cell(`g${index}`).value)),
      host: notes,
    }
  }

  private trapOf(main: () => void, reason: { value: number | bigint }): string {
    try {
      main()
      return 'ok'
    } catch (error) {
      if (reason.value === REASON.gas) return 'out_of_gas'
      if (reason.value === REASON.stack) return 'stack_exhausted'
      const message = error instanceof Error ? error.message : String(error)
      const known = WORDS.find(([words]) => words.test(message))
      return known === undefined ? `? ${message}` : known[1]
    }
  }
}
