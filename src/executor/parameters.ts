/** Owns chain parameters: current values, staged changes, and their activation at the start of a block. */
import type { ParameterDef } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { type ParameterRow, parameters, stagedParameters } from './tables.js'

function decoded<T>(def: ParameterDef<T>, bytes: Uint8Array): T {
  const value = def.schema.decode(bytes)
  if (!value.ok) throw new Error(`parameter ${def.name} in the state does not decode: ${value.fault.message}`)
  return value.value
}

function stagedBytes(state: StateReader, parameter: string, fromHeight: number): Uint8Array {
  const bytes = state.get(stagedParameters, { parameter, fromHeight })
  if (bytes === undefined) throw new Error(`the change of ${parameter} for height ${fromHeight} is missing`)
  return bytes
}

/** Value of a parameter in the given state: the stored value, or the default. */
export function parameterOf<T>(state: StateReader, def: ParameterDef<T>): T {
  const row = state.get(parameters, def.name)
  return row === undefined ? def.fallback : decoded(def, row.current)
}

/** Value at a height above the height of the state, including a change that is due by then. */
export function parameterAt<T>(state: StateReader, def: ParameterDef<T>, height: number): T {
  const due = state.get(parameters, def.name)?.staged.findLast((fromHeight) => fromHeight <= height)
  return due === undefined ? parameterOf(state, def) : decoded(def, stagedBytes(state, def.name, due))
}

/** Staged changes of a parameter, by height. */
export function stagedOf<T>(state: StateReader, def: ParameterDef<T>): { fromHeight: number; value: T }[] {
  const heights = state.get(parameters, def.name)?.staged ?? []
  return heights.map((fromHeight) => ({ fromHeight, value: decoded(def, stagedBytes(state, def.name, fromHeight)) }))
}

/** Set a value that takes effect at once, as in genesis; `encoded`: its canonical bytes. */
export const setParameterNow = (state: StateWriter, parameter: string, encoded: Uint8Array): void =>
  state.set(parameters, parameter, { current: encoded, staged: [] })

/** Stage a value that takes effect at `fromHeight`; a later change for the same height replaces it. */
export function stageParameter<T>(state: StateWriter, def: ParameterDef<T>, value: T, fromHeight: number): void {
  const row: ParameterRow = state.get(parameters, def.name) ?? { current: def.schema.encode(def.fallback), staged: [] }
  state.set(stagedParameters, { parameter: def.name, fromHeight }, def.schema.encode(value))
  if (row.staged.includes(fromHeight)) return
  state.set(parameters, def.name, { ...row, staged: [...row.staged, fromHeight].sort((a, b) => a - b) })
}

/** Activate the changes that are due; runs first in every block. */
export function activateParameters(state: StateWriter, defs: readonly ParameterDef<unknown>[], height: number): void {
  for (const { name: parameter } of defs) {
    const row = state.get(parameters, parameter)
    const due = row?.staged.filter((fromHeight) => fromHeight <= height) ?? []
    const last = due.at(-1)
    if (row === undefined || last === undefined) continue
    const current = stagedBytes(state, parameter, last)
    for (const fromHeight of due) state.delete(stagedParameters, { parameter, fromHeight })
    state.set(parameters, parameter, { current, staged: row.staged.filter((fromHeight) => fromHeight > height) })
  }
}

/** Current and staged values of a parameter. */
export const valuesToCome = <T>(state: StateReader, def: ParameterDef<T>): T[] => [
  parameterOf(state, def),
  ...stagedOf(state, def).map((change) => change.value),
]
