/** Owns parameters of the chain as clients see them: instruction, event, query and route. */

import { defineSchema } from '../../api/feature.js'
import { parameterSnapshot } from '../../api/index.js'
import { defineRoute } from '../../api/route.js'
import { type Schema, string, struct } from '../../codec/index.js'
import {
  aboutObjects,
  CORE_IDS,
  defineEvents,
  defineInstructions,
  defineQueries,
  metadataValue,
  name,
} from '../../model/index.js'

export const instructions = defineInstructions({
  setParameter: {
    id: 29,
    label: 'parameter::set',
    record: {
      name,
      /** JSON form of the parameter's own schema. */
      value: metadataValue,
    },
  },
})

export const events = defineEvents({
  parameterChanged: {
    id: 12,
    record: { parameter: name, value: string(16 * 1024) },
    subject: 'parameter',
    about: (value) => aboutObjects(value.parameter),
  },
})

const parametersInput: Schema<Record<string, never>> = struct('ParametersQuery', {})

export const queries = defineQueries({
  parameters: { id: 29, input: parametersInput, output: parameterSnapshot },
})

const parametersRoute = defineRoute({
  id: 'parameters',
  tool: { name: 'parameters', about: 'Parameters of the chain' },
  method: 'GET',
  path: '/v1/parameters',
  summary: 'Parameters of the chain: current values and pending changes',
  access: 'public',
  format: 'json',
  response: parameterSnapshot,
}).byQuery(queries.parameters, () => ({}))

export const parameterSchema = defineSchema({
  name: 'parameters',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions,
  events,
  queries,
  parameters: [],
  routes: { parameters: parametersRoute },
  topics: { parameter: 'Parameters of the chain' },
})
