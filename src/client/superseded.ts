/** Owns the check that one transaction stands for another: the gateway's word on it is not enough where a chain is pinned. */
import { sameBytes } from '../base/bytes.js'
import type { CodecContext } from '../codec/index.js'
import { anyInstruction, ERRORS, isErrorCode, signedTransaction } from '../model/index.js'
import type { TransactionState } from './wait.js'

/**
 * True where a rejected transaction failed because its instruction had been carried out, and the approved one holds that
 * very instruction. Both states are proven.
 */
export function standsFor(approved: TransactionState, rejected: TransactionState, codec: CodecContext): boolean {
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
