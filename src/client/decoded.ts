/**
 * Owns the error for a response that does not match its schema, and is therefore not from a gateway of this release.
 */
import type { Decoded } from '../codec/index.js'
import { LedgerError } from '../model/index.js'

/** Error for a response that a Causeway gateway would not send. */
export const notAGateway = (what: string, details?: Readonly<Record<string, unknown>>): LedgerError =>
  new LedgerError('not_a_gateway', `not a Causeway gateway of this release: ${what}`, { details })

/** Value of a decoded response; throws `not_a_gateway` if it does not match its schema. */
export function decodedValue<T>(decoded: Decoded<T>): T {
  if (decoded.ok) return decoded.value
  const { code, message, ...place } = decoded.fault
  throw notAGateway(`the response does not match its schema: ${message}`, { fault: code, ...place })
}
