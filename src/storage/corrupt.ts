/** Owns the error for changed committed bytes on disk. */
import { LedgerError } from '../model/index.js'

/** `storage_corrupt` with the height (0: unknown) and the file. */
export function corrupt(height: number, file: string, what: string): LedgerError {
  const where = height === 0 ? file : `block ${height}: ${file}`
  return new LedgerError('storage_corrupt', `${where}: ${what}`, { details: { height, file, what } })
}
