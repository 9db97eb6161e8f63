/** Owns the node's log: JSON lines with a constant message and fields (design/architecture.md, "Engineering rules"). */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { destination, type Logger, pino, stdTimeFunctions } from 'pino'

export type { Logger } from 'pino'

/** Makes the log of one node, to a file or to standard output. */
export function createLogger(options: { readonly level: string; readonly file: string | undefined }): Logger {
  const settings = { level: options.level, base: null, timestamp: stdTimeFunctions.isoTime }
  if (options.file === undefined) return pino(settings, destination({ dest: 1, sync: false }))
  mkdirSync(dirname(options.file), { recursive: true })
  return pino(settings, destination({ dest: options.file, sync: false, mkdir: true }))
}
