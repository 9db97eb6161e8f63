/** Owns the transaction content that admission needs, read from instructions and metadata, on any thread. */
import { definedFields } from '../../base/defined-fields.js'
import type { CodecContext } from '../../codec/index.js'
import {
  type AdmissionContext,
  type FeeOptions,
  faultAtCost,
  feeOptionsOf,
  routeFactsOf,
  type StaticCost,
  staticCost,
} from '../../executor/index.js'
import type { RouteFacts } from '../../lanes/index.js'
import { type ErrorCode, isErrorCode, type SignedTransaction, signedTransaction } from '../../model/index.js'

/** Properties of a transaction's content for queue and blocks. */
export interface Content {
  readonly cost: StaticCost
  readonly feeOptions: FeeOptions
  /** Dataspace hint of the sender. */
  readonly dataspace: bigint | undefined
  /** Facts for routing by the ledger; undefined unless requested. */
  readonly facts: RouteFacts | undefined
  /** Duty to the chain that its authority may have, which is exempt from fees. */
  readonly duty: string | undefined
}

/** Refusal of a transaction. */
export interface Refusal {
  readonly ok: false
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** Content of a record, or its fault. */
export type ContentAnswer = { readonly ok: true; readonly content: Content } | Refusal

/** Rules for decoding a record. */
export interface ContentRules extends AdmissionContext {
  readonly codec: CodecContext
  /** True if the ledger needs facts for routing. */
  readonly lanesEnabled: boolean
}

/** Record valid so far, or its fault. */
export type ReadRecord = { readonly ok: true; readonly content: Content; readonly signed: SignedTransaction } | Refusal

/** Decode a record completely, at up to about 200 ns per byte. */
export function contentOf(rules: ContentRules, record: Uint8Array): ContentAnswer {
  const read = readRecord(rules, record)
  return read.ok ? { ok: true, content: read.content } : read
}

/** Like `contentOf`, with the decoded record. */
export function readRecord(rules: ContentRules, record: Uint8Array): ReadRecord {
  const { abi } = rules
  const decoded = signedTransaction.decode(record, rules.codec)
  if (!decoded.ok) {
    const { code, message, at, path } = decoded.fault
    const details = definedFields({ at, path })
    return { ok: false, code: isErrorCode(code) ? code : 'bad_value', message, details }
  }
  const signed = decoded.value
  const cost = staticCost(abi, signed, record.length)
  const fault = faultAtCost(rules, record.length, signed, cost)
  if (fault !== undefined) return { ok: false, ...fault }
  const payload = signed.payload.value
  const content = {
    cost,
    feeOptions: feeOptionsOf(payload),
    dataspace: payload.dataspace,
    duty: abi.policies.election?.duties.dutyOf(payload),
    facts: rules.lanesEnabled ? routeFactsOf(abi, payload) : undefined,
  }
  return { ok: true, content, signed }
}
