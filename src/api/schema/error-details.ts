/** Owns what an error of HTTP tells beside its message: one closed record, of which each code fills some fields. */
import type { JsonSchemaObject } from '../../codec/index.js'

/** One fault of a request; a payment message says more of its faults than a parameter. */
export interface FaultDetail {
  /** Stable code of the fault. */
  readonly code: string
  /** Place in the request: a parameter, a field, an element of a message. */
  readonly path: string
  readonly message?: string
  /** Place in the text, both from 1; 0 where the body has no lines. */
  readonly line?: number
  readonly column?: number
  readonly value?: string
  readonly expected?: string
  /** ISO 20022 external status reason. */
  readonly reason_code?: string
  readonly hint?: string
}

/** A frame's head: which record it says it holds. */
export interface FrameDetail {
  readonly type_id: number
  readonly schema_hash: string
}

/** Everything that the details of an error may hold; absent fields do not belong to the code, or are unknown. */
export interface ErrorDetails {
  readonly faults?: readonly FaultDetail[]
  /** Where a body does not decode: byte offset, path of the field, line and column of a JSON text. */
  readonly at?: number
  readonly path?: string
  readonly line?: number
  readonly column?: number
  /** Frame that the route takes, and the one that came (`schema_mismatch`). */
  readonly expected?: FrameDetail
  readonly got?: FrameDetail
  /** Media types that the route speaks (406 and 415). */
  readonly supported?: readonly string[]
  readonly max_bytes?: number
  /** Names there are, where a name was unknown; `field` is the one that was asked for. */
  readonly known?: readonly string[]
  readonly field?: string
  readonly retry_after_seconds?: number
  /** Why a transaction has no lane, what said so, and the rule of the policy, from 0; `stage` also of a payment message. */
  readonly reason?: string
  readonly stage?: string
  readonly rule?: number
  /** Payment messages: what status and reason a pacs.002 gives. */
  readonly message_id?: string
  readonly pacs002_code?: string
  readonly rejection_reason_code?: string
}

const text: JsonSchemaObject = { type: 'string' }
const whole: JsonSchemaObject = { type: 'integer', minimum: 0 }
const listOf = (items: JsonSchemaObject): JsonSchemaObject => ({ type: 'array', items })
const record = (
  properties: { readonly [name: string]: JsonSchemaObject },
  required: readonly string[] = [],
): JsonSchemaObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required: [...required] }),
  additionalProperties: false,
})

const fault = record(
  {
    code: text,
    path: text,
    message: text,
    line: whole,
    column: whole,
    value: text,
    expected: text,
    reason_code: text,
    hint: text,
  },
  ['code', 'path'],
)
const frame = record({ type_id: whole, schema_hash: text }, ['type_id', 'schema_hash'])

const FIELDS: { readonly [name in keyof Required<ErrorDetails>]: JsonSchemaObject } = {
  faults: listOf(fault),
  at: whole,
  path: text,
  line: whole,
  column: whole,
  expected: frame,
  got: frame,
  supported: listOf(text),
  max_bytes: whole,
  known: listOf(text),
  field: text,
  retry_after_seconds: whole,
  reason: text,
  stage: text,
  rule: whole,
  message_id: text,
  pacs002_code: text,
  rejection_reason_code: text,
}

/** JSON Schema of the details. */
export const ERROR_DETAILS_JSON_SCHEMA: JsonSchemaObject = record(FIELDS)
