/** Owns the query about the chain's parameters: all of the active ABI, with what acts now and what will. */
import { type ParameterSnapshot, parameterSnapshot } from '../../api/index.js'
import { compareText, type Json, type Schema, struct } from '../../codec/index.js'
import type { ParameterDef, QueryDef } from '../../executor/contract.js'
import { parameterOf } from '../../executor/parameters.js'
import { parameters } from '../../executor/tables.js'

const none: Schema<Record<string, never>> = struct('ParametersQuery', {}) as Schema<Record<string, never>>

export const parametersQuery: QueryDef<Record<string, never>, ParameterSnapshot> = {
  id: 29,
  kind: 'parameters',
  input: none,
  output: parameterSnapshot,
  async run({ reader, height, parameters: defs, codec }) {
    const twin = (def: ParameterDef<never>, value: unknown): Json => def.schema.toJson(value as never, codec)
    const items = defs.map((def) => {
      const staged = (reader.get(parameters, def.name)?.staged ?? []).filter((change) => change.fromHeight > height)
      return {
        name: def.name,
        value: twin(def, parameterOf(reader, def)),
        actsAfterBlocks: def.actsFrom,
        staged: staged
          .toSorted((a, b) => a.fromHeight - b.fromHeight)
          .map((change) => {
            const decoded = def.schema.decode(change.value)
            if (!decoded.ok) throw new Error(`a change of ${def.name} does not decode: ${decoded.fault.message}`)
            return { fromHeight: change.fromHeight, value: twin(def, decoded.value) }
          }),
      }
    })
    items.sort((a, b) => compareText(a.name, b.name))
    return { items, total: items.length, height }
  },
}
