/** Owns the event of parameters. */

import { string } from '../../../codec/index.js'
import { aboutObjects, defineEvents, name } from '../../../model/index.js'

export const events = defineEvents({
  parameterChanged: {
    id: 12,
    record: { parameter: name, value: string(16 * 1024) },
    subject: 'parameter',
    about: (value) => aboutObjects(value.parameter),
  },
})
