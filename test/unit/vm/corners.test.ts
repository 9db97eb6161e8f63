/** Corners that random modules seldom reach, in both engines. */
import { describe, expect, it } from 'vitest'
import { checkModule } from '../../../src/vm/index.js'
import { FRAME_UNITS, STACK_UNITS_MAX } from '../../../src/vm/limits.js'
import { assemble, I32, I64, type ModuleSource, NONE, type Node, op, type Type } from '../../support/vm/assembler.js'
import { InV8, inInterpreter, type Outcome } from '../../support/vm/engines.js'

const p = op.plain

/** A body in both engines; what both came to. */
function both(
  body: readonly Node[],
  locals: readonly Type[] = [],
  more: Partial<ModuleSource> = {},
  gas = 2_000_000,
): Outcome {
  const source: ModuleSource = {
    types: [],
    imports: [],
    functions: [{ signature: { params: [], results: [] }, locals, body }],
    globals: [{ type: I64, mutable: true, value: 0n }],
    memory: { min: 1, max: 4 },
    data: [],
    exports: { main: 0 },
    ...more,
  }
  const module = checkModule(assemble(source))
  const units = source.functions.map((_, index) => FRAME_UNITS + module.lowered(index).slots)
  const own = inInterpreter(module, gas)
  expect(own).toEqual(new InV8(source, units).run(gas))
  return own
}
const keep = (nodes: readonly Node[]): Node[] => [...nodes, p(0xad), op.globalSet(0)]

describe('both virtual machine engines agree', () => {
  it.each([
    ['the last byte of a load of 8', [op.i32(65_528), op.memory(0x29, 3, 0), op.globalSet(0)], 'ok'],
    ['one byte beyond the last byte', [op.i32(65_529), op.memory(0x29, 3, 0), op.globalSet(0)], 'memory_bounds'],
    [
      'an address and an offset that pass 2^32',
      [op.i32(-1), op.memory(0x28, 2, 0xffff_ffff), p(0x1a)],
      'memory_bounds',
    ],
    [
      'the smallest number divided by minus one',
      [op.i32(-0x8000_0000), op.i32(-1), p(0x6d), p(0x1a)],
      'integer_overflow',
    ],
    ['the remainder of that division', keep([op.i32(-0x8000_0000), op.i32(-1), p(0x6f)]), 'ok'],
    ['an empty copy at the end', [op.i32(65_536), op.i32(65_536), op.i32(0), op.copy], 'ok'],
    ['an empty copy beyond the end', [op.i32(65_537), op.i32(0), op.i32(0), op.copy], 'memory_bounds'],
    ['a fill of nearly everything', [op.i32(0), op.i32(7), op.i32(-1), op.fill], 'out_of_gas'],
    ['growth to the bound and beyond', keep([op.i32(3), op.grow, op.i32(1), op.grow, p(0x6a)]), 'ok'],
  ] as const)('on %s', (_name, body, trap) => {
    expect(both(body as readonly Node[]).trap).toBe(trap)
  })

  it('on an operand below a loop that changes the local it came from', () => {
    const turn = [op.get(0), op.i32(1), p(0x6b), op.tee(0), op.brIf(0)]
    const outcome = both(keep([op.i32(5), op.set(0), op.get(0), op.loop(I32, [...turn, op.i32(100)]), p(0x6a)]), [I32])
    expect(outcome.globals).toEqual(['105'])
  })

  it('on a constant that only one of two paths passes on', () => {
    const inner = (condition: number): Node[] =>
      keep([op.block(I32, [op.i32(9), op.block(I32, [op.i32(4), op.i32(condition), op.brIf(1)]), p(0x6a)])])
    expect(both(inner(1)).globals).toEqual(['4'])
    expect(both(inner(0)).globals).toEqual(['13'])
  })

  it('on a constant that a function either returns early or uses later', () => {
    const callee = {
      signature: { params: [I32], results: [I32] },
      locals: [],
      body: [op.i32(4), op.get(0), op.brIf(0), op.i32(1), p(0x6a)],
    } as const
    const main = (condition: number): ModuleSource['functions'] => [
      { signature: { params: [], results: [] }, locals: [], body: keep([op.i32(condition), op.call(1)]) },
      callee,
    ]
    expect(both([], [], { functions: main(1) }).globals).toEqual(['4'])
    expect(both([], [], { functions: main(0) }).globals).toEqual(['5'])
  })

  it('on the stack limit: a call releases its units, and the last call that fits is entered', () => {
    const leaf = { signature: { params: [], results: [] }, locals: [], body: [] }
    const turn = [op.call(1), op.get(0), op.i32(1), p(0x6b), op.tee(0), op.brIf(0)]
    const main: ModuleSource['functions'][number] = {
      signature: { params: [], results: [] },
      locals: [I32],
      body: [op.i32(9_000), op.set(0), op.loop(NONE, turn)],
    }
    expect(both([], [], { functions: [main, leaf] }).trap).toBe('ok')
    // Frames of 4 units and one operand each: as many as fit, and one more.
    const deep = (calls: number): ModuleSource['functions'] => [
      { ...leaf, body: [op.i32(calls), op.call(1)] },
      {
        signature: { params: [I32], results: [] },
        locals: [],
        body: [op.get(0), op.if(NONE, [op.get(0), op.i32(1), p(0x6b), op.call(1)])],
      },
    ]
    // The first has one operand, the others a parameter and two operands.
    const fitting = Math.floor((STACK_UNITS_MAX - 5) / 7) - 1
    expect(both([], [], { functions: deep(fitting) }).trap).toBe('ok')
    expect(both([], [], { functions: deep(fitting + 1) }).trap).toBe('stack_exhausted')
  })
})
