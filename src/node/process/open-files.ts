/** Owns the open file limit of this process: required and available. */
import { readFile } from 'node:fs/promises'
import type { Logger } from './logger.js'

/** Minimum number of open files: connections of clients and peers, and files of the database. */
export const OPEN_FILES_MIN = 4_096

/** Limits of this process in the text form of Linux; empty on other systems. */
export const processLimits = (): Promise<string> => readFile('/proc/self/limits', 'latin1').catch(() => '')

/** Open file limit; undefined if the system does not report it. */
export function openFilesLimit(limits: string): number | undefined {
  const digits = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Warn about a limit that connections and the database may reach: a node without free descriptors cannot accept
 * connections.
 */
export function warnOfFewFiles(limits: string, logger: Pick<Logger, 'warn'>): void {
  const limit = openFilesLimit(limits)
  if (limit === undefined || limit >= OPEN_FILES_MIN) return
  logger.warn(
    { limit, hint: `Set LimitNOFILE of the unit, or ulimit -n, to ${OPEN_FILES_MIN} or more.` },
    `the limit of open files is ${limit}, but a node needs ${OPEN_FILES_MIN}`,
  )
}
