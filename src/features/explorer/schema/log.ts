/** Owns log lines: an instruction that becomes an event without state (docs/design/lanes.md 1, row 51). */

import { type Schema, string, unitEnum } from '../../../codec/index.js'
import {
  aboutParties,
  accountId,
  accountParty,
  defineEvents,
  defineInstructions,
  LOG_TEXT_MAX_BYTES,
} from '../../../model/index.js'

type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace'
const logLevel: Schema<LogLevel> = unitEnum('LogLevel', { error: 0, warn: 1, info: 2, debug: 3, trace: 4 })
export const events = defineEvents({
  logged: {
    id: 47,
    record: { by: accountId, level: logLevel, text: string(LOG_TEXT_MAX_BYTES) },
    subject: 'log',
    about: (value) => aboutParties(accountParty(value.by)),
  },
})

export const instructions = defineInstructions({
  log: { id: 51, label: 'log::write', record: { level: logLevel, text: string(LOG_TEXT_MAX_BYTES) } },
})
