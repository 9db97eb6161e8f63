/** Owns the answer about the chain's parameters: all of the active ABI, with what acts now and what will. */

import type { ParameterSnapshot } from '../../../api/index.js'
import { compareText, type Json } from '../../../codec/index.js'
import { parameterOf, stagedOf } from '../../../executor/parameters.js'
import type { QueryRun } from '../../../executor/reads.js'
import type { ParameterDef } from '../../../model/index.js'

export const parametersQuery: QueryRun<Record<string, never>, ParameterSnapshot> = async ({
  reader,
  height,
  parameters: defs,
  codec,
}) => {
  const twin = (def: ParameterDef<unknown>, value: unknown): Json => def.schema.toJson(value as never, codec)
  const items = defs.map((def) => {
    const staged = stagedOf(reader, def).filter((change) => change.fromHeight > height)
    return {
      name: def.name,
      value: twin(def, parameterOf(reader, def)),
      actsAfterBlocks: def.activationDelay,
      staged: staged.map(({ fromHeight, value }) => ({ fromHeight, value: twin(def, value) })),
    }
  })
  items.sort((a, b) => compareText(a.name, b.name))
  return { items, total: items.length, height }
}
