/** Owns the fault of a state that cannot be read: disk or memory is at fault, never the instruction that asked. */
import { LedgerError } from '../model/errors.js'

/** The node must end; no verdict about a transaction or a block may come of it. */
export class StateFault extends Error {}

/** `storage_corrupt` for a state database that is not what was written, found when it is opened. */
export const stateCorrupt = (what: string): LedgerError =>
  new LedgerError('storage_corrupt', `the state database: ${what}`)
