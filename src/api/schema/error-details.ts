/** Owns the details record of HTTP errors: one closed record; each error code fills some of its fields. */
import { definedFields } from '../../base/defined-fields.js'
import type { JsonSchemaObject } from '../../codec/index.js'

/** Fault of a request; faults of payment messages have additional fields. */
export interface FaultDetail {
  /** Stable code of the fault. */
  readonly code: string
  /** Position in the request: a parameter, a field, an element of a message. */
  readonly path: string
  readonly message?: string
  /** Line and column in the text, both from 1; 0 if the body has no lines. */
  readonly line?: number
  readonly column?: number
  readonly value?: string
  readonly expected?: string
  /** ISO 20022 external status reason. */
  readonly reason_code?: string
  readonly hint?: string
}

/** Record type declared by the frame header. */
export interface FrameDetail {
  readonly type_id: number
  readonly schema_hash: string
}

/** All fields of error details; the schema below describes each. */
export interface ErrorDetails {
  readonly faults?: readonly FaultDetail[]
  readonly at?: number
  readonly path?: string
  readonly line?: number
  readonly column?: number
  readonly expected?: FrameDetail
  readonly got?: FrameDetail
  readonly supported?: readonly string[]
  readonly max_bytes?: number
  readonly known?: readonly string[]
  readonly field?: string
  readonly retry_after_seconds?: number
  readonly burst?: number
  readonly reason?: string
  readonly stage?: string
  readonly rule?: number
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
): JsonSchemaObject =>
  definedFields({
    type: 'object',
    properties,
    required: required.length === 0 ? undefined : [...required],
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

/** Field with its description. */
const described = (of: JsonSchemaObject, description: string): JsonSchemaObject => ({ ...of, description })

const FIELDS: { readonly [name in keyof Required<ErrorDetails>]: JsonSchemaObject } = {
  faults: described(listOf(fault), 'All faults of the request.'),
  at: described(whole, 'Byte offset at which a binary body does not decode.'),
  path: described(text, 'Field at which a body does not decode.'),
  line: described(whole, 'Line at which a JSON body does not decode, from 1.'),
  column: described(whole, 'Column at which a JSON body does not decode, from 1.'),
  expected: described(frame, 'Frame that the route accepts (`schema_mismatch`).'),
  got: described(frame, 'Frame that was received.'),
  supported: described(listOf(text), 'Media types that the route supports (406, 415).'),
  max_bytes: described(whole, 'Maximum body size of the route.'),
  known: described(listOf(text), 'Known names, if one was unknown.'),
  field: described(text, 'Requested field of the items.'),
  retry_after_seconds: described(whole, 'Time until a retry can succeed; also in Retry-After.'),
  burst: described(whole, 'Burst size of the rate limit (429).'),
  reason: described(text, 'Reason why a transaction has no lane.'),
  stage: described(text, 'Stage of routing or of message validation that refused.'),
  rule: described(whole, 'Rule of the routing policy that matched, from 0.'),
  message_id: described(text, 'Payment message of the request.'),
  pacs002_code: described(text, 'Its status, as reported in a pacs.002.'),
  rejection_reason_code: described(text, 'Its reason, as reported in a pacs.002.'),
}

/** JSON Schema of the details: one closed record; each error code fills some of its fields. */
export const ERROR_DETAILS_JSON_SCHEMA: JsonSchemaObject = record(FIELDS)
