/** Owns the event of log lines. */
import { type Schema, string, unitEnum } from '../../../codec/index.js'
import { aboutParties, accountId, accountParty, defineEvents, LOG_TEXT_MAX_BYTES } from '../../../model/index.js'

export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace'
export const logLevel: Schema<LogLevel> = unitEnum('LogLevel', { error: 0, warn: 1, info: 2, debug: 3, trace: 4 })
export const events = defineEvents({
  logged: {
    id: 47,
    record: { by: accountId, level: logLevel, text: string(LOG_TEXT_MAX_BYTES) },
    subject: 'log',
    about: (value) => aboutParties(accountParty(value.by)),
  },
})
