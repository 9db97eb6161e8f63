/** Owns the error of a body that is not a payment: one code per stage, with all faults of the stage in the details. */
// Its codes must be in the catalogue.
import '../schema/errors.js'
import { type ErrorCode, LedgerError } from '../../../model/index.js'
import { type FaultStage, faultJson, type PaymentsResult } from '../message/index.js'

const STAGE_CODES: Readonly<Record<FaultStage, ErrorCode>> = {
  size: 'iso_too_large',
  encoding: 'iso_encoding',
  malformed: 'iso_malformed',
  invalid: 'iso_invalid',
}

/** Error of a body that the reader refused. */
export function parseRefusal({ stage, faults }: Extract<PaymentsResult, { ok: false }>): LedgerError {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const where = first?.path ? `${first.path}: ` : ''
  const what = first === undefined ? 'refused' : `expected ${first.expected}`
  return new LedgerError(STAGE_CODES[stage], `${where}${what}${more}`, {
    details: { stage, faults: faults.map(faultJson) },
  })
}
