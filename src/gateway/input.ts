/** Owns parsing of requests into handler input: path, query string, body; every fault is a LedgerError. */
import {
  CODEC_MEDIA_TYPE,
  JSON_BODY_MAX_BYTES,
  JSON_MEDIA_TYPE,
  type ParameterField,
  parameterFields,
  parameterJson,
  queryPairs,
  type RouteBody,
} from '../api/index.js'
import { type CodecContext, type CodecFault, decodeFrame, type Json, type Schema, toHex } from '../codec/index.js'
import { LedgerError } from '../model/index.js'
import { faultError } from './answer.js'
import { parseContentType } from './negotiate.js'

/** Maximum pairs of a query string, and parameters of a call by name. */
export const PAIRS_MAX = 64
/** Maximum parameter faults that are reported, and bytes of an unknown name that are shown. */
const PARAMETER_FAULTS_MAX = 16
const NAME_SHOWN_MAX = 64
/** Names of the paging parameters, whose faults have a separate code. */
const PAGING = new Set(['limit', 'cursor', 'offset'])

/** Fault of one parameter. */
interface ParameterFault {
  readonly code: string
  readonly path: string
  readonly message: string
}

/** Error for all parameter faults of a request. */
function parametersError(faults: readonly ParameterFault[]): LedgerError {
  const onlyPaging = faults.every(({ code, path }) => code !== 'unknown_field' && PAGING.has(path))
  const text = faults.map(({ path, message }) => `${path}: ${message}`).join('; ')
  return new LedgerError(onlyPaging ? 'invalid_pagination' : 'validation_failed', text, { details: { faults } })
}

/** Fault of the parameter record, expressed as a fault of the query string. */
const ofParameter = ({ code, path = 'query', message }: CodecFault): ParameterFault =>
  code === 'missing_field' ? { code, path, message: 'missing required parameter' } : { code, path, message }

/** Parser of parameter records for one route. */
export class ParameterReader {
  private readonly fields: readonly ParameterField[]
  private readonly byName: ReadonlyMap<string, ParameterField>

  constructor(private readonly schema: Schema<unknown>) {
    this.fields = parameterFields(schema)
    this.byName = new Map(this.fields.map((field) => [field.name, field]))
  }

  /** True if the record has a field of this name. */
  has(name: string): boolean {
    return this.byName.has(name)
  }

  /** Record of these pairs, or all faults of the pairs. */
  read(pairs: Iterable<readonly [string, string]>, codec: CodecContext): unknown {
    const json: { [name: string]: Json } = Object.create(null) as { [name: string]: Json }
    const faults: ParameterFault[] = []
    for (const [name, text] of pairs) {
      const field = this.byName.get(name)
      if (field === undefined) {
        const known = this.fields.map((entry) => entry.name).join(', ')
        const message =
          known === ''
            ? 'unknown parameter; this route has no parameters'
            : `unknown parameter; this route has ${known}`
        faults.push({ code: 'unknown_field', path: name.slice(0, NAME_SHOWN_MAX), message })
      } else if (Object.hasOwn(json, name)) {
        faults.push({ code: 'duplicate_field', path: name, message: 'given more than once' })
      } else json[name] = parameterJson(field, text)
    }
    const decoded = this.schema.fromJson({ ...json }, codec)
    if (decoded.ok && faults.length === 0) return decoded.value
    if (!decoded.ok) faults.push(...[decoded.fault, ...(decoded.fault.also ?? [])].map(ofParameter))
    return parametersError(faults.slice(0, PARAMETER_FAULTS_MAX))
  }

  /** Record of a query string, or all faults of the query string. */
  readSearch(search: string, codec: CodecContext): unknown {
    const pairs = queryPairs(search)
    if (pairs === undefined)
      return new LedgerError('malformed_request', 'the query string has an invalid percent escape')
    if (pairs.length > PAIRS_MAX) {
      return new LedgerError('malformed_request', `the query string has more than ${PAIRS_MAX} parameters`)
    }
    return this.read(pairs, codec)
  }
}

/** Maximum length of a body that counts as empty: an empty JSON object with some blanks. */
export const EMPTY_BODY_MAX_BYTES = 64

/** True for an empty body or an empty JSON object, for clients that cannot omit a body. */
export const isEmptyBody = (raw: Buffer): boolean =>
  raw.length === 0 || /^\s*(\{\s*\})?\s*$/.test(raw.toString('latin1'))

/** Encoding of a body. */
export type BodyForm = 'json' | 'binary' | 'bytes'

const wrongType = (given: string, taken: readonly string[]): LedgerError =>
  new LedgerError('unsupported_media_type', `Content-Type ${given} is not supported`, {
    hint: `Send ${taken.join(' or ')}.`,
    details: { supported: taken },
  })

/** Charsets that are subsets of UTF-8, by the names that clients use. */
const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Form of a body by its headers, before it is read. */
export function bodyForm(
  body: RouteBody<never>,
  contentType: string | undefined,
  contentEncoding: string | undefined,
): BodyForm | LedgerError {
  const taken =
    body.as === 'bytes' ? body.types : body.as === 'record' ? [JSON_MEDIA_TYPE] : [CODEC_MEDIA_TYPE, JSON_MEDIA_TYPE]
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') {
    return new LedgerError('unsupported_media_type', 'Content-Encoding is not supported')
  }
  if (contentType === undefined) {
    if (body.as === 'canonical') return wrongType('(none)', taken)
    return body.as === 'record' ? 'json' : 'bytes'
  }
  const parsed = parseContentType(contentType)
  const type = parsed?.type
  if (parsed === undefined || type === undefined || !taken.includes(type)) {
    return wrongType(JSON.stringify(contentType.slice(0, 128)), taken)
  }
  if (type === CODEC_MEDIA_TYPE) return 'binary'
  if (parsed.charset !== undefined && !UTF_8.has(parsed.charset)) {
    const given = JSON.stringify(parsed.charset.slice(0, 64))
    return new LedgerError('unsupported_media_type', `the charset ${given} is not supported`, {
      hint: 'Send the body in UTF-8.',
    })
  }
  return body.as === 'bytes' ? 'bytes' : 'json'
}

/** Maximum bytes of a body in a form. */
export const maxBodyBytes = (body: RouteBody<never>, form: BodyForm): number =>
  body.as === 'canonical' && form === 'json' ? Math.min(body.maxBytes, JSON_BODY_MAX_BYTES) : body.maxBytes

/** Error for a body that exceeds the limit of its form. */
export function bodyTooLong(body: RouteBody<never>, form: BodyForm): LedgerError {
  const max = maxBodyBytes(body, form)
  const what = max < body.maxBytes ? 'a JSON body' : 'the body'
  return new LedgerError('payload_too_large', `${what} can have at most ${max} bytes`, {
    hint: max < body.maxBytes ? `Send ${CODEC_MEDIA_TYPE}.` : undefined,
    details: { max_bytes: max },
  })
}

/** Body for its handler: a value, canonical bytes, or the received bytes. */
export function readBody(body: RouteBody<never>, form: BodyForm, raw: Buffer, codec: CodecContext): unknown {
  if (body.as === 'bytes') return raw
  if (raw.length > maxBodyBytes(body, form)) return bodyTooLong(body, form)
  const limits = { maxBytes: body.maxBytes }
  if (body.as === 'record') {
    const decoded = body.schema.parseJson(raw, codec, limits)
    return decoded.ok ? decoded.value : faultError(decoded.fault)
  }
  const { frame } = body
  if (form === 'json') {
    // Its signature covers ids: an alias in it is a fault.
    const decoded = frame.schema.parseJson(raw, { ...codec, aliases: undefined }, limits)
    return decoded.ok ? frame.schema.encode(decoded.value, codec) : faultError(decoded.fault)
  }
  // Only the frame is opened: the receiver of the record decodes it once, and reports its faults.
  const opened = decodeFrame(raw, { checksum: true, maxBytes: body.maxBytes })
  if (!opened.ok) return faultError(opened.fault)
  const { typeId, schemaHash, payload } = opened.value
  if (typeId !== frame.typeId || !schemaHash.equals(frame.schema.hash)) {
    const name = frame.schema.name ?? 'the record'
    return new LedgerError('schema_mismatch', `the frame is not a ${name} of this release`, {
      details: {
        expected: { type_id: frame.typeId, schema_hash: toHex(frame.schema.hash) },
        got: { type_id: typeId, schema_hash: toHex(schemaHash) },
      },
    })
  }
  return payload
}
