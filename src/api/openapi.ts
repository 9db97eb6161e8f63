/** Owns the OpenAPI 3.1 document: made from the route table and the schemas alone. */
import { type Json, type JsonSchemaObject, jsonSchemaRefs, type OpenRegistry, toHex } from '../codec/index.js'
import { ERROR_FRAME } from './frames.js'
import { CODEC_MEDIA_TYPE, EVENT_STREAM_MEDIA_TYPE, EXPOSITION_MEDIA_TYPE, JSON_MEDIA_TYPE } from './media-types.js'
import { parameterFields } from './parameters.js'
import { profilesWith } from './profile.js'
import type { AnyFrame, AnyRoute } from './route.js'
import { ERROR_JSON_SCHEMA } from './schema/error.js'
import { API_TOKEN_HEADER, SESSION_HEADER, SIGNED_HEADERS } from './signed-request.js'
import { CLOSE_CODES } from './streams.js'

/** What the document says of the node that serves it. */
export interface OpenApiInfo {
  readonly version: string
  /** Open registries of the active ABI, so that instructions and events are listed. */
  readonly registries?: Readonly<Record<string, OpenRegistry>>
}

type Refs = ReturnType<typeof jsonSchemaRefs>

/** Media type object of a frame: which record is in it, for tools that know the codec. */
const frameContent = (frame: AnyFrame): JsonSchemaObject => ({
  schema: {},
  'x-codec-type-id': frame.typeId,
  'x-codec-record': frame.schema.name ?? '',
  'x-codec-schema-hash': toHex(frame.schema.hash),
})

function requestBody(row: AnyRoute, refs: Refs): JsonSchemaObject | undefined {
  const { body } = row
  if (body === undefined) return undefined
  const twin = (schema: { jsonSchema(refs: Refs): JsonSchemaObject }): JsonSchemaObject => ({
    schema: schema.jsonSchema(refs),
  })
  const content: { [type: string]: Json } =
    body.as === 'record'
      ? { [JSON_MEDIA_TYPE]: twin(body.schema) }
      : body.as === 'canonical'
        ? { [CODEC_MEDIA_TYPE]: frameContent(body.frame), [JSON_MEDIA_TYPE]: twin(body.frame.schema) }
        : Object.fromEntries(body.types.map((type) => [type, { schema: {} }]))
  return { required: true, content, 'x-max-bytes': body.maxBytes }
}

function goodContent(row: AnyRoute, refs: Refs): JsonSchemaObject {
  const schema = row.response?.jsonSchema(refs) ?? { type: 'object' }
  switch (row.format) {
    case 'metrics':
      return { [EXPOSITION_MEDIA_TYPE]: { schema: { type: 'string' } } }
    case 'sse':
      return { [EVENT_STREAM_MEDIA_TYPE]: { schema: { type: 'string' } } }
    case 'websocket':
      return {}
    case 'json': {
      const others = Object.keys(row.renders ?? {}).map((type) => [type, { schema: { type: 'string' } }])
      return { [JSON_MEDIA_TYPE]: { schema }, ...Object.fromEntries(others) }
    }
    default: {
      const binary = row.frame === undefined ? { schema: {} } : frameContent(row.frame as unknown as AnyFrame)
      return { [CODEC_MEDIA_TYPE]: binary, [JSON_MEDIA_TYPE]: { schema } }
    }
  }
}

/** What a stream carries, which OpenAPI has no words for. */
function streamOf({ stream }: AnyRoute, refs: Refs): JsonSchemaObject {
  if (stream === undefined) return {}
  if (stream.as === 'sse') {
    const events = Object.entries(stream.events).map(([name, schema]) => [name, schema.jsonSchema(refs)])
    return { 'x-events': Object.fromEntries(events) }
  }
  const frame = (of: AnyFrame): JsonSchemaObject => ({ ...frameContent(of), schema: of.schema.jsonSchema(refs) })
  return {
    'x-websocket': { client: frame(stream.start), server: frame(stream.message), 'x-close-codes': { ...CLOSE_CODES } },
  }
}

const parametersOf = (row: AnyRoute): JsonSchemaObject[] => [
  ...(row.params === undefined ? [] : parameterFields(row.params)).map(({ name, schema }) => ({
    name,
    in: 'path',
    required: true,
    schema,
  })),
  ...(row.query === undefined ? [] : parameterFields(row.query)).map(({ name, required, schema }) => ({
    name,
    in: 'query',
    required,
    schema,
  })),
]

const SECURITY: Readonly<Record<AnyRoute['access'], JsonSchemaObject[]>> = {
  public: [],
  account: [{ signedRequest: [] }, { apiToken: [] }],
  operator: [{ signedRequest: [] }, { operatorSession: [] }],
}

function operation(row: AnyRoute, refs: Refs): JsonSchemaObject {
  const parameters = parametersOf(row)
  const body = requestBody(row, refs)
  const content = goodContent(row, refs)
  const out: JsonSchemaObject = {
    operationId: row.id,
    summary: row.summary,
    tags: [row.feature ?? 'core'],
    responses: {
      [String(row.format === 'websocket' ? 101 : (row.success ?? 200))]: { description: 'Success', content },
      ...(row.repeated === undefined
        ? {}
        : { [String(row.repeated)]: { description: 'Answered before: the record as it stands now', content } }),
      default: { $ref: '#/components/responses/Error' },
    },
    'x-access': row.access,
    'x-format': row.format,
    ...streamOf(row, refs),
  }
  if (parameters.length > 0) out['parameters'] = parameters
  if (body !== undefined) out['requestBody'] = body
  if (row.profile !== undefined) out['x-telemetry-profiles'] = [...profilesWith(row.profile)]
  if (row.access !== 'public') out['security'] = SECURITY[row.access]
  return out
}

/** The document for these rows, in their order. */
export function openApiDocument(rows: readonly AnyRoute[], info: OpenApiInfo): JsonSchemaObject {
  const refs = jsonSchemaRefs(info.registries)
  const paths: { [path: string]: { [method: string]: Json } } = {}
  for (const row of rows) {
    const item = paths[row.path] ?? {}
    item[row.method.toLowerCase()] = operation(row, refs)
    paths[row.path] = item
  }
  refs.components.set('Error', ERROR_JSON_SCHEMA)
  const named = [...refs.components].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    openapi: '3.1.0',
    info: { title: 'Causeway', version: info.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths,
    components: {
      schemas: Object.fromEntries(named),
      responses: {
        Error: {
          description: 'The request failed; the code is also in the header x-ledger-reject-code.',
          headers: { 'x-ledger-reject-code': { schema: { type: 'string' } } },
          content: {
            [JSON_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Error' } },
            [CODEC_MEDIA_TYPE]: frameContent(ERROR_FRAME as unknown as AnyFrame),
          },
        },
      },
      securitySchemes: {
        apiToken: { type: 'apiKey', in: 'header', name: API_TOKEN_HEADER },
        operatorSession: { type: 'apiKey', in: 'header', name: SESSION_HEADER },
        signedRequest: {
          type: 'apiKey',
          in: 'header',
          name: SIGNED_HEADERS.signature,
          description: `Signature of the request, together with ${SIGNED_HEADERS.publicKey} or ${SIGNED_HEADERS.account}, ${SIGNED_HEADERS.timestampMs} and ${SIGNED_HEADERS.nonce}.`,
        },
      },
    },
  }
}
