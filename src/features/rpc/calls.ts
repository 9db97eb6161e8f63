/** Owns JSON-RPC 2.0: the routes available as methods, the calls of a request, and the text of its response. */

import type { Dispatch } from '../../api/dispatch.js'
import type { AnyRoute } from '../../api/route.js'
import { isJsonObject, type Json, json } from '../../codec/index.js'
import { isJsonList } from '../../codec/schema.js'
import { type ErrorCode, LedgerError } from '../../model/index.js'
import { RPC_PROFILES, type RpcProfile } from './node/config.js'
import { RPC_BODY_MAX_BYTES, rpcMethodsRoute, rpcRoute } from './schema.js'

const OWN: ReadonlySet<string> = new Set([rpcRoute.id, rpcMethodsRoute.id])

/** Minimum profile that serves a route. */
const profileOf = ({ method, access, safe, drafts }: AnyRoute): RpcProfile => {
  if (access === 'operator') return 'operator'
  if (method === 'GET' || safe === true) return 'read_only'
  return drafts === true ? 'draft' : 'submit'
}

/** Callable routes that are methods of a profile. */
export const methodsOf = (rows: readonly AnyRoute[], profile: RpcProfile): AnyRoute[] =>
  rows.filter((row) => !OWN.has(row.id) && RPC_PROFILES.indexOf(profileOf(row)) <= RPC_PROFILES.indexOf(profile))

/** Maximum calls of one batch: each is checked and limited like a separate request. */
export const BATCH_MAX = 32
/**
 * Maximum size of the responses of one batch, in characters, since all are in memory at the same time; further calls
 * are refused.
 */
export const BATCH_ANSWERS_MAX = 8 * 1024 * 1024

/** Codes of the specification, and two of its range for servers. */
const CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  server: -32000,
  limited: -32029,
} as const
/** Codes of refusals that are caused by the parameters of a call. */
const PARAMETER_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'validation_failed',
  'invalid_pagination',
  'malformed_request',
])

/** Maximum nesting of a body: a batch, a call, its parameters, and a record in them. */
const DEPTH_MAX = 32
const requestBody = json(RPC_BODY_MAX_BYTES, DEPTH_MAX)

type Id = string | number | null

const answer = (id: Id, part: string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${part}}`
const failed = (id: Id, code: number, message: string, data?: object): string =>
  answer(id, `"error":${JSON.stringify({ code, message, data }, plainly)}`)
/** Write bigints as text, because amounts in error details may exceed the range of JSON numbers. */
const plainly = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** Error with the record of the route. */
function refused(id: Id, error: LedgerError): string {
  const { code, message, hint, details, http } = error
  const number = error.http === 429 ? CODES.limited : PARAMETER_FAULTS.has(code) ? CODES.params : CODES.server
  return failed(id, number, message, { code, status: http, hint: hint || undefined, details })
}

/** Process one call; undefined for a notification, which has no response. */
async function callOne(
  call: Json,
  dispatch: Dispatch,
  methods: ReadonlyMap<string, unknown>,
  isFull = false,
): Promise<string | undefined> {
  if (!isJsonObject(call)) return failed(null, CODES.request, 'a call must be an object')
  const { jsonrpc, id, method, params = {}, ...rest } = call
  const isNotification = !Object.hasOwn(call, 'id')
  const known: Id = typeof id === 'string' || typeof id === 'number' ? id : null
  if (!isNotification && id !== null && known === null)
    return failed(null, CODES.request, 'id: expected a text, a number or null')
  if (jsonrpc !== '2.0') return failed(known, CODES.request, 'jsonrpc: must be "2.0"')
  if (typeof method !== 'string') return failed(known, CODES.request, 'method: expected the id of a route')
  const stray = Object.keys(rest)[0]
  if (stray !== undefined) return failed(known, CODES.request, `${stray}: unknown field`)
  if (!isJsonObject(params)) return failed(known, CODES.params, 'params: expected an object')
  if (!methods.has(method)) {
    return isNotification
      ? undefined
      : failed(known, CODES.method, `${method.slice(0, 128)} is not a method of this node; GET /v1/rpc lists them`)
  }
  if (isFull && !isNotification) {
    const why = `the responses of this batch already have ${BATCH_ANSWERS_MAX} characters: use another request for this call`
    return failed(known, CODES.limited, why, { code: 'rate_limited', status: 429 })
  }
  const result = await dispatch.call(method, params)
  if (isNotification) return undefined
  return result instanceof LedgerError ? refused(known, result) : answer(known, `"result":${result.text}`)
}

/**
 * Methods of the Model Context Protocol without a slash; all its other methods contain slashes, while methods of routes
 * contain dots.
 */
const MCP_METHODS: ReadonlySet<string> = new Set(['initialize', 'ping'])
function mcpMethodOf(asked: Json): string | undefined {
  const method = isJsonObject(asked) ? asked.method : undefined
  return typeof method === 'string' && (method.includes('/') || MCP_METHODS.has(method)) ? method : undefined
}

/** Response to a body that may call `methods`; undefined if all its calls are notifications. */
export async function answerRpc(
  body: Uint8Array,
  dispatch: Dispatch,
  methods: ReadonlyMap<string, unknown>,
  mcp: (method: string, text: string) => Promise<string>,
): Promise<string | undefined> {
  const parsed = requestBody.parseJson(body, undefined, { maxBytes: RPC_BODY_MAX_BYTES })
  if (!parsed.ok) return failed(null, CODES.parse, parsed.fault.message)
  const asked = parsed.value
  const method = mcpMethodOf(asked)
  if (method !== undefined) return (await mcp(method, Buffer.from(body).toString('utf8'))) || undefined
  if (!isJsonList(asked)) return callOne(asked, dispatch, methods)
  if (asked.length === 0) return failed(null, CODES.request, 'a batch must have at least one call')
  if (asked.length > BATCH_MAX) return failed(null, CODES.request, `a batch can have at most ${BATCH_MAX} calls`)
  const answers: string[] = []
  let characters = 0
  // Sequentially: a batch uses no more of the node at a time than a request.
  for (const call of asked) {
    const one = await callOne(call, dispatch, methods, characters >= BATCH_ANSWERS_MAX)
    if (one === undefined) continue
    answers.push(one)
    characters += one.length
  }
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`
}
