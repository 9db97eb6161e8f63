/** Owns the processing of a request: checks of its headers, its handler, and the handover to a stream. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AnyRoute, type Caller, EVENT_STREAM_CONTENT_TYPE, splitTarget } from '../api/index.js'
import type { Metrics } from '../api/metrics.js'
import type { NodeServices } from '../api/services.js'
import type { CodecContext } from '../codec/index.js'
import { LedgerError } from '../model/index.js'
import { accountsOf, type ReadRequest } from './accounts.js'
import { COMMON_HEADERS } from './answer.js'
import type { Cors } from './cors.js'
import type { Deadlines } from './deadlines.js'
import { type Dispatcher, type Prepared, prepare } from './dispatcher.js'
import { exchangeOf } from './exchange.js'
import type { Guard, StreamOwner } from './guard.js'
import { bodyForm, bodyTooLong, isEmptyBody, maxBodyBytes, readBody } from './input.js'
import type { AnnouncedBody, LargeBodies } from './large-bodies.js'
import { noBodyHere, type Replies } from './replies.js'
import type { Route, RouteIndex } from './route-index.js'
import type { SseStart, Streams } from './streams/index.js'
import { mayBeAlias, readAgain } from './user-input.js'
import { Waiting } from './waiting.js'

const NO_BODY = Buffer.alloc(0)

/** Dependencies of requests. */
export interface RequestParts {
  readonly index: RouteIndex
  readonly guard: Guard
  readonly dispatcher: Dispatcher
  readonly streams: Streams
  readonly cors: Cors
  readonly replies: Replies
  readonly metrics: Metrics['gateway']
  readonly services: NodeServices
  readonly deadlines: Deadlines
  readonly largeBodies: LargeBodies
}

/** Entry of requests after routing. */
export class Requests {
  constructor(private readonly parts: RequestParts) {}

  /** Router callback for requests of an admitted and parsed route. */
  handlerOf(route: Route): (request: FastifyRequest, reply: FastifyReply) => void {
    const prepared = prepare(route)
    return (request, reply) => this.answer(prepared, request, reply)
  }

  /** Respond to a request without a route. */
  readonly unknown = (request: FastifyRequest, reply: FastifyReply): void =>
    this.parts.replies.fail(request, reply, this.unknownRoute(request, reply))

  /** Make the checks that require only the head of a request, cheapest first; undefined if it may continue. */
  check(request: FastifyRequest, reply: FastifyReply): LedgerError | undefined | Promise<LedgerError | undefined> {
    const exchange = exchangeOf(request)
    const { headers } = request.raw
    const route = request.routeOptions.config.route
    const row = route?.row
    const checked = this.parts.guard.head(request.raw, row)
    if (checked instanceof LedgerError) return checked
    exchange.token = checked.token
    exchange.client = checked.client
    // Here and not in the not-found handler, which would read the body first.
    if (row === undefined) return this.unknownRoute(request, reply)
    const { answerTypes } = route as Route
    const type = answerTypes.preferred(headers.accept)
    if (type === undefined) {
      const { offers } = answerTypes
      return new LedgerError('not_acceptable', `this route responds with ${offers.join(' or ')}`, {
        details: { supported: offers },
      })
    }
    exchange.answerType = type
    return row.body === undefined ? undefined : this.checkBody(request, reply, row, row.body)
  }

  private checkBody(
    request: FastifyRequest,
    reply: FastifyReply,
    row: AnyRoute,
    body: NonNullable<AnyRoute['body']>,
  ): LedgerError | undefined | Promise<LedgerError | undefined> {
    const { headers } = request.raw
    const form = bodyForm(body, headers['content-type'], headers['content-encoding'])
    if (form instanceof LedgerError) return form
    exchangeOf(request).bodyForm = form
    // Refused by its announced length, so that the connection stays usable.
    const max = maxBodyBytes(body, form)
    const announced = headers['content-length']
    const bytes = announced === undefined ? undefined : Number(announced)
    if (bytes !== undefined && bytes > max) return bodyTooLong(body, form)
    const untrustedMax = (body.as === 'bytes' ? body.untrustedMaxBytes : undefined) ?? max
    if ((bytes ?? max) <= untrustedMax) return undefined
    const { token, client } = exchangeOf(request)
    const account = this.parts.guard.claimedAccount(headers, token)
    return this.reserveLarge(reply, { route: row.id, account, client, bytes, untrustedMax, max })
  }

  /** Reserve memory for a large body until its request is completed. */
  private async reserveLarge(reply: FastifyReply, body: AnnouncedBody): Promise<LedgerError | undefined> {
    const release = await this.parts.largeBodies.reserve(body)
    if (release instanceof LedgerError) return release
    if (reply.raw.destroyed) release()
    else reply.raw.once('close', release)
    return undefined
  }

  /**
   * Process an admitted request up to its response. Returns nothing, because the server library would wait for a
   * promise.
   */
  private answer(prepared: Prepared, request: FastifyRequest, reply: FastifyReply): void {
    const exchange = exchangeOf(request)
    const { row } = prepared.route
    const { codec } = this.parts.services.info
    const raw = Buffer.isBuffer(request.body) ? request.body : NO_BODY
    const admitted = this.parts.guard.caller(row, request.raw, raw, exchange.token)
    if (admitted instanceof LedgerError) return this.parts.replies.fail(request, reply, admitted)
    if (row.body === undefined && !isEmptyBody(raw)) return this.parts.replies.fail(request, reply, noBodyHere())
    const asked = this.read(prepared, request, raw, codec)
    if (!mayBeAlias(asked)) return this.run(prepared, request, reply, admitted, asked)
    const services = this.parts.dispatcher.servicesFor({
      client: exchange.client,
      isOperator: admitted.operator,
      isOver: () => reply.raw.destroyed,
    })
    readAgain(services, (withIds) => this.read(prepared, request, raw, withIds))
      .then((again) => this.run(prepared, request, reply, admitted, again))
      .catch((error: unknown) => this.parts.replies.fail(request, reply, error))
  }

  /** Records of path, query string and body of a request. */
  private read(
    prepared: Prepared,
    request: FastifyRequest,
    raw: Buffer,
    codec: CodecContext,
  ): ReadRequest | LedgerError {
    const { row } = prepared.route
    const params = prepared.params?.read(Object.entries(request.params as Record<string, string>), codec)
    if (params instanceof LedgerError) return params
    const query = prepared.query.readSearch(splitTarget(request.raw.url ?? '/').search, codec)
    if (query instanceof LedgerError) return query
    if (row.body === undefined || row.format === 'sse') return { params, query, body: undefined }
    const body = readBody(row.body, exchangeOf(request).bodyForm, raw, codec)
    return body instanceof LedgerError ? body : { params, query, body }
  }

  /** Run the handler of a parsed request, or start its stream. */
  private run(
    prepared: Prepared,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    asked: ReadRequest | LedgerError,
  ): void {
    const exchange = exchangeOf(request)
    const { row } = prepared.route
    if (asked instanceof LedgerError) return this.parts.replies.fail(request, reply, asked)
    if (row.format === 'sse') {
      const owner = this.parts.guard.streamOwner(row, caller, exchange.token, request.raw)
      this.stream(owner, asked, request, reply).catch((error: unknown) =>
        this.parts.replies.fail(request, reply, error),
      )
      return
    }
    const waiting = new Waiting(reply.raw)
    const outcome = this.parts.dispatcher.run(prepared.route, {
      ...asked,
      headers: request.raw.headers as Record<string, string | undefined>,
      caller,
      client: exchange.client,
      requestId: exchange.requestId,
      waiting,
    })
    if (!(outcome instanceof Promise)) return this.parts.replies.deliver(row, outcome, request, reply)
    const deadline = this.parts.deadlines.start(() => {
      waiting.end()
      this.parts.replies.fail(request, reply, new LedgerError('request_timeout', 'the node did not respond in time'))
    })
    outcome
      .then((result) => {
        if (this.parts.deadlines.met(deadline)) this.parts.replies.deliver(row, result, request, reply)
      })
      .catch((error: unknown) => {
        this.parts.deadlines.met(deadline)
        if (!reply.sent) this.parts.replies.fail(request, reply, error)
      })
  }

  /** Start a stream, which then owns the response. */
  private async stream(
    owner: StreamOwner,
    asked: { readonly params: unknown; readonly query: unknown },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { client } = exchangeOf(request)
    const services = this.parts.dispatcher.servicesFor({
      client,
      isOperator: owner.caller.operator,
      isOver: () => reply.raw.destroyed,
    })
    const accounts = await accountsOf(owner.row, { ...asked, body: undefined }, services)
    if (accounts instanceof LedgerError) return this.parts.replies.fail(request, reply, accounts)
    const start = await this.parts.streams.sse({ owner, ...asked, accounts, raw: request.raw, services })
    const refused = start instanceof LedgerError ? start : this.parts.streams.full(owner.address)
    if (refused !== undefined) return this.parts.replies.fail(request, reply, refused)
    const headers = this.parts.cors.headersFor(request.raw)
    if (request.method === 'HEAD') {
      const head = { ...COMMON_HEADERS, ...headers, 'content-type': EVENT_STREAM_CONTENT_TYPE }
      return this.parts.replies.send(reply, { status: 200, headers: head, body: NO_BODY })
    }
    // Another response precedes it, which may be an endless stream: this one would only be buffered.
    if (reply.raw.socket === null) {
      const why = new LedgerError('malformed_request', 'a stream must be the only request of its connection')
      return this.parts.replies.fail(request, reply, why)
    }
    reply.hijack()
    exchangeOf(request).streaming = true
    this.parts.metrics.inFlight.dec()
    ;(start as SseStart)(reply.raw, headers)
  }

  private unknownRoute(request: FastifyRequest, reply: FastifyReply): LedgerError {
    const { path } = splitTarget(request.raw.url ?? '/')
    const { error, allow } = this.parts.index.refusal(request.method, path)
    if (allow !== undefined) reply.raw.setHeader('allow', allow)
    return error
  }
}
