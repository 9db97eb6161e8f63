/** Owns the comparison of both engines on a random module. */

import { checkModule } from '../../../src/vm/index.js'
import { FRAME_UNITS } from '../../../src/vm/limits.js'
import { assemble, type ModuleSource } from './assembler.js'
import { InV8, inInterpreter, type Outcome } from './engines.js'
import { randomModule } from './generator.js'

/** Results of both engines for a gas limit. */
export interface Both {
  readonly gas: number
  readonly own: Outcome
  readonly v8: Outcome
}

/** Results of both engines for the module of a seed at two gas limits: one pair for each. */
export const bothEngines = (seed: number): Both[] => bothOf(randomModule(seed), [30_000, 500 + (seed % 3_000)])

/** Results of both engines for a module at some gas limits. */
export function bothOf(source: ModuleSource, limits: readonly number[]): Both[] {
  const module = checkModule(assemble(source))
  const units = source.functions.map((_, index) => FRAME_UNITS + module.lowered(index).slots)
  const inV8 = new InV8(source, units)
  return limits.map((gas) => ({ gas, own: inInterpreter(module, gas), v8: inV8.run(gas) }))
}
