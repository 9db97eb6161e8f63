/** Owns the validation of a payment against the current state: reference data, bindings, submitter, controls and limits, in this order. */

import { type AccountId, type ErrorCode, isErrorCode, LedgerError } from '../../../../model/index.js'
import { faultJson, type IsoFault, type Payment } from '../../message/index.js'
import type { ReferenceData } from '../../refdata/service.js'
import type { BridgeContext } from '../context.js'
import { type Resolved, resolvePayments, UNKNOWN_SUBMITTER } from '../resolve.js'
import type { Parties } from '../transaction.js'

/** Valid payment, or the error of the response and the reason for the record. */
export type ValidationResult =
  | { readonly ok: true; readonly parties: Parties }
  | {
      readonly ok: false
      readonly error: LedgerError
      readonly reasonCode: string
      readonly detail: string | undefined
      readonly faults: readonly IsoFault[]
      /** True if the sender is not a submitter on the ledger; no record of the message is then written. */
      readonly unregistered: boolean
    }

const textOf = (fault: IsoFault): string =>
  `${`${fault.path || 'submitter'} ${fault.value}`.trim()}: expected ${fault.expected}`

/** Refusal of a payment with its faults. */
export function refusal(
  code: ErrorCode,
  faults: readonly IsoFault[],
  unregistered = false,
): ValidationResult & { ok: false } {
  const [first] = faults
  const reasonCode = first?.reasonCode ?? 'NARR'
  const details = { pacs002_code: 'RJCT', rejection_reason_code: reasonCode, faults: faults.map(faultJson) }
  return {
    ok: false,
    error: new LedgerError(code, faults.map(textOf).join('; '), { details }),
    reasonCode,
    detail: first?.code,
    faults,
    unregistered,
  }
}

/** Refusal of a sender that is not a submitter on the ledger. */
export const unknownSubmitter = (): ValidationResult & { readonly ok: false } =>
  refusal('iso_submitter', [UNKNOWN_SUBMITTER], true)

/** Validate payments of a submitter, in the order in which they would be made. Writes nothing. */
export async function validatePayments(
  { services, store, reference, pins, wallMs }: BridgeContext,
  payments: readonly Payment[],
  submitter: AccountId,
): Promise<readonly ValidationResult[]> {
  const options = { mode: pins, timeMs: wallMs(), open: store.sent.openOf(submitter) }
  const resolved = await resolvePayments(services, payments, submitter, options)
  return payments.map((payment, at) => resultOf(reference, payment, resolved[at] as Resolved))
}

/** Validate a payment of a submitter. Writes nothing. */
export async function validatePayment(
  context: BridgeContext,
  payment: Payment,
  submitter: AccountId,
): Promise<ValidationResult> {
  const [result] = await validatePayments(context, [payment], submitter)
  return result as ValidationResult
}

function resultOf(reference: ReferenceData, payment: Payment, found: Resolved): ValidationResult {
  const listed = reference.check(payment, found.definition)
  const unregistered = !found.ok && found.unknown
  if (listed.length > 0) return refusal('iso_invalid', [...listed, ...(found.ok ? [] : found.faults)], unregistered)
  if (found.ok) return { ok: true, parties: found.value }
  const { faults, refusedBy, submitter: isSubmitter } = found
  if (isSubmitter) return refusal('iso_submitter', faults, unregistered)
  if (refusedBy !== undefined) return refusal(isErrorCode(refusedBy) ? refusedBy : 'not_permitted', faults)
  return refusal('iso_unbound', faults)
}
