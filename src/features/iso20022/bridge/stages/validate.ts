/** Owns the validation of a payment as things stand now: reference data, bindings, submitter, controls and limits, in this order. */

import { type ErrorCode, isErrorCode, LedgerError } from '../../../../model/index.js'
import { faultJson, type IsoFault, type Payment } from '../../message/index.js'
import type { BridgeContext } from '../context.js'
import { resolvePayment, UNKNOWN_SUBMITTER } from '../resolve.js'
import type { Parties } from '../transaction.js'

/** A payment that may be made, or why not: the error of the answer and what the record keeps of it. */
export type ValidationResult =
  | { readonly ok: true; readonly parties: Parties }
  | {
      readonly ok: false
      readonly error: LedgerError
      readonly reasonCode: string
      readonly detail: string | undefined
      /** Who sends it is no submitter on the ledger: anybody, who leaves nothing on the disk. */
      readonly stranger: boolean
    }

const textOf = (fault: IsoFault): string =>
  `${`${fault.path || 'submitter'} ${fault.value}`.trim()}: expected ${fault.expected}`

/** A refusal of a payment with its faults. */
export function refusal(
  code: ErrorCode,
  faults: readonly IsoFault[],
  stranger = false,
): ValidationResult & { ok: false } {
  const [first] = faults
  const reasonCode = first?.reasonCode ?? 'NARR'
  const details = { pacs002_code: 'RJCT', rejection_reason_code: reasonCode, faults: faults.map(faultJson) }
  return {
    ok: false,
    error: new LedgerError(code, faults.map(textOf).join('; '), { details }),
    reasonCode,
    detail: first?.code,
    stranger,
  }
}

/** The refusal of who is no submitter on the ledger, whatever was sent. */
export const unknownSubmitter = (): ValidationResult & { readonly ok: false } =>
  refusal('iso_submitter', [UNKNOWN_SUBMITTER], true)

/** Validates a payment of a submitter. Nothing is written. */
export async function validatePayment(
  { services, reference, pins, wallMs }: BridgeContext,
  payment: Payment,
  submitter: string,
): Promise<ValidationResult> {
  const found = await resolvePayment(services, payment, submitter, pins, wallMs())
  const listed = reference.check(payment, found.definition)
  const stranger = !found.ok && found.unknown
  if (listed.length > 0) return refusal('iso_invalid', [...listed, ...(found.ok ? [] : found.faults)], stranger)
  if (found.ok) return { ok: true, parties: found.value }
  const { faults, refusedBy, submitter: isSubmitter } = found
  if (isSubmitter) return refusal('iso_submitter', faults, stranger)
  if (refusedBy !== undefined) return refusal(isErrorCode(refusedBy) ? refusedBy : 'not_permitted', faults)
  return refusal('iso_unbound', faults)
}
