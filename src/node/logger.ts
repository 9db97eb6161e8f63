/** Owns the node's log: JSON lines with a constant message and fields. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { destination, type Logger, pino, stdTimeFunctions } from 'pino'

export type { Logger } from 'pino'

/** Permissions of a log file: its owner's alone. */
const LOG_MODE = 0o600

/** Makes the log of one node, to a file or to standard output. */
export function createLogger(options: { readonly level: string; readonly file: string | undefined }): Logger {
  const settings = { level: options.level, base: null, timestamp: stdTimeFunctions.isoTime }
  if (options.file === undefined) return pino(settings, destination({ dest: 1, sync: false }))
  mkdirSync(dirname(options.file), { recursive: true })
  // What a node does is its operator's affair. The mode counts for a file that is made, so one that is there gets it too.
  closeSync(openSync(options.file, 'a', LOG_MODE))
  chmodSync(options.file, LOG_MODE)
  return pino(settings, destination({ dest: options.file, sync: false }))
}
