/** Owns records during admission: their decoded parts, and the requests to the ledger about them. */

import { definedFields } from '../../base/defined-fields.js'
import { envelopeFault } from '../../executor/index.js'
import type { RoutingDecision } from '../../lanes/index.js'
import { isErrorCode, keyBytes, openEnvelope, type TransactionEnvelope } from '../../model/index.js'
import type { QueuedTransaction } from '../../queue/index.js'
import type { Content, ContentRules, Refusal } from '../content/content.js'
import type { AdmitProof, LedgerRequest } from '../ledger/protocol.js'
import { refusal } from './refusals.js'

/** Record during admission. */
export interface Pending {
  readonly id: Buffer
  readonly signedHash: Buffer
  readonly bytes: Buffer
  readonly signed: TransactionEnvelope
}

/** Record with decoded content. */
export interface Read extends Pending {
  readonly content: Content
  /** True if its signatures are valid and its account is known. */
  readonly isVerified: boolean
}

export type Outcome = { readonly ok: true; readonly transaction: QueuedTransaction } | Refusal

/** Record that the ledger admits, with the proofs that can be verified before it is queued. */
export interface AdmittedRecord {
  readonly ok: true
  readonly route: RoutingDecision
  readonly proofs: readonly AdmitProof[]
  /** Number of its proofs that are verified at execution. */
  readonly later: number
  /** Version of the rules that it was validated under. */
  readonly rulesVersion: number
}

/** Record without decoded content: its envelope, or the first fault. */
export function envelopeOf(
  rules: ContentRules,
  bytes: Buffer,
  read: Refusal | undefined,
): { readonly ok: true; readonly signed: TransactionEnvelope } | Refusal {
  const opened = openEnvelope(bytes)
  if (!opened.ok) {
    const { code, message, at } = opened.fault
    // A small record was decoded: the position of the fault is known.
    return read ?? { ...refusal(isErrorCode(code) ? code : 'bad_value', message), details: definedFields({ at }) }
  }
  const signed = opened.value
  const fault = envelopeFault(rules, bytes.length, signed)
  if (fault !== undefined) return { ok: false, ...fault }
  return read ?? { ok: true, signed }
}

/** Ledger request about the signers of a record. */
export const signersOf = ({ id, signed }: Pending): LedgerRequest<'admit'>['items'][number] => ({
  id,
  authority: keyBytes(signed.payload.value.authority),
  facts: undefined,
  teu: undefined,
  teuLimit: undefined,
  sponsor: undefined,
  duty: undefined,
  policy: signed.policy,
  proving: undefined,
})

/** Ledger request about a whole record. */
export function questionOf({ id, signed, content }: Read): LedgerRequest<'admit'>['items'][number] {
  const { cost, feeOptions, facts, duty } = content
  return {
    id,
    authority: keyBytes(signed.payload.value.authority),
    facts,
    teu: cost.teu,
    teuLimit: feeOptions.teuLimit,
    sponsor: feeOptions.sponsor,
    duty,
    policy: signed.policy,
    proving: cost.proofWork > 0 ? signed.payload.bytes : undefined,
  }
}
