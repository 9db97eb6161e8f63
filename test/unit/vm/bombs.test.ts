/** Modules that are made to be slow: work that is counted stays in proportion to their bytes and their gas. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BinaryReader } from '../../../src/vm/binary.js'
import { lowerBody } from '../../../src/vm/body.js'
import { checkModule, Instance, type LoadedModule, Machine, trapName } from '../../../src/vm/index.js'
import { LOCALS_MAX, MODULE_MAX_BYTES, PAGE_BYTES, PAGES_MAX } from '../../../src/vm/limits.js'
import { OP } from '../../../src/vm/lowered.js'
import { assemble, I32, type ModuleSource, NONE, type Node, op } from '../../support/vm/assembler.js'
import { CHECK_BOMBS, everyOpcode, RUN_BOMBS } from '../../support/vm/bombs.js'
import { wasm } from '../../support/vm/engines.js'
import { randomModule } from '../../support/vm/generator.js'

/** Words of the internal form that a byte of code becomes at most: a `call` of two bytes brings 16 arguments to their slots. */
const WORDS_PER_BYTE = 8
/** Instructions of the internal form that a gas pays for at most, and those that a segment has beside. */
const INSTRUCTIONS_PER_GAS = 2
const INSTRUCTIONS_FREE = 6

const moduleOf = (body: readonly Node[], more: Partial<ModuleSource> = {}): LoadedModule =>
  checkModule(
    assemble({
      types: [],
      imports: [],
      functions: [{ signature: { params: [], results: [] }, locals: [I32, I32], body }],
      globals: [],
      memory: { min: 1, max: 16 },
      data: [],
      exports: { main: 0 },
      ...more,
    }),
  )

/** Instructions and gas of each segment of a module's functions, in the order of the code. */
function segmentsOf({ def }: LoadedModule): { readonly gas: number; readonly instructions: number }[] {
  const segments: { gas: number; instructions: number }[] = []
  for (const body of def.functions) {
    const starts: number[] = []
    const { code } = lowerBody(def, body, (word) => starts.push(word))
    for (const word of starts) {
      if (code[word] === OP.gas) segments.push({ gas: code[word + 1] as number, instructions: 0 })
      const segment = segments.at(-1)
      if (segment !== undefined) segment.instructions += 1
    }
  }
  return segments
}

function run(module: LoadedModule, gas: number): { readonly trap: string; readonly instance: Instance } {
  const instance = new Instance(module, new Machine(), gas, () => 0)
  return { trap: trapName(instance.run(module.def.exports.get('main') as number)) ?? '', instance }
}

describe('the validation of a module of 64 KiB', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each(Object.entries(CHECK_BOMBS))('reads each byte at most once: %s', (_name, make) => {
    const bytes = make()
    expect(bytes.length).toBeLessThanOrEqual(MODULE_MAX_BYTES)
    const reads = vi.spyOn(BinaryReader.prototype, 'byte')
    const module = checkModule(bytes)
    expect(reads.mock.calls.length).toBeLessThanOrEqual(bytes.length)
    expect(wasm.validate(bytes)).toBe(true)
    const words = module.def.functions.reduce((sum, _, index) => sum + module.lowered(index).code.length, 0)
    expect(words).toBeLessThanOrEqual(WORDS_PER_BYTE * bytes.length)
  })
})

describe('the gas of a code segment', () => {
  it.each([
    ...Object.entries(RUN_BOMBS).map(([name, body]) => [name, moduleOf(body)] as const),
    ['every opcode', checkModule(assemble(everyOpcode()))] as const,
  ])('is at least the price of its instructions: %s', (_name, module) => {
    for (const { gas, instructions } of segmentsOf(module)) {
      expect(instructions).toBeLessThanOrEqual(INSTRUCTIONS_PER_GAS * gas + INSTRUCTIONS_FREE)
    }
  })

  it('is at least the price of its instructions in random modules', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      for (const { gas, instructions } of segmentsOf(checkModule(assemble(randomModule(seed))))) {
        expect([seed, instructions <= INSTRUCTIONS_PER_GAS * gas + INSTRUCTIONS_FREE]).toEqual([seed, true])
      }
    }
  })

  it('is charged before the segment runs, so that an empty loop ends when its gas is used up', () => {
    const { trap, instance } = run(moduleOf([op.loop(NONE, [op.br(0)])]), 1_000)
    expect([trap, instance.gas]).toEqual(['out_of_gas', 0])
  })
})

describe('the cost of running a module', () => {
  it('is bounded for memory, however often it grows', () => {
    const { trap, instance } = run(moduleOf([op.loop(NONE, [op.i32(1), op.grow, op.plain(0x1a), op.br(0)])]), 1_000_000)
    expect([trap, instance.memory.length]).toEqual(['out_of_gas', PAGES_MAX * PAGE_BYTES])
  })

  it('includes zeroing of grown memory, whatever an earlier call has left in it', () => {
    const at = [op.i32(PAGE_BYTES + 8)]
    const grown = [op.i32(1), op.grow, op.plain(0x1a)]
    const writes = moduleOf([...grown, ...at, op.i32(7), op.memory(0x36, 2, 0)])
    const first = run(writes, 1_000_000)
    expect([first.trap, first.instance.memory[PAGE_BYTES + 8]]).toEqual(['ok', 7])
    first.instance.release()
    const second = run(moduleOf(grown), 1_000_000)
    expect([second.trap, second.instance.memory.length]).toEqual(['ok', 2 * PAGE_BYTES])
    expect(second.instance.memory.every((byte) => byte === 0)).toBe(true)
  })

  it('is bounded for the stack, even for a recursive function with many locals', () => {
    const locals = new Array<typeof I32>(LOCALS_MAX).fill(I32)
    const itself = { signature: { params: [], results: [] }, locals, body: [op.call(0)] }
    const { trap, instance } = run(moduleOf([], { functions: [itself] }), 1_000_000)
    expect(trap).toBe('stack_exhausted')
    // 63 frames of 260 units and more: the entry of each was paid.
    expect(1_000_000 - instance.gas).toBeLessThan(4_000)
  })

  it('grows with the bytes of copied or filled memory', () => {
    const fill = [op.i32(0), op.i32(1), op.i32(PAGE_BYTES), op.fill]
    const { trap } = run(moduleOf([...fill, ...fill]), 2 * (PAGE_BYTES / 8))
    expect(trap).toBe('out_of_gas')
  })
})
