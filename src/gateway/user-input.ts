/** Owns the reading of requests with aliases in place of the ids of accounts and asset definitions. */
import type { NodeServices } from '../api/services.js'
import type { CodecContext } from '../codec/index.js'
import { readWithTexts } from '../features/texts.js'
import { type ErrorCode, LedgerError } from '../model/index.js'

/** Fault codes that an alias in place of an id can cause. */
const MAY_BE_ALIAS: ReadonlySet<ErrorCode> = new Set(['bad_value', 'validation_failed'])

/** True for a fault that may disappear when aliases are replaced by ids. */
export const mayBeAlias = (fault: unknown): fault is LedgerError =>
  fault instanceof LedgerError && MAY_BE_ALIAS.has(fault.code)

/** Read user input unchanged; if that fails, read it again with the aliases resolved. */
export async function readUserInput<T>(
  services: NodeServices,
  read: (codec: CodecContext) => T | LedgerError,
): Promise<T | LedgerError> {
  const first = read(services.info.codec)
  return mayBeAlias(first) ? readAgain(services, read) : first
}

/** Read user input after resolving the aliases in it. */
export const readAgain = <T>(
  services: NodeServices,
  read: (codec: CodecContext) => T | LedgerError,
): Promise<T | LedgerError> => readWithTexts(services, 'alias', read)
