/** Owns the HTTP server: its life, the way of a request through the checks to its handler, and the answer. */
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify'
import {
  type AnyHandler,
  type AnyRoute,
  type Caller,
  EVENT_STREAM_CONTENT_TYPE,
  type HandlerReply,
  NO_PARAMETERS,
  type StreamSource,
  splitTarget,
} from '../api/index.js'
import { type Metrics, metricsOf } from '../api/metrics.js'
import type { NodeServices } from '../api/services.js'
import { type AuditTrail, formatAddress, LedgerError } from '../model/index.js'
import { type Answer, COMMON_HEADERS, errorAnswer, toLedgerError } from './answer.js'
import type { Clocks } from './caller.js'
import { type GatewayConfig, gatewayConfig } from './config.js'
import { capConnections } from './connections.js'
import { Cors } from './cors.js'
import { Deadlines } from './deadlines.js'
import { exchangeOf, nextRequestId } from './exchange.js'
import { Guard } from './guard.js'
import { consensusStreams } from './handlers/consensus.js'
import { coreFamily } from './handlers/index.js'
import {
  bodyForm,
  bodyTooLong,
  EMPTY_BODY_MAX_BYTES,
  isEmptyBody,
  maxBodyBytes,
  ParameterReader,
  readBody,
} from './input.js'
import { prefersBinary } from './negotiate.js'
import { Origins } from './origins.js'
import { onClientError, refuseExpectations } from './raw.js'
import { isStream, type Route, RouteIndex } from './route-index.js'
import { serialise } from './serialise.js'
import { type Bound, bind, newRouter, newServer } from './server.js'
import { OperatorSessions } from './sessions.js'
import type { StartingGateway } from './starting.js'
import { OWN_STREAMS, type SseStart, Streams } from './streams/index.js'
import { serveUpgrades } from './upgrade.js'
import { Waiting } from './waiting.js'

/** What the gateway logs with; a pino logger is one. */
export interface GatewayLogger {
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/** What the gateway is given. */
export interface GatewayModules {
  readonly services: NodeServices
  /** Rows of the features that the node serves; the core rows are there by themselves. */
  readonly routes?: readonly AnyRoute[]
  /** Handlers of these rows, by route id. */
  readonly handlers?: ReadonlyMap<string, AnyHandler<NodeServices>>
  /** What streams of these rows are made of, by route id. */
  readonly streams?: ReadonlyMap<string, StreamSource>
  readonly logger?: GatewayLogger
  /** Where what operators do is written down before it is answered. */
  readonly audit?: AuditTrail
  readonly clocks?: Clocks
  /** What listens for this gateway already, and answered while the node started. */
  readonly starting?: StartingGateway
}

const SILENT: GatewayLogger = { error: () => {}, debug: () => {} }
const SYSTEM_CLOCKS: Clocks = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }
const NO_BODY = Buffer.alloc(0)
/** Bodies that are copied to leave with their head: a copy costs less than a second buffer of the write. */
const ONE_WRITE_MAX_BYTES = 4 * 1024

const noBodyHere = (): LedgerError => new LedgerError('payload_too_large', 'this route has no request body')

/** A route with its readers. */
interface Prepared {
  readonly route: Route
  readonly params: ParameterReader | undefined
  readonly query: ParameterReader
}

export class Gateway {
  readonly config: GatewayConfig
  /** Rows that are served, in the order of the table. */
  readonly rows: readonly AnyRoute[]
  private readonly server: Server
  private readonly starting: StartingGateway | undefined
  private readonly app: FastifyInstance
  private readonly onRequest: RequestListener
  private readonly index: RouteIndex
  private readonly guard: Guard
  private readonly streams: Streams
  private readonly cors: Cors
  private readonly deadlines: Deadlines
  private readonly metrics: Metrics['gateway']
  private readonly services: NodeServices
  private readonly logger: GatewayLogger
  private readonly clocks: Clocks
  private readonly audit: AuditTrail | undefined
  private closing = false

  /**
   * Builds the server without listening. Throws `config_invalid` for settings that no gateway may run with, and an
   * Error when a row has no handler or stream, or one of these no row.
   */
  constructor(config: Partial<GatewayConfig>, modules: GatewayModules) {
    this.config = gatewayConfig(config)
    this.services = modules.services
    this.logger = modules.logger ?? SILENT
    this.clocks = modules.clocks ?? SYSTEM_CLOCKS
    this.audit = modules.audit
    const metrics = metricsOf(modules.services.metrics)
    this.metrics = metrics.gateway
    const sessions = new OperatorSessions()
    const sources = new Map([...consensusStreams, ...(modules.streams ?? [])])
    const core = coreFamily(() => this.rows, this.clocks, sessions, this.config)
    this.index = new RouteIndex(
      [...core.routes, ...(modules.routes ?? [])],
      new Map([...core.handlers, ...(modules.handlers ?? [])]),
      new Set([...OWN_STREAMS, ...sources.keys()]),
      this.config.disabledFeatures,
      this.config.withheldRoutes,
    )
    this.rows = this.index.routes.map((route) => route.row)
    this.cors = new Cors(this.config.corsOrigins)
    const origins = new Origins(this.config.hosts, this.cors)
    this.guard = new Guard(this.config, modules.services, this.clocks, sessions, origins)
    this.streams = new Streams({
      services: modules.services,
      sources,
      metrics: metrics.gateway,
      maxStreams: this.config.maxStreams,
      endsWithHalt: new Set(this.rows.filter((row) => row.whileHalted !== true).map(({ id }) => id)),
      nowMs: this.clocks.monotonicMs,
      onError: (error) => this.logger.error({ err: error }, 'stream failed'),
    })
    this.deadlines = new Deadlines(this.config.handlerTimeoutMs)
    this.starting = modules.starting
    this.server = modules.starting?.server ?? newServer(this.config)
    const { app, onRequest } = newRouter(this.server, {
      frameworkErrors: (error, request, reply) => this.fail(request, reply as FastifyReply, error),
      clientErrorHandler: (error, socket) => this.onClientError(error as NodeJS.ErrnoException, socket as Socket),
    })
    this.app = app
    this.onRequest = onRequest
    this.prepare()
    for (const route of this.index.routes) this.mount(route)
    for (const { method, path } of this.index.reserved) {
      app.route({
        method,
        url: path,
        handler: (request, reply) => this.fail(request, reply, this.unknownRoute(request, reply)),
      })
    }
  }

  /**
   * Listens, or takes over what listens already; resolves with where. Rejects with `address_in_use` naming the address, or
   * `config_invalid`.
   */
  async listen(): Promise<Bound> {
    await this.app.ready()
    const bound = this.starting?.release()
    this.attach()
    return bound ?? bind(this.server, this.config)
  }

  /** Sends a request through the whole server without a socket, for tests. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse> {
    return this.app.inject(request)
  }

  /** Refuses new requests, finishes those in flight within `closeTimeoutMs`, then ends every connection. */
  async close(): Promise<void> {
    if (this.closing) return
    this.closing = true
    this.guard.stop()
    this.streams.close()
    const timer = setTimeout(() => {
      this.streams.destroy()
      this.server.closeAllConnections()
    }, this.config.closeTimeoutMs)
    try {
      const ended = new Promise<void>((resolve) => this.server.close(() => resolve()))
      await Promise.all([ended, this.app.close()])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Replaces the ways of the router by those of this gateway. */
  private prepare(): void {
    const { app } = this
    app.decorateRequest('exchange', null)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.setValidatorCompiler(() => () => true)
    app.setSerializerCompiler(() => (value) => String(value))
    app.setErrorHandler((error, request, reply) => this.fail(request, reply, error))
    app.setNotFoundHandler((request, reply) => this.fail(request, reply, this.unknownRoute(request, reply)))
    app.addHook('onRequest', (request, reply, done) => {
      exchangeOf(request)
      this.metrics.inFlight.inc()
      const preflight = this.cors.preflight(request.raw)
      const error =
        preflight === undefined ? this.admit(request, reply) : this.guard.limit(request.raw.socket.remoteAddress)
      if (preflight === undefined || error !== undefined) done(error)
      else reply.code(204).headers(preflight).headers(this.cors.headersFor(request.raw)).send()
    })
    app.addHook('onResponse', (request, reply, done) => {
      this.observe(request, reply)
      done()
    })
  }

  /** Takes the requests and the connections of the server. */
  private attach(): void {
    const { server, config, guard, streams, metrics } = this
    server.on('request', this.onRequest)
    const sockets = this.rows.filter((row) => row.format === 'websocket')
    serveUpgrades(server, {
      guard,
      streams,
      metrics,
      codec: this.services.info.codec,
      routes: new Map(sockets.map((row) => [row.path, row])),
      requestTimeoutMs: config.requestTimeoutMs,
    })
    refuseExpectations(server, nextRequestId)
    capConnections(server, config, metrics)
  }

  private mount(route: Route): void {
    const { row } = route
    const prepared: Prepared = {
      route,
      params: row.params === undefined ? undefined : new ParameterReader(row.params),
      query: new ParameterReader(row.query ?? NO_PARAMETERS),
    }
    this.app.route({
      method: row.method,
      url: row.path.replace(/\{([a-z_]+)\}/g, ':$1'),
      bodyLimit: row.body?.maxBytes ?? EMPTY_BODY_MAX_BYTES,
      config: { route },
      handler: (request, reply) => this.answer(prepared, request, reply),
    })
  }

  /** Checks that need the head of a request only, in the order of their cost; undefined when it may go on. */
  private admit(request: FastifyRequest, reply: FastifyReply): LedgerError | undefined {
    const exchange = exchangeOf(request)
    const { headers } = request.raw
    const route = request.routeOptions.config.route
    const row = route?.row
    const checked = this.guard.head(request.raw, row)
    if (checked instanceof LedgerError) return checked
    exchange.token = checked.token
    // Here and not in the not-found handler, which would read the body first.
    if (row === undefined) return this.unknownRoute(request, reply)
    const { answerTypes } = route as Route
    const type = answerTypes.preferred(headers.accept)
    if (type === undefined) {
      const { offers } = answerTypes
      return new LedgerError('not_acceptable', `this route answers ${offers.join(' or ')}`, {
        details: { supported: offers },
      })
    }
    exchange.answerType = type
    return row.body === undefined ? undefined : this.admitBody(request, row.body)
  }

  private admitBody(request: FastifyRequest, body: NonNullable<AnyRoute['body']>): LedgerError | undefined {
    const { headers } = request.raw
    const form = bodyForm(body, headers['content-type'], headers['content-encoding'])
    if (form instanceof LedgerError) return form
    exchangeOf(request).bodyForm = form
    // Refused by its announcement, so that the connection can be used again.
    if (Number(headers['content-length'] ?? 0) > maxBodyBytes(body, form)) return bodyTooLong(body, form)
    return undefined
  }

  /** The way of an admitted request to its answer. Nothing is returned: the server library would wait for a promise. */
  private answer(prepared: Prepared, request: FastifyRequest, reply: FastifyReply): void {
    const exchange = exchangeOf(request)
    const { row, handler } = prepared.route
    const { codec } = this.services.info
    const target = request.raw.url ?? '/'
    const raw = Buffer.isBuffer(request.body) ? request.body : NO_BODY
    const admitted = this.guard.caller(row, request.raw, raw, exchange.token)
    if (admitted instanceof LedgerError) return this.fail(request, reply, admitted)
    if (row.body === undefined && !isEmptyBody(raw)) return this.fail(request, reply, noBodyHere())
    const params = prepared.params?.read(Object.entries(request.params as Record<string, string>), codec)
    if (params instanceof LedgerError) return this.fail(request, reply, params)
    const query = prepared.query.readSearch(splitTarget(target).search, codec)
    if (query instanceof LedgerError) return this.fail(request, reply, query)
    if (row.format === 'sse') {
      this.stream(row, query, request, reply).catch((error: unknown) => this.fail(request, reply, error))
      return
    }
    const body = row.body === undefined ? undefined : readBody(row.body, exchange.bodyForm, raw, codec)
    if (body instanceof LedgerError) return this.fail(request, reply, body)
    const waiting = new Waiting(reply.raw)
    const handled = handler({
      params: params as never,
      query: query as never,
      body: body as never,
      headers: request.raw.headers as Record<string, string | undefined>,
      caller: admitted,
      services: this.services,
      requestId: exchange.requestId,
      get signal() {
        return waiting.signal
      },
    })
    const outcome = row.audited === true ? this.audited(row, handled, admitted, exchange.requestId) : handled
    if (!(outcome instanceof Promise)) return this.deliver(row, outcome, request, reply)
    const deadline = this.deadlines.start(() => {
      waiting.end()
      this.fail(request, reply, new LedgerError('request_timeout', 'the node did not answer in time'))
    })
    outcome
      .then((result) => {
        if (this.deadlines.met(deadline)) this.deliver(row, result, request, reply)
      })
      .catch((error: unknown) => {
        this.deadlines.met(deadline)
        if (!reply.sent) this.fail(request, reply, error)
      })
  }

  /** What an operator asked for and what came of it, written down before anybody hears of it. */
  private async audited<T>(
    row: AnyRoute,
    outcome: T | LedgerError | Promise<T | LedgerError>,
    { account }: Caller,
    requestId: string,
  ): Promise<T | LedgerError> {
    const result = await outcome
    const { addressPrefix } = this.services.info
    await this.audit?.append({
      action: row.id.replaceAll('.', '_'),
      actor: account === undefined ? 'operator' : formatAddress(account, addressPrefix),
      fields: { outcome: result instanceof LedgerError ? result.code : 'done', request_id: requestId },
    })
    return result
  }

  /** Sends what a handler answered. Throws when that is not what its row declares. */
  private deliver(
    row: AnyRoute,
    result: HandlerReply<unknown> | LedgerError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (result instanceof LedgerError) return this.fail(request, reply, result)
    const { type, bytes } = serialise(row, exchangeOf(request).answerType, result.value, this.services.info.codec)
    this.send(reply, {
      status: result.status ?? row.success ?? 200,
      headers: { ...COMMON_HEADERS, ...result.headers, 'content-type': type },
      body: bytes,
    })
  }

  /** Hands the response over to a stream. */
  private async stream(row: AnyRoute, query: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const start = await this.streams.sse({ routeId: row.id, query, raw: request.raw })
    const refused = start instanceof LedgerError ? start : this.streams.full()
    if (refused !== undefined) return this.fail(request, reply, refused)
    const headers = this.cors.headersFor(request.raw)
    if (request.method === 'HEAD') {
      const head = { ...COMMON_HEADERS, ...headers, 'content-type': EVENT_STREAM_CONTENT_TYPE }
      return this.send(reply, { status: 200, headers: head, body: NO_BODY })
    }
    reply.hijack()
    exchangeOf(request).streaming = true
    this.metrics.inFlight.dec()
    ;(start as SseStart)(reply.raw, headers)
  }

  private unknownRoute(request: FastifyRequest, reply: FastifyReply): LedgerError {
    const { path } = splitTarget(request.raw.url ?? '/')
    const { error, allow } = this.index.refusal(request.method, path)
    if (allow !== undefined) reply.raw.setHeader('allow', allow)
    return error
  }

  private fail(request: FastifyRequest, reply: FastifyReply, cause: unknown): void {
    const { requestId } = exchangeOf(request)
    const row = request.routeOptions.config.route?.row
    const told = toLedgerError(cause)
    const error = told.code === 'payload_too_large' && row !== undefined && row.body === undefined ? noBodyHere() : told
    if (error.http === 500) {
      const route = row?.id
      this.logger.error({ err: error.cause ?? error, request_id: requestId, route }, 'request failed')
    }
    this.metrics.rejections.inc({ code: error.code })
    // What is left of a body that was too long would be read as the next request.
    if (reply.getHeader('connection') === 'close') reply.raw.setHeader('connection', 'close')
    this.send(reply, errorAnswer(error, requestId, prefersBinary(request.raw.headers.accept)))
  }

  /** Writes an answer past the server library, whose ways of making one this gateway does not use. */
  private send(reply: FastifyReply, { status, headers, body }: Answer): void {
    const { raw } = reply
    if (raw.headersSent) return
    reply.hijack()
    raw.writeHead(status, {
      ...headers,
      ...this.cors.headersFor(reply.request.raw),
      'content-length': body.length,
      // An idle connection would keep the server from closing.
      ...(this.closing ? { connection: 'close' } : undefined),
    })
    // Head and body leave in one write when the body is a text.
    if (body.length <= ONE_WRITE_MAX_BYTES) raw.end(body.toString('latin1'), 'latin1')
    else raw.end(body)
  }

  private observe(request: FastifyRequest, reply: FastifyReply): void {
    const row = request.routeOptions.config.route?.row
    const route = row?.id ?? 'none'
    const seconds = (performance.now() - exchangeOf(request).startedAtMs) / 1000
    if (!exchangeOf(request).streaming) this.metrics.inFlight.dec()
    this.metrics.requests.inc({ route, method: request.method, status: reply.statusCode })
    // How long a reader stays says nothing about the node.
    if (row === undefined || !isStream(row)) this.metrics.duration.observe({ route }, seconds)
  }

  private onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    const requestId = nextRequestId()
    const reported = onClientError(error, socket, requestId)
    if (reported === undefined) return
    this.metrics.rejections.inc({ code: reported.code })
    this.logger.debug({ code: error.code, request_id: requestId }, 'connection without a request')
  }
}
