/** Owns the reading of hashes that people type. */
import { usageError } from '../command/failure.js'

/** A hash of 32 bytes in lower-case hex; throws `usage`. */
export function hashOf(text: string): string {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw usageError(`"${text}" is not a hash: expected 64 hex digits`)
  return text.toLowerCase()
}
