/** Owns the record of log lines (docs/design/lanes.md 1, row 51). */

import { type Schema, string, struct } from '../../../codec/index.js'
import { defineInstruction, LOG_TEXT_MAX_BYTES } from '../../../model/index.js'
import { type LogLevel, logLevel } from './events.js'
import { EXPLORER_INSTRUCTIONS as ID } from './ids.js'

export interface Log {
  readonly level: LogLevel
  readonly text: string
}
const log_ = struct('Log', { level: logLevel, text: string(LOG_TEXT_MAX_BYTES) })
export const log = defineInstruction<Log>(ID.log, 'log', 'log::write', log_ as Schema<Log>)
