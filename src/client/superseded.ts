/**
 * Owns the check that one transaction supersedes another; on a pinned chain the claim of the gateway is not sufficient.
 */
import { sameBytes } from '../base/bytes.js'
import type { CodecContext } from '../codec/index.js'
import { anyInstruction, ERRORS, isErrorCode, signedTransaction } from '../model/index.js'
import type { TransactionState } from './wait.js'

/**
 * True if a rejected transaction failed because its instruction was already executed, and the approved one contains
 * that instruction. Both states are proven.
 */
export function supersedes(approved: TransactionState, rejected: TransactionState, codec: CodecContext): boolean {
  const { code = '', instruction: at } = rejected.rejection ?? {}
  if (at === undefined || !isErrorCode(code) || ERRORS[code].repeats !== true) return false
  const failed = instructionBytes(rejected, codec)[at]
  return failed !== undefined && instructionBytes(approved, codec).some((one) => sameBytes(one, failed))
}

function instructionBytes({ transaction }: TransactionState, codec: CodecContext): Buffer[] {
  const signed = transaction === undefined ? undefined : signedTransaction.decode(transaction, codec)
  if (signed === undefined || !signed.ok) return []
  return signed.value.payload.value.executable.value.map((one) => anyInstruction.encode(one, codec))
}
