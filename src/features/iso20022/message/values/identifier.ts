/**
 * Owns identifiers: message ids, which identify a payment in URLs and on the ledger, UETR, LEI and creditor reference.
 */

import { areGenerated, remainderBy97 } from '../../../../base/mod97.js'
import { isIsoText } from '../../../../model/iso-text.js'
import type { ValueProblem } from './problem.js'

/** Maximum characters of a message id (ISO 20022 Max35Text). */
const MAX_ID_CHARS = 35

const UETR = /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/

/**
 * Check a message id: 1 to 35 characters of the set, no //, no leading or trailing slash, no . or .. as a path segment.
 */
export function checkMessageId(value: string): ValueProblem | undefined {
  const problem = (code: string, expected: string, hint?: string): ValueProblem => ({
    code,
    expected,
    reasonCode: 'FF01',
    hint,
  })
  if (value === '') return problem('message_id_empty', `1 to ${MAX_ID_CHARS} characters`)
  if (!isIsoText(value)) {
    return problem(
      'message_id_characters',
      "letters, digits, blank and / - ? : ( ) . , ' +",
      'Other characters are not passed on by every bank.',
    )
  }
  if (value.length > MAX_ID_CHARS)
    return problem('message_id_length', `1 to ${MAX_ID_CHARS} characters`, `It has ${value.length}.`)
  if (value.startsWith(' ') || value.endsWith(' ')) return problem('message_id_blank', 'no blank at either end')
  if (value.startsWith('/') || value.endsWith('/') || value.includes('//')) {
    return problem('message_id_slash', 'no slash at either end and no double slash')
  }
  if (value.split('/').some((segment) => segment === '.' || segment === '..')) {
    return problem('message_id_segment', 'no . or .. between slashes', 'The id is part of an address.')
  }
  return undefined
}

/** Check a unique end-to-end transaction reference: a version 4 UUID in lower case (RFC 9562). */
export function checkUetr(value: string): ValueProblem | undefined {
  if (UETR.test(value)) return undefined
  return {
    code: 'uetr_format',
    expected: 'a version 4 UUID in lower case',
    reasonCode: 'FF01',
    hint: UETR.test(value.toLowerCase()) ? 'Use lower case.' : undefined,
  }
}

/** Check a legal entity identifier (ISO 17442): 18 letters or digits and two check digits. */
export function checkLei(value: string): ValueProblem | undefined {
  const problem = (code: string, expected: string, hint?: string): ValueProblem => ({
    code,
    expected,
    reasonCode: 'FF01',
    hint,
  })
  if (!/^[A-Z0-9]{18}[0-9]{2}$/.test(value)) return problem('lei_format', '18 letters or digits and 2 check digits')
  if (remainderBy97(value) === 1 && areGenerated(value.slice(18))) return undefined
  return problem('lei_checksum', 'check digits by modulo 97', 'LegalEntityIdentifierRule: ISO 17442.')
}

/**
 * True if a structured creditor reference (ISO 11649) has a valid form and valid check digits; blanks of the printed
 * form are allowed.
 */
export function isCreditorReference(value: string): boolean {
  const reference = value.replace(/ /g, '').toUpperCase()
  const isFormed = /^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(reference)
  return (
    isFormed && remainderBy97(reference.slice(4) + reference.slice(0, 4)) === 1 && areGenerated(reference.slice(2, 4))
  )
}
