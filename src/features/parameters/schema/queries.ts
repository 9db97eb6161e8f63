/** Owns the query of parameters. */

import { parameterSnapshot } from '../../../api/index.js'
import { type Schema, struct } from '../../../codec/index.js'
import { defineQuery } from '../../../model/index.js'
import { PARAMETER_QUERIES as ID } from './ids.js'

const parametersInput: Schema<Record<string, never>> = struct('ParametersQuery', {})

export const parameters = defineQuery(ID.parameters, 'parameters', parametersInput, parameterSnapshot)
