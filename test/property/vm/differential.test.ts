/** The interpreter against V8, metered by instructions: outcome, gas, memory, globals and calls of the host of random modules. */
import { expect, it } from 'vitest'
import { slice } from '../../suites.mjs'
import { TEST_MS } from '../../support/ports.js'
import { bothEngines } from '../../support/vm/compare.js'

const COUNT = Number(process.env['CAUSEWAY_VM_MODULES'] ?? slice(500, 1_500))
const FIRST = Number(process.env['CAUSEWAY_VM_SEED'] ?? 1)

/** Longest time of a module in both engines, in ms. */
const TIME_PER_MODULE = 100

it(`${COUNT} random modules give the same result in both engines, with exactly the same gas`, {
  timeout: TEST_MS + TIME_PER_MODULE * COUNT,
}, () => {
  const traps = new Map<string, number>()
  for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
    for (const { gas, own, v8 } of bothEngines(seed)) {
      expect({ seed, limit: gas, ...own }).toEqual({ seed, limit: gas, ...v8 })
      traps.set(own.trap, (traps.get(own.trap) ?? 0) + 1)
    }
  }
  // The generator reaches what it is there for.
  const often = [
    'ok',
    'out_of_gas',
    'memory_bounds',
    'divide_by_zero',
    'indirect_call',
    'stack_exhausted',
    'unreachable',
  ]
  for (const trap of often) expect([trap, (traps.get(trap) ?? 0) >= COUNT / 250]).toEqual([trap, true])
})
