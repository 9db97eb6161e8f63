/** Owns the rejection of an instruction. */
import type { ErrorCode } from '../model/index.js'

/** Rejection of an instruction; the code is hashed, the human-readable text is not. */
export interface Rejection {
  readonly code: ErrorCode
  readonly message: string
}
/** Build a rejection. */
export const reject = (code: ErrorCode, message: string): Rejection => ({ code, message })
