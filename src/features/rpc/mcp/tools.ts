/**
 * Owns the tools of an assistant on a node: some reads by name, and tools to find and call other reads. No tool changes
 * anything, signs or follows links; texts of the ledger are untrusted data.
 */
import type { Dispatch } from '../../../api/dispatch.js'
import { parameterFields } from '../../../api/parameters.js'
import type { AnyRoute } from '../../../api/route.js'
import { isJsonObject, type Json, type JsonSchemaObject } from '../../../codec/index.js'
import { type ErrorCode, LedgerError } from '../../../model/index.js'
import { methodsOf } from '../calls.js'

/** Maximum size of a tool's response, in bytes: an assistant reads all of it. */
export const ANSWER_MAX_BYTES = 64 * 1024
/** Maximum length of a search, in characters: each of its words is matched against each route. */
export const WORDS_MAX = 256
/** Maximum characters of an unknown name that an error repeats. */
export const SHOWN_MAX = 128
/** Maximum routes in a search result. */
const FOUND_MAX = 20

/** Tool in the format of the protocol. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchemaObject & { readonly type: 'object' }
}

/** Result of a tool: a text, and the same as an object; `isError`: the text is an error. */
export interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
}

type Arguments = Readonly<Record<string, Json>>

const objectSchema = (properties: JsonSchemaObject, required: readonly string[]): Tool['inputSchema'] => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

/** Input of a route, as JSON Schema. */
function inputOf({ params, query, body }: AnyRoute): Tool['inputSchema'] {
  const fields = [params, query].flatMap((schema) => (schema === undefined ? [] : parameterFields(schema)))
  const properties = Object.fromEntries(fields.map(({ name, type }) => [name, { type }]))
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  if (body === undefined) return objectSchema(properties, required)
  return objectSchema({ ...properties, body: { type: 'object' } }, [...required, 'body'])
}

const readsOf = ({ rows }: Dispatch): AnyRoute[] => methodsOf(rows, 'read_only')

const SEARCH: Tool = {
  name: 'routes_search',
  description: 'Find more reads of this node by keywords; route_get calls them',
  inputSchema: objectSchema({ words: { type: 'string', maxLength: WORDS_MAX } }, ['words']),
}
const GET: Tool = {
  name: 'route_get',
  description: 'Call a read found by routes_search, by its id, with named parameters',
  inputSchema: objectSchema({ id: { type: 'string' }, parameters: { type: 'object' } }, ['id']),
}

/** Tools of a node. */
export const toolsOf = (dispatch: Dispatch): Tool[] => [
  ...readsOf(dispatch).flatMap((row) =>
    row.tool === undefined ? [] : [{ name: row.tool.name, description: row.tool.about, inputSchema: inputOf(row) }],
  ),
  SEARCH,
  GET,
]

const failure = (code: ErrorCode | 'answer_too_large', message: string, hint?: string): ToolAnswer => ({
  content: [{ type: 'text', text: `${message} [${code}]${hint === undefined ? '' : `\n${hint}`}` }],
  isError: true,
})
const success = (text: string): ToolAnswer => ({
  content: [{ type: 'text', text }],
  structuredContent: JSON.parse(text) as Readonly<Record<string, unknown>>,
})

/** Reads whose ids, paths and summaries match the words, ordered by the number of matches. */
function search(dispatch: Dispatch, words: string): ToolAnswer {
  if (words.length > WORDS_MAX) return failure('validation_failed', `words: more than ${WORDS_MAX} characters`)
  const wanted = words
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const found = readsOf(dispatch)
    .filter(({ method }) => method === 'GET')
    .map((row) => {
      const text = `${row.id} ${row.path} ${row.summary}`.toLowerCase()
      return { row, hits: wanted.filter((word) => text.includes(word)).length }
    })
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, FOUND_MAX)
  const routes = found.map(({ row }) => ({ id: row.id, about: row.summary, parameters: inputOf(row).properties }))
  return success(JSON.stringify({ routes }))
}

const nameOf = (given: Json | undefined): string =>
  typeof given === 'string' ? given.slice(0, SHOWN_MAX) : 'a value that is not a text'

/** Call a tool; undefined if it does not exist. */
export async function callTool(dispatch: Dispatch, name: string, given: Arguments): Promise<ToolAnswer | undefined> {
  if (name === SEARCH.name) return search(dispatch, typeof given.words === 'string' ? given.words : '')
  const isGet = name === GET.name
  const row = readsOf(dispatch).find(({ id, method, tool }) =>
    isGet ? id === given.id && method === 'GET' : tool?.name === name,
  )
  if (row === undefined) {
    return isGet
      ? failure('route_not_found', `${nameOf(given.id)} is not a read of this node`, 'Find reads with routes_search.')
      : undefined
  }
  const parameters = isGet ? (given.parameters ?? {}) : given
  if (!isJsonObject(parameters)) return failure('validation_failed', 'parameters: expected an object')
  const answer = await dispatch.call(row.id, parameters)
  if (answer instanceof LedgerError) return failure(answer.code, answer.message, answer.hint)
  if (Buffer.byteLength(answer.text) > ANSWER_MAX_BYTES) {
    return failure(
      'answer_too_large',
      `the response has more than ${ANSWER_MAX_BYTES} bytes`,
      'Request fewer items with limit.',
    )
  }
  return success(answer.text)
}
