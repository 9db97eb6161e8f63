/** The client-side list of features: what encodes and decodes records without the node (design/architecture.md, "A feature"). */
import type { EventSchema, InstructionSchema } from '../api/definition.js'
import { type CodecContext, type OpenEntry, openRegistry, type Schema } from '../codec/index.js'
import { type ErrorDef, EVENT_REGISTRY, INSTRUCTION_REGISTRY } from '../model/index.js'
import { errors as coreErrors } from './core/schema/errors.js'
import { CORE_EVENT_LIST } from './core/schema/events.js'
import { CORE_INSTRUCTION_SCHEMAS } from './core/schema/instructions.js'
import { errors as isoErrors } from './iso20022/schema/errors.js'
import { ISO_EVENT_LIST } from './iso20022/schema/events.js'
import { ISO_INSTRUCTION_SCHEMAS } from './iso20022/schema/instructions.js'
import { errors as laneErrors } from './lanes/schema/errors.js'
import { LANE_EVENT_LIST } from './lanes/schema/events.js'
import { LANE_INSTRUCTION_SCHEMAS } from './lanes/schema/instructions.js'

/** The schema side of one feature. */
export interface FeatureSchemas {
  readonly name: string
  readonly instructions: readonly InstructionSchema<never>[]
  readonly events: readonly EventSchema<never>[]
  readonly errors: Readonly<Record<string, ErrorDef>>
}

export const FEATURE_SCHEMAS: readonly FeatureSchemas[] = [
  {
    name: 'core',
    instructions: CORE_INSTRUCTION_SCHEMAS as unknown as FeatureSchemas['instructions'],
    events: CORE_EVENT_LIST as unknown as FeatureSchemas['events'],
    errors: coreErrors,
  },
  {
    name: 'iso20022',
    instructions: ISO_INSTRUCTION_SCHEMAS as unknown as FeatureSchemas['instructions'],
    events: ISO_EVENT_LIST as unknown as FeatureSchemas['events'],
    errors: isoErrors,
  },
  {
    name: 'lanes',
    instructions: LANE_INSTRUCTION_SCHEMAS as unknown as FeatureSchemas['instructions'],
    events: LANE_EVENT_LIST as unknown as FeatureSchemas['events'],
    errors: laneErrors,
  },
]

/** Feature that each kind of event belongs to. */
export const EVENT_FAMILIES: ReadonlyMap<string, string> = new Map(
  FEATURE_SCHEMAS.flatMap(({ name, events }) => events.map(({ kind }) => [kind, name] as const)),
)

const entryOf = (def: { id: number; kind: string; schema: Schema<never> }): OpenEntry => ({
  id: def.id,
  kind: def.kind,
  schema: def.schema as unknown as Schema<unknown>,
})

const registries = {
  [INSTRUCTION_REGISTRY]: openRegistry(
    INSTRUCTION_REGISTRY,
    FEATURE_SCHEMAS.flatMap((feature) => feature.instructions).map(entryOf),
  ),
  [EVENT_REGISTRY]: openRegistry(EVENT_REGISTRY, FEATURE_SCHEMAS.flatMap((feature) => feature.events).map(entryOf)),
}

/** What the codec needs to read and write records of a chain with this address prefix. */
export const clientCodec = (addressPrefix: string): CodecContext => ({ registries, addressPrefix })
