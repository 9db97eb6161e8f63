/** Owns current and staged values of parameters: an object that one of its values names must stay. */

import { parameterOf, stagedOf } from '../executor/parameters.js'
import type { ParameterDef } from '../model/index.js'
import type { StateReader } from '../state/index.js'

/** Values that a parameter has or will have. */
export const valuesToCome = <T>(state: StateReader, def: ParameterDef<T>): T[] => [
  parameterOf(state, def),
  ...stagedOf(state, def).map((change) => change.value),
]
