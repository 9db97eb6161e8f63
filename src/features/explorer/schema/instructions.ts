/** Owns the record of log lines (docs/design/lanes.md 1, row 51). */

import { string } from '../../../codec/index.js'
import { defineInstructions, LOG_TEXT_MAX_BYTES } from '../../../model/index.js'
import { logLevel } from './events.js'

export const instructions = defineInstructions({
  log: { id: 51, label: 'log::write', record: { level: logLevel, text: string(LOG_TEXT_MAX_BYTES) } },
})
