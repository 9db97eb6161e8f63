/** Owns handlers of the data model routes: layouts of records, parameters. */

import { DATA_MODEL_VERSION, type DataModel, handle, schemaRoute } from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import type { OpenRegistry, Schema } from '../../codec/index.js'
import { ALL_FRAMES, FEATURE_SCHEMAS } from '../../features/composed.js'
import { EVENT_REGISTRY, INSTRUCTION_REGISTRY } from '../../model/index.js'

type Input = { readonly services: NodeServices }

const layoutOf = (schema: Pick<Schema<unknown>, 'hash' | 'describe'>) => ({
  schemaHash: schema.hash,
  description: schema.describe(),
})

/** Labels of instructions by kind, for the instructions of this release. */
const LABELS: ReadonlyMap<string, string> = new Map(
  FEATURE_SCHEMAS.flatMap(({ instructions }) =>
    Object.values(instructions).map(({ kind, label }) => [kind, label] as const),
  ),
)

const membersOf = (registry: OpenRegistry | undefined, labels: ReadonlyMap<string, string>): DataModel['events'] =>
  (registry?.entries ?? []).map(({ id, kind, schema }) => ({ id, kind, label: labels.get(kind), ...layoutOf(schema) }))

function dataModelOf({ info, queries }: NodeServices): DataModel {
  const registries = info.codec.registries ?? {}
  return {
    dataModelVersion: DATA_MODEL_VERSION,
    abiVersion: info.abi,
    abiHash: info.abiHash,
    frames: ALL_FRAMES.map(({ typeId, schema }) => ({ typeId, name: schema.name ?? '', ...layoutOf(schema) })),
    instructions: membersOf(registries[INSTRUCTION_REGISTRY], LABELS),
    events: membersOf(registries[EVENT_REGISTRY], new Map()),
    queries: [...queries().values()].map(({ id, kind, input, output }) => ({
      id,
      kind,
      input: input.name ?? '',
      output: output.name ?? '',
    })),
  }
}

export const dataModelHandlers = [handle(schemaRoute, ({ services }: Input) => ({ value: dataModelOf(services) }))]
