/**
 * Owns the processing of an admitted and parsed request: its handler, its log entry, and calls of other routes by the
 * handler.
 */
import {
  type AnyRoute,
  type Caller,
  type Dispatch,
  type Dispatched,
  type HandlerInput,
  type HandlerReply,
  isCallable,
  JSON_MEDIA_TYPE,
  NO_PARAMETERS,
  parameterPairs,
} from '../api/index.js'
import type { NodeServices } from '../api/services.js'
import type { CodecContext, Json } from '../codec/index.js'
import { type AuditTrail, formatAddress, LedgerError } from '../model/index.js'
import { type Accounts, accountsOf } from './accounts.js'
import { toLedgerError } from './answer.js'
import { clientServices } from './client-services.js'
import type { Guard } from './guard.js'
import { bodyTooLong, maxBodyBytes, PAIRS_MAX, ParameterReader, readBody } from './input.js'
import { type Asker, QueryTurns, requestEnded } from './query-turns.js'
import type { Route, RouteIndex } from './route-index.js'
import { serialise } from './serialise.js'
import { readUserInput } from './user-input.js'

/** Route with its parsers. */
export interface Prepared {
  readonly route: Route
  readonly params: ParameterReader | undefined
  readonly query: ParameterReader
}

export const prepare = (route: Route): Prepared => ({
  route,
  params: route.row.params === undefined ? undefined : new ParameterReader(route.row.params),
  query: new ParameterReader(route.row.query ?? NO_PARAMETERS),
})

/** Admitted and parsed request. */
export interface Admitted {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly caller: Caller
  /** Client to which rate limits apply. */
  readonly client: string
  readonly requestId: string
  readonly waiting: { readonly signal: AbortSignal; readonly isOver: boolean }
}

type Outcome = HandlerReply<unknown> | LedgerError

/** Dependencies of dispatching. */
export interface DispatcherParts {
  readonly index: RouteIndex
  readonly guard: Guard
  readonly services: NodeServices
  /** Audit log for actions of operators, written before the response. */
  readonly audit: AuditTrail | undefined
  /** Called with failures whose cause is hidden from the caller. */
  readonly onError: (error: unknown, where: { readonly requestId: string; readonly route: string }) => void
}

const askerOf = ({ client, caller, waiting }: Admitted): Asker => ({
  client,
  isOperator: caller.operator,
  isOver: () => waiting.isOver,
})

/**
 * Request as input of its handler. It is a class, because accessors of a literal would be defined again for every
 * request.
 */
class HandlerCall implements HandlerInput<NodeServices, never, never, never, never> {
  readonly params: never
  readonly query: never
  readonly body: never
  readonly accounts: never
  readonly headers: Admitted['headers']
  readonly caller: Caller
  readonly client: string
  readonly requestId: string
  private own: NodeServices | undefined

  constructor(
    private readonly admitted: Admitted,
    accounts: Accounts,
    private readonly servicesFor: (asker: Asker) => NodeServices,
    private readonly onward: (admitted: Admitted) => Dispatch,
  ) {
    this.params = admitted.params as never
    this.query = admitted.query as never
    this.body = admitted.body as never
    this.accounts = accounts as never
    this.headers = admitted.headers
    this.caller = admitted.caller
    this.client = admitted.client
    this.requestId = admitted.requestId
  }

  get services(): NodeServices {
    this.own ??= this.servicesFor(askerOf(this.admitted))
    return this.own
  }

  get signal(): AbortSignal {
    return this.admitted.waiting.signal
  }

  get dispatch(): Dispatch {
    return this.onward(this.admitted)
  }
}

export class Dispatcher {
  private readonly callable: ReadonlyMap<string, Prepared>
  private readonly rows: readonly AnyRoute[]
  private readonly turns = new QueryTurns()

  constructor(private readonly parts: DispatcherParts) {
    const routes = parts.index.routes.filter(({ row }) => isCallable(row))
    this.callable = new Map(routes.map((route) => [route.row.id, prepare(route)]))
    this.rows = routes.map(({ row }) => row)
  }

  /** Run the handler of a request; actions of operators are written to the audit log before the response. */
  run({ row, handler }: Route, request: Admitted): Outcome | Promise<Outcome> {
    const outcome =
      row.accounts === undefined
        ? handler(new HandlerCall(request, {}, this.servicesFor, this.onward))
        : this.resolved(row, handler, request)
    return row.audited === true ? this.audited(row, outcome, request) : outcome
  }

  /** Run a handler with the accounts that the request names. */
  private async resolved(row: AnyRoute, handler: Route['handler'], request: Admitted): Promise<Outcome> {
    const accounts = await accountsOf(row, request, this.servicesFor(askerOf(request)))
    if (accounts instanceof LedgerError) return accounts
    return handler(new HandlerCall(request, accounts, this.servicesFor, this.onward))
  }

  /** Services of the node for a request; its ledger reads are scheduled. */
  readonly servicesFor = (asker: Asker): NodeServices => clientServices(this.parts.services, this.turns, asker)

  /** Dispatch function that a handler calls other routes with. */
  private readonly onward = ({ caller, headers, requestId, waiting, client }: Admitted): Dispatch => ({
    rows: this.rows,
    call: (id, parameters) => this.call(id, parameters, { caller, headers, requestId, waiting, client }),
  })

  /** Call a route for a known caller, with all checks of a separate request from its limits on. */
  private async call(
    id: string,
    parameters: Readonly<Record<string, Json>>,
    asker: Pick<Admitted, 'caller' | 'headers' | 'requestId' | 'waiting' | 'client'>,
  ): Promise<Dispatched | LedgerError> {
    const prepared = this.callable.get(id)
    if (prepared === undefined)
      return new LedgerError('route_not_found', `${id} is not a route that can be called this way`)
    if (asker.waiting.isOver) return requestEnded()
    const { guard, services } = this.parts
    const { route } = prepared
    const { row } = route
    const caller = guard.again(row, asker.caller, asker.client)
    if (caller instanceof LedgerError) return caller
    const input = await readUserInput(services, (codec) => this.read(prepared, parameters, codec))
    if (input instanceof LedgerError) return input
    const result = await this.runSafely(route, { ...asker, ...input, caller })
    if (result instanceof LedgerError) return result
    const { bytes } = serialise(row, JSON_MEDIA_TYPE, result.value, services.info.codec)
    return { status: result.status ?? row.success ?? 200, text: bytes.toString('utf8') }
  }

  /**
   * Run a handler. A throw is a bug or a fault of the node; it is logged, and its cause is not shown to the caller, as
   * over HTTP.
   */
  private async runSafely(route: Route, admitted: Admitted): Promise<Outcome> {
    try {
      return await this.run(route, admitted)
    } catch (cause) {
      const error = toLedgerError(cause)
      if (error.code !== 'internal') return error
      this.parts.onError(error.cause ?? error, { requestId: admitted.requestId, route: route.row.id })
      return new LedgerError('internal', 'the node failed to answer; its log has the cause under the id of the request')
    }
  }

  /** Parameter records of a route, which determine whether a parameter belongs to path, query string or body. */
  private read(
    { route: { row }, params, query }: Prepared,
    parameters: Readonly<Record<string, Json>>,
    codec: CodecContext,
  ) {
    if (Object.keys(parameters).length > PAIRS_MAX) {
      return new LedgerError('validation_failed', `more than ${PAIRS_MAX} parameters`)
    }
    const { body, ...named } = parameters
    const texts = parameterPairs(named, (name) => params?.has(name) === true)
    const path = params?.read(texts.path, codec)
    if (path instanceof LedgerError) return path
    const search = query.read(texts.query, codec)
    if (search instanceof LedgerError) return search
    if (row.body === undefined) {
      return body === undefined
        ? { params: path, query: search, body }
        : new LedgerError('validation_failed', 'body: this route has no request body')
    }
    const raw = Buffer.from(JSON.stringify(body ?? {}))
    if (raw.length > maxBodyBytes(row.body, 'json')) return bodyTooLong(row.body, 'json')
    const read = readBody(row.body, 'json', raw, codec)
    return read instanceof LedgerError ? read : { params: path, query: search, body: read }
  }

  private async audited(
    row: AnyRoute,
    outcome: Outcome | Promise<Outcome>,
    { caller: { account }, requestId }: Pick<Admitted, 'caller' | 'requestId'>,
  ): Promise<Outcome> {
    const result = await outcome
    const { addressPrefix } = this.parts.services.info
    await this.parts.audit?.append({
      action: row.id.replaceAll('.', '_'),
      actor: account === undefined ? 'operator' : formatAddress(account, addressPrefix),
      fields: { outcome: result instanceof LedgerError ? result.code : 'done', request_id: requestId },
    })
    return result
  }
}
