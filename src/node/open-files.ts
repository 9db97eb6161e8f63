/** Owns the limit of open files of this process: what a node needs, and what the system allows. */
import { readFile } from 'node:fs/promises'
import type { Logger } from './logger.js'

/** Open files: connections of clients and peers, plus those of the database. */
export const OPEN_FILES_MIN = 4_096

/** The limits of this process as Linux writes them; empty elsewhere. */
export const processLimits = (): Promise<string> => readFile('/proc/self/limits', 'latin1').catch(() => '')

/** The limit of open files, where the system tells it. */
export function openFilesLimit(limits: string): number | undefined {
  const digits = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Warns of a limit that connections and the database may meet: a node without room for a file accepts no connection. */
export function warnOfFewFiles(limits: string, logger: Pick<Logger, 'warn'>): void {
  const limit = openFilesLimit(limits)
  if (limit === undefined || limit >= OPEN_FILES_MIN) return
  logger.warn(
    { limit, hint: `Set LimitNOFILE of the unit, or ulimit -n, to ${OPEN_FILES_MIN} or more.` },
    `the limit of open files is ${limit}, a node needs ${OPEN_FILES_MIN}`,
  )
}
