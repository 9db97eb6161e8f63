/** Owns the error record of HTTP (docs/design/gateway.md 3): its JSON shape and its binary form. */
import { type Infer, type JsonSchemaObject, option, string, struct } from '../../codec/index.js'
import type { ErrorRecord } from '../../model/index.js'
import { ERROR_DETAILS_JSON_SCHEMA, type ErrorDetails } from './error-details.js'

/** Error response. */
export interface HttpErrorRecord extends Omit<ErrorRecord, 'details'> {
  readonly details?: ErrorDetails
  readonly request_id: string
}

/** Maximum size of message and hint, in bytes; they may quote client input. */
export const ERROR_TEXT_MAX_BYTES = 8 * 1024
/** Maximum length of the details, in bytes of JSON: a bridge message may have hundreds of faults. */
export const ERROR_DETAILS_MAX_BYTES = 256 * 1024

/** Binary form: `details` is the JSON text of the same record. */
export interface ErrorFrame extends Infer<typeof errorFrameRecord> {}
export const errorFrameRecord = struct('Error', {
  code: string(64),
  message: string(ERROR_TEXT_MAX_BYTES),
  hint: option(string(ERROR_TEXT_MAX_BYTES)),
  details: option(string(ERROR_DETAILS_MAX_BYTES)),
  requestId: string(64),
})

/** JSON Schema of the error record for OpenAPI, in which absent fields are omitted. */
export const ERROR_JSON_SCHEMA: JsonSchemaObject = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'Stable code, also in the header x-ledger-reject-code.' },
    message: { type: 'string' },
    hint: { type: 'string', description: 'Suggested next step.' },
    details: ERROR_DETAILS_JSON_SCHEMA,
    request_id: { type: 'string' },
  },
  required: ['code', 'message', 'request_id'],
  additionalProperties: false,
}
