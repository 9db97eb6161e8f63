/** Owns reading a payment from a transaction that claims a message, with what became of it. */
import { type EntryOutcome, isInstruction, rejectionOf, type TransactionPayload } from '../../../model/index.js'
import { instructions as assets, type Transfer } from '../../assets/schema/instructions.js'
import { errors } from './errors.js'
import { type ClaimMessage, instructions } from './instructions.js'

/** A claim with its transfer; `code`: number of the error that they were rejected with; undefined: paid. */
export interface ClaimedPayment {
  readonly claim: ClaimMessage
  readonly transfer: Transfer
  readonly code: number | undefined
}

/**
 * Claim and transfer of a transaction. Of a rejected one only where its submitter had allowed the claim: the transfer failed, or
 * a limit of the submitter did. Any other rejection may be that of a stranger, who must not speak of messages that are not his.
 */
export function claimedPayment({ executable }: TransactionPayload, outcome: EntryOutcome): ClaimedPayment | undefined {
  const at = executable.value.length - 2
  const [claim, next] = executable.value.slice(-2)
  if (claim === undefined || !isInstruction(claim, instructions.claimMessage)) return undefined
  if (next === undefined || !isInstruction(next, assets.transfer)) return undefined
  const found = { claim: claim.value, transfer: next.value }
  const rejection = rejectionOf(outcome)
  if (rejection === undefined) return { ...found, code: undefined }
  const { instruction, code } = rejection
  if (instruction !== at + 1 && !(instruction === at && code === errors.iso_limit.number)) return undefined
  return { ...found, code }
}
