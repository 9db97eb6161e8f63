/** Owns the record of log lines (docs/design/lanes.md 1, row 51). */

import { type Infer, string, struct } from '../../../codec/index.js'
import { defineInstruction, LOG_TEXT_MAX_BYTES } from '../../../model/index.js'
import { logLevel } from './events.js'
import { EXPLORER_INSTRUCTIONS as ID } from './ids.js'

export interface Log extends Infer<typeof log_> {}
const log_ = struct('Log', { level: logLevel, text: string(LOG_TEXT_MAX_BYTES) })
export const log = defineInstruction<Log>(ID.log, 'log', 'log::write', log_)
