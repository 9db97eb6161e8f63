/** Owns the transaction content that admission needs, from instructions and metadata, on any thread. */
import type { CodecContext } from '../../codec/index.js'
import {
  type AdmissionContext,
  type FeeOptions,
  feeOptionsOf,
  routeFactsOf,
  type StaticCost,
  staticCost,
  transactionFault,
} from '../../executor/index.js'
import type { RouteFacts } from '../../lanes/index.js'
import { type ErrorCode, isErrorCode, signedTransaction } from '../../model/index.js'

/** What the content of a transaction says about its place in queue and blocks. */
export interface Content {
  readonly cost: StaticCost
  readonly wishes: FeeOptions
  /** Dataspace hint of the sender. */
  readonly dataspace: bigint | undefined
  /** What the ledger routes it by; undefined where nobody asked. */
  readonly facts: RouteFacts | undefined
  /** What its authority may owe the chain: that costs no fee. */
  readonly duty: string | undefined
}

/** Why a transaction is refused. */
export interface Refusal {
  readonly ok: false
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The content of a record, or what is wrong with it. */
export type ContentAnswer = { readonly ok: true; readonly content: Content } | Refusal

/** What a record is read under. */
export interface ContentRules extends AdmissionContext {
  readonly codec: CodecContext
  /** Whether the ledger will ask for facts. */
  readonly lanesEnabled: boolean
}

/** Decodes a record in full: this takes up to some 200 ns for a byte. */
export function contentOf({ abi, codec, lanesEnabled, ...rest }: ContentRules, record: Uint8Array): ContentAnswer {
  const decoded = signedTransaction.decode(record, codec)
  if (!decoded.ok) {
    const { code, message, at, path } = decoded.fault
    const details = { ...(at === undefined ? {} : { at }), ...(path === undefined ? {} : { path }) }
    return { ok: false, code: isErrorCode(code) ? code : 'bad_value', message, details }
  }
  const signed = decoded.value
  const fault = transactionFault({ abi, ...rest }, record.length, signed)
  if (fault !== undefined) return { ok: false, ...fault }
  const payload = signed.payload.value
  const content = {
    cost: staticCost(abi, signed, record.length),
    wishes: feeOptionsOf(payload),
    dataspace: payload.dataspace,
    duty: abi.policies.feeExempt?.dutyOf(payload),
    facts: lanesEnabled ? routeFactsOf(abi, payload) : undefined,
  }
  return { ok: true, content }
}
