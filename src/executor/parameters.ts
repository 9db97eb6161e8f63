/** Owns chain parameters: reading what acts now, staging what acts later, activating it at the start of a block. */
import type { StateReader, StateWriter } from '../state/index.js'
import type { ParameterDef } from './contract.js'
import { parameters } from './tables.js'

/** Value of a parameter in the given state: the stored one, or the default of its definition. */
export function parameterOf<T>(state: StateReader, def: ParameterDef<T>): T {
  const row = state.get(parameters, def.name)
  if (row === undefined) return def.fallback
  const decoded = def.schema.decode(row.current)
  if (!decoded.ok) throw new Error(`parameter ${def.name} in the state does not decode: ${decoded.fault.message}`)
  return decoded.value
}

/** Value that acts at a height above the state's: a change that is due then counts already. */
export function parameterAt<T>(state: StateReader, def: ParameterDef<T>, height: number): T {
  const due = state
    .get(parameters, def.name)
    ?.staged.filter((change) => change.fromHeight <= height)
    .sort((a, b) => a.fromHeight - b.fromHeight)
    .at(-1)
  if (due === undefined) return parameterOf(state, def)
  const decoded = def.schema.decode(due.value)
  if (!decoded.ok) throw new Error(`parameter ${def.name} in the state does not decode: ${decoded.fault.message}`)
  return decoded.value
}

/** Stages a value so that it acts from `fromHeight`; a later change for the same height replaces an earlier one. */
export function stageParameter<T>(state: StateWriter, def: ParameterDef<T>, value: T, fromHeight: number): void {
  const encoded = def.schema.encode(value)
  const row = state.get(parameters, def.name)
  const current = row?.current ?? def.schema.encode(def.fallback)
  const staged = (row?.staged ?? []).filter((change) => change.fromHeight !== fromHeight)
  state.set(parameters, def.name, { current, staged: [...staged, { fromHeight, value: encoded }] })
}

/** Makes the changes that are due current; runs first in every block. */
export function activateParameters(state: StateWriter, defs: readonly ParameterDef<never>[], height: number): void {
  for (const def of defs) {
    const row = state.get(parameters, def.name)
    if (row === undefined || row.staged.length === 0) continue
    const due = row.staged.filter((change) => change.fromHeight <= height).sort((a, b) => a.fromHeight - b.fromHeight)
    const last = due.at(-1)
    if (last === undefined) continue
    const staged = row.staged.filter((change) => change.fromHeight > height)
    state.set(parameters, def.name, { current: last.value, staged })
  }
}
