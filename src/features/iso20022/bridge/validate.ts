/** Owns the verdict on a valid message: reference data, bindings, submitter, controls and limits, in this order. */

import type { NodeServices } from '../../../api/services.js'
import { type ErrorCode, isErrorCode, LedgerError } from '../../../model/index.js'
import { faultJson, type IsoFault, type Payment } from '../message/index.js'
import type { ReferenceData } from '../refdata/service.js'
import { type PinMode, type ResolvedPayment, resolvePayment } from './resolve.js'

/** A payment that may be made, or why not: the error of the answer and what the record keeps of it. */
export type ValidationResult =
  | { readonly ok: true; readonly parties: ResolvedPayment }
  | {
      readonly ok: false
      readonly error: LedgerError
      readonly reasonCode: string
      readonly detail: string | undefined
    }

/** What a verdict rests on. */
export interface ValidationContext {
  readonly services: NodeServices
  readonly reference: ReferenceData
  readonly pins: PinMode
  readonly clockMs: () => number
}

const textOf = (fault: IsoFault): string =>
  `${`${fault.path || 'submitter'} ${fault.value}`.trim()}: expected ${fault.expected}`

function refusal(
  code: ErrorCode,
  faults: readonly IsoFault[],
  message = faults.map(textOf).join('; '),
): ValidationResult {
  const [first] = faults
  const reasonCode = first?.reasonCode ?? 'NARR'
  const details = { pacs002_code: 'RJCT', rejection_reason_code: reasonCode, faults: faults.map(faultJson) }
  return { ok: false, error: new LedgerError(code, message, { details }), reasonCode, detail: first?.code }
}

/** Judges a payment of a submitter as things stand now. Nothing is written. */
export async function validatePayment(
  context: ValidationContext,
  payment: Payment,
  submitter: string,
): Promise<ValidationResult> {
  const { services, reference, pins, clockMs } = context
  const found = await resolvePayment(services, payment, submitter, pins, clockMs())
  const listed = reference.check(payment, found.definition)
  if (listed.length > 0) return refusal('iso_invalid', [...listed, ...(found.ok ? [] : found.faults)])
  if (found.ok) return { ok: true, parties: found.value }
  const { faults, refusedBy, submitter: isSubmitter } = found
  if (isSubmitter) return refusal('iso_submitter', faults)
  if (refusedBy !== undefined) return refusal(isErrorCode(refusedBy) ? refusedBy : 'not_permitted', faults)
  return refusal('iso_unbound', faults)
}
