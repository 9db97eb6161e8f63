/**
 * Owns the final check of messages that are written from the ledger: they must be complete, and the reader of the
 * bridge must accept them.
 */
import { LedgerError } from '../../../model/index.js'
import '../schema/errors.js'
import { parseMessage } from './parsed/parse.js'
import { type FlatPairs, flatLines } from './write.js'

/**
 * Select the fields that have a value, as flat pairs of a family. `names`: names for error texts of required fields
 * that may be absent on the ledger. Throws `iso_unmapped` if one of those is missing, or if the reader refuses the
 * message.
 */
export function readablePairs(
  family: string,
  fields: readonly (readonly [key: string, value: string | undefined])[],
  names: Readonly<Record<string, string>>,
): FlatPairs {
  const pairs: [string, string][] = []
  const missing: string[] = []
  for (const [key, value] of fields) {
    if (value !== undefined) pairs.push([key, value])
    else if (names[key] !== undefined) missing.push(names[key])
  }
  if (missing.length > 0)
    throw new LedgerError('iso_unmapped', `cannot write ${family}: ${missing.join(', ')} is missing`)
  const read = parseMessage(Buffer.from(flatLines(pairs)), { family })
  if (read.ok) return pairs
  const faults = read.faults.map(({ path, expected }) => `${path}: expected ${expected}`)
  throw new LedgerError('iso_unmapped', `cannot write ${family}: ${faults.join('; ')}`)
}
