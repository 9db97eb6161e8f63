/** Owns the OpenAPI 3.1 document, generated from the route table and the schemas. */
import { definedFields } from '../base/defined-fields.js'
import { type Json, type JsonSchemaObject, jsonSchemaRefs, type OpenRegistry, toHex } from '../codec/index.js'
import { ERRORS } from '../model/index.js'
import { ERROR_FRAME } from './frames.js'
import {
  CODEC_MEDIA_TYPE,
  EVENT_STREAM_MEDIA_TYPE,
  EXPOSITION_MEDIA_TYPE,
  JSON_MEDIA_TYPE,
  RATE_LIMIT_HEADERS,
  REJECT_CODE_HEADER,
} from './headers.js'
import { parameterText } from './parameter-texts.js'
import { parameterFields } from './parameters.js'
import { profilesWith } from './profile.js'
import type { AnyFrame, AnyRoute, AnySchema } from './route.js'
import { errorsOf } from './route-errors.js'
import { ERROR_JSON_SCHEMA } from './schema/error.js'
import { POSITION_PATTERN } from './schema/stream.js'
import { API_TOKEN_HEADER, SESSION_HEADER, SIGNED_HEADERS } from './signed-request.js'
import { CLOSE_CODES, LAST_EVENT_ID_HEADER, PING_TEXT, PONG_TEXT } from './streams.js'

/** Properties of the node in its OpenAPI document. */
export interface OpenApiInfo {
  readonly version: string
  /** Open registries of the active ABI, for lists of instructions and events. */
  readonly registries?: Readonly<Record<string, OpenRegistry>> | undefined
  /** Output records of queries. */
  readonly queryOutputs?: readonly AnySchema[]
}

type Refs = ReturnType<typeof jsonSchemaRefs>

const OCTETS_MEDIA_TYPE = 'application/octet-stream'

/** Media type object of a frame. It names the record for tools that support the codec. */
const frameContent = (frame: AnyFrame): JsonSchemaObject => ({
  schema: {},
  'x-codec-type-id': frame.typeId,
  'x-codec-record': frame.schema.name ?? '',
  'x-codec-schema-hash': toHex(frame.schema.hash),
})

/**
 * Schema of an object, or of a list such as a batch. It is not a union of the two, with which Java clients do not
 * compile.
 */
const ANY_JSON: JsonSchemaObject = {}

/** Body that the handler parses itself: JSON, or a text of its type. */
const bytesIn = (type: string): JsonSchemaObject => (type === JSON_MEDIA_TYPE ? ANY_JSON : { type: 'string' })

/**
 * Media types of such a body, without `application/octet-stream`: Python clients do not load if a body has two types
 * that they can send.
 */
const typesIn = (types: readonly string[]): readonly string[] => types.filter((type) => type !== OCTETS_MEDIA_TYPE)

function requestBody(row: AnyRoute, refs: Refs): JsonSchemaObject | undefined {
  const { body } = row
  if (body === undefined) return undefined
  const mediaType = (schema: { jsonSchema(refs: Refs): JsonSchemaObject }): JsonSchemaObject => ({
    schema: schema.jsonSchema(refs),
  })
  const content: { [type: string]: Json } =
    body.as === 'record'
      ? { [JSON_MEDIA_TYPE]: mediaType(body.schema) }
      : body.as === 'canonical'
        ? { [JSON_MEDIA_TYPE]: mediaType(body.frame.schema), [CODEC_MEDIA_TYPE]: frameContent(body.frame) }
        : Object.fromEntries(typesIn(body.types).map((type) => [type, { schema: bytesIn(type) }]))
  return { required: true, content, 'x-max-bytes': body.maxBytes }
}

function goodContent(row: AnyRoute, refs: Refs): JsonSchemaObject {
  const schema = row.response?.jsonSchema(refs) ?? ANY_JSON
  switch (row.format) {
    case 'metrics':
      return { [EXPOSITION_MEDIA_TYPE]: { schema: { type: 'string' } } }
    case 'sse': {
      // OpenAPI cannot describe events: the data of each is one of these schemas, and `x-events` maps events to them.
      const { stream } = row
      if (stream?.as !== 'sse') return {}
      const data = [...new Set(Object.values(stream.events))].map((event) => event.jsonSchema(refs))
      return { [EVENT_STREAM_MEDIA_TYPE]: { schema: { anyOf: data } } }
    }
    case 'websocket': {
      // OpenAPI cannot describe the messages of a connection; `x-websocket` gives the direction of each.
      const { stream } = row
      if (stream?.as !== 'websocket') return {}
      const both = [stream.start, stream.message].map((frame) => frame.schema.jsonSchema(refs))
      return { [JSON_MEDIA_TYPE]: { schema: { anyOf: both } } }
    }
    case 'json': {
      const others = Object.keys(row.renders ?? {}).map((type) => [type, { schema: { type: 'string' } }])
      return { [JSON_MEDIA_TYPE]: { schema }, ...Object.fromEntries(others) }
    }
    default: {
      const binary = row.frame === undefined ? { schema: {} } : frameContent(row.frame)
      // Generated clients use the first one, and few of them support the codec.
      return { [JSON_MEDIA_TYPE]: { schema }, [CODEC_MEDIA_TYPE]: binary }
    }
  }
}

/** Messages of a stream, for which OpenAPI has no notation. */
function streamOf({ stream }: AnyRoute, refs: Refs): JsonSchemaObject {
  if (stream === undefined) return {}
  if (stream.as === 'sse') {
    const events = Object.entries(stream.events).map(([name, schema]) => [name, schema.jsonSchema(refs)])
    return { 'x-events': Object.fromEntries(events) }
  }
  const frame = (of: AnyFrame): JsonSchemaObject => ({ ...frameContent(of), schema: of.schema.jsonSchema(refs) })
  return {
    'x-websocket': {
      client: frame(stream.start),
      server: frame(stream.message),
      'x-ping': { client: PING_TEXT, server: PONG_TEXT },
      'x-close-codes': { ...CLOSE_CODES },
    },
  }
}

/** Header of browsers that reconnect to a stream; equal to `after`. */
const LAST_EVENT_ID: JsonSchemaObject = {
  name: LAST_EVENT_ID_HEADER,
  in: 'header',
  required: false,
  description: 'Resume after this event, height.index; overrides `after`.',
  schema: { type: 'string', pattern: POSITION_PATTERN },
}

function parametersOf(row: AnyRoute): JsonSchemaObject[] {
  const place = (
    schema: AnyRoute['params'],
    where: 'path' | 'query',
  ): readonly (JsonSchemaObject & { readonly name: string })[] =>
    (schema === undefined ? [] : parameterFields(schema)).map(({ name, required, schema: field }) => {
      const description = parameterText(row, name)
      return definedFields({
        name,
        in: where,
        required: required || where === 'path',
        description,
        schema: field,
      })
    })
  const query = place(row.query, 'query')
  const resumes = row.format === 'sse' && query.some(({ name }) => name === 'after')
  return [...place(row.params, 'path'), ...query, ...(resumes ? [LAST_EVENT_ID] : [])]
}

const text: JsonSchemaObject = { type: 'string' }
const seconds: JsonSchemaObject = { type: 'integer', minimum: 0 }
const header = (description: string, schema: JsonSchemaObject): JsonSchemaObject => ({ description, schema })

/** Headers of some responses by status, besides the code. */
const STATUS_HEADERS: Readonly<Record<number, JsonSchemaObject>> = {
  426: { upgrade: header('Protocol to switch to.', text) },
  429: {
    'retry-after': header('Seconds until a retry can succeed.', seconds),
    [RATE_LIMIT_HEADERS.limit]: header(
      'Burst size of the rate limit; present if the rate limit refused the request.',
      seconds,
    ),
    [RATE_LIMIT_HEADERS.remaining]: header('Requests remaining now.', seconds),
    [RATE_LIMIT_HEADERS.reset]: header('Seconds until one more request is accepted.', seconds),
  },
  503: { 'retry-after': header('Seconds until a retry can succeed; absent if it never can.', seconds) },
}

const errorResponse = (description: string, headers: JsonSchemaObject = {}): JsonSchemaObject => ({
  description,
  headers: { [REJECT_CODE_HEADER]: header('Error code.', text), ...headers },
  content: {
    [JSON_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Error' } },
    [CODEC_MEDIA_TYPE]: frameContent(ERROR_FRAME),
  },
})

/** Statuses of the errors of these rows, as shared responses. */
function errorResponses(rows: readonly AnyRoute[]): JsonSchemaObject {
  const statuses = new Set(rows.flatMap((row) => errorsOf(row).map((code) => ERRORS[code].http)))
  const named = [...statuses]
    .sort((a, b) => a - b)
    .map((status) => [
      `Status${status}`,
      errorResponse(
        'The request failed; `x-error-codes` of the operation lists the possible codes.',
        STATUS_HEADERS[status],
      ),
    ])
  return Object.fromEntries(named)
}

/** Errors of a row: a response per status, and the codes by status. */
function errorsIn(row: AnyRoute): { readonly responses: JsonSchemaObject; readonly codes: JsonSchemaObject } {
  const codes: { [status: string]: string[] } = {}
  for (const code of errorsOf(row)) {
    const status = String(ERRORS[code].http)
    codes[status] = [...(codes[status] ?? []), code]
  }
  const responses = Object.keys(codes).map((status) => [status, { $ref: `#/components/responses/Status${status}` }])
  return { responses: Object.fromEntries(responses), codes }
}

const SECURITY: Readonly<Record<AnyRoute['access'], JsonSchemaObject[]>> = {
  public: [],
  account: [{ signedRequest: [] }, { apiToken: [] }],
  operator: [{ signedRequest: [] }, { operatorSession: [] }],
}

/** True for a route that responds in the codec unless a client requests JSON. */
const isBinaryByDefault = ({ format }: AnyRoute): boolean => format === 'binary' || format === 'binary-or-json'
const BINARY_BY_DEFAULT = `Responds with ${CODEC_MEDIA_TYPE} if the request has no Accept header or \`*/*\`. Clients that read JSON send \`Accept: ${JSON_MEDIA_TYPE}\`.`

function operation(row: AnyRoute, refs: Refs): JsonSchemaObject {
  const parameters = parametersOf(row)
  const body = requestBody(row, refs)
  const content = goodContent(row, refs)
  const errors = errorsIn(row)
  const headers = Object.entries(row.headers ?? {}).map(([name, description]) => [name, header(description, text)])
  const good = definedFields({ content, headers: headers.length === 0 ? undefined : Object.fromEntries(headers) })
  const descriptions = new Map([[row.format === 'websocket' ? 101 : (row.success ?? 200), 'Success']])
  if (row.repeated !== undefined) descriptions.set(row.repeated, 'Already processed: the current record')
  return definedFields({
    operationId: row.id,
    summary: row.summary,
    description: isBinaryByDefault(row) ? BINARY_BY_DEFAULT : undefined,
    tags: [row.feature ?? 'core'],
    responses: {
      ...Object.fromEntries([...descriptions].map(([status, description]) => [status, { description, ...good }])),
      ...errors.responses,
      default: { $ref: '#/components/responses/Error' },
    },
    security: SECURITY[row.access],
    'x-access': row.access,
    'x-format': row.format,
    'x-error-codes': errors.codes,
    ...streamOf(row, refs),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body,
    'x-telemetry-profiles': row.profile === undefined ? undefined : [...profilesWith(row.profile)],
  })
}

/** References to named records, so that a union of them stays readable. */
const unionOf = (schemas: readonly Json[]): JsonSchemaObject => ({
  anyOf: [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()],
})

/**
 * Describe the results of queries: the codec allows any JSON there, because a node may have queries that a client does
 * not know. The list of an iterable query is returned in batches.
 */
function describeQueries(outputs: readonly AnySchema[], refs: Refs): void {
  const answer = refs.components.get('QueryAnswer')
  const batch = refs.components.get('QueryBatch')
  if (answer === undefined || batch === undefined || outputs.length === 0) return
  const schemas = outputs.map((schema) => schema.jsonSchema(refs))
  const items = schemas.flatMap(({ $ref: ref }) => {
    const record = typeof ref === 'string' ? refs.components.get(ref.slice(ref.lastIndexOf('/') + 1)) : undefined
    const list = (record?.['properties'] as { readonly items?: JsonSchemaObject } | undefined)?.items
    const item = list?.['items']
    return item === undefined ? [] : [item]
  })
  refs.components.set('QueryOutput', unionOf(schemas))
  refs.components.set('QueryItem', unionOf(items))
  const properties = batch['properties'] as JsonSchemaObject
  const { items: list } = properties as { readonly items: JsonSchemaObject }
  refs.components.set('QueryBatch', {
    ...batch,
    properties: { ...properties, items: { ...list, items: { $ref: '#/components/schemas/QueryItem' } } },
  })
  const variants = (answer['oneOf'] as readonly JsonSchemaObject[]).map((variant) => {
    const { Singular: singular, ...rest } = variant['properties'] as JsonSchemaObject
    if (singular === undefined) return variant
    return { ...variant, properties: { ...rest, Singular: { $ref: '#/components/schemas/QueryOutput' } } }
  })
  refs.components.set('QueryAnswer', { ...answer, oneOf: variants })
}

const SECURITY_SCHEMES: JsonSchemaObject = {
  apiToken: { type: 'apiKey', in: 'header', name: API_TOKEN_HEADER },
  operatorSession: { type: 'apiKey', in: 'header', name: SESSION_HEADER },
  signedRequest: {
    type: 'apiKey',
    in: 'header',
    name: SIGNED_HEADERS.signature,
    description: `Signature of the request, together with ${SIGNED_HEADERS.publicKey} or ${SIGNED_HEADERS.account}, ${SIGNED_HEADERS.timestampMs} and ${SIGNED_HEADERS.nonce}.`,
  },
}

/** Document for these rows, in order. */
export function openApiDocument(rows: readonly AnyRoute[], info: OpenApiInfo): JsonSchemaObject {
  const refs = jsonSchemaRefs(info.registries)
  const paths: { [path: string]: { [method: string]: Json } } = {}
  for (const row of rows) {
    const item = paths[row.path] ?? {}
    item[row.method.toLowerCase()] = operation(row, refs)
    paths[row.path] = item
  }
  refs.components.set('Error', ERROR_JSON_SCHEMA)
  describeQueries(info.queryOutputs ?? [], refs)
  const asked = new Set(rows.flatMap(({ access }) => SECURITY[access].flatMap((one) => Object.keys(one))))
  const named = [...refs.components].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    openapi: '3.1.0',
    info: { title: 'Causeway', version: info.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The node that serves this document.' }],
    paths,
    components: {
      schemas: Object.fromEntries(named),
      responses: {
        Error: errorResponse('The request failed; the code is also in the header x-ledger-reject-code.'),
        ...errorResponses(rows),
      },
      securitySchemes: Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => asked.has(name))),
    },
  }
}
