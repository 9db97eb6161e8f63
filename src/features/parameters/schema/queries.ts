/** Owns the query of parameters. */

import { parameterSnapshot } from '../../../api/index.js'
import { type Schema, struct } from '../../../codec/index.js'
import { defineQueries } from '../../../model/index.js'

const parametersInput: Schema<Record<string, never>> = struct('ParametersQuery', {})

export const queries = defineQueries({
  parameters: { id: 29, input: parametersInput, output: parameterSnapshot },
})
