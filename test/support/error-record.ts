/** Owns the check of failed responses: the closed record of the OpenAPI document, with the status of its code. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { ERROR_FRAME, ERROR_JSON_SCHEMA } from '../../src/api/index.js'
import { ERRORS, isErrorCode } from '../../src/model/index.js'

const fits = new Ajv2020({ strict: false }).compile(ERROR_JSON_SCHEMA)

/** Failed response of any source. */
export interface FailedAnswer {
  readonly status: number
  readonly rejectCode: unknown
  readonly body: Buffer
}

/**
 * Code of a failed response, in JSON or as a frame; fails for a body that is not an error record or has another status.
 */
export function errorCodeOf({ status, rejectCode, body }: FailedAnswer): string {
  const opened = ERROR_FRAME.open(body)
  const { requestId, details, hint, ...frame } = opened.ok ? opened.value : ({} as Record<string, never>)
  const record: Readonly<Record<string, unknown>> = opened.ok
    ? {
        ...frame,
        ...(hint === undefined ? {} : { hint }),
        ...(details === undefined ? {} : { details: JSON.parse(String(details)) as unknown }),
        request_id: requestId,
      }
    : (JSON.parse(body.toString('utf8')) as Readonly<Record<string, unknown>>)
  expect(fits(record), `${JSON.stringify(fits.errors)} of ${JSON.stringify(record).slice(0, 400)}`).toBe(true)
  const code = String(record['code'])
  expect(rejectCode).toBe(code)
  expect(isErrorCode(code) ? ERRORS[code].http : 0, code).toBe(status)
  return code
}
