/** Owns what the client makes of an answer that is not of its schema: it came from another release. */
import type { Decoded } from '../codec/index.js'
import { LedgerError } from '../model/index.js'

/** The value of an answer; throws the fault of one that is not of its schema. */
export function decodedValue<T>(decoded: Decoded<T>): T {
  if (decoded.ok) return decoded.value
  const { code, message, ...place } = decoded.fault
  throw new LedgerError(code, `the answer is none of this release: ${message}`, {
    hint: 'Compare the releases of this program and of the node: GET /v1/node/capabilities.',
    details: place,
  })
}
