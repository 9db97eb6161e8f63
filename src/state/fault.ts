/** Owns the fault of an unreadable state; it is caused by disk or memory, never by the instruction that read it. */
import { LedgerError } from '../model/errors.js'

/** Fault that must end the node; it must not become a result of a transaction or a block. */
export class StateFault extends Error {}

/** `storage_corrupt` for a corrupt state database, detected when it is opened. */
export const stateCorrupt = (what: string): LedgerError =>
  new LedgerError('storage_corrupt', `the state database: ${what}`)
