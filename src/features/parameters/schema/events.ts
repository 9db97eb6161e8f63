/** Owns the event of parameters. */

import { string, struct } from '../../../codec/index.js'
import { aboutObjects, defineEvent, name } from '../../../model/index.js'
import { PARAMETER_EVENTS as ID } from './ids.js'

export const parameterChanged = defineEvent(
  ID.parameterChanged,
  'parameterChanged',
  struct('ParameterChanged', { parameter: name, value: string(16 * 1024) }),
  { subject: 'parameter', about: (value) => aboutObjects(value.parameter) },
)
