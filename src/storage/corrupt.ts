/** Owns the error for committed bytes on disk that were changed. */
import { LedgerError } from '../model/index.js'

/** `storage_corrupt` with the height (0: not known) and the file. */
export function corrupt(height: number, file: string, what: string): LedgerError {
  const where = height === 0 ? file : `block ${height}: ${file}`
  return new LedgerError('storage_corrupt', `${where}: ${what}`, { details: { height, file, what } })
}
