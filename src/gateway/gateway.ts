/** Owns the HTTP server: its composition and life cycle. */
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { AnyHandler, AnyRoute, StreamSource } from '../api/index.js'
import { type Metrics, metricsOf } from '../api/metrics.js'
import type { RequestTracer } from '../api/request-trace.js'
import type { LargeBodyReader, NodeServices } from '../api/services.js'
import type { Site } from '../api/site.js'
import { type Clocks, SYSTEM_CLOCKS } from '../base/clocks.js'
import { Feed } from '../events/feed.js'
import type { AuditTrail, LedgerError } from '../model/index.js'
import { operatorKeysOf } from './caller.js'
import { type GatewayConfig, type GatewaySettings, gatewayConfig } from './config.js'
import { capConnections } from './connections.js'
import { Cors } from './cors.js'
import { Deadlines } from './deadlines.js'
import { Dispatcher } from './dispatcher.js'
import { exchangeOf, nextRequestId } from './exchange.js'
import { Guard } from './guard.js'
import { consensusStreams } from './handlers/consensus.js'
import { coreFamily } from './handlers/index.js'
import { EMPTY_BODY_MAX_BYTES } from './input.js'
import { LargeBodies } from './large-bodies.js'
import { Origins } from './origins.js'
import { refuseExpectations } from './raw.js'
import { type GatewayLogger, Replies } from './replies.js'
import { Requests } from './requests.js'
import { type Route, RouteIndex } from './route-index.js'
import { type Bound, bind, changeCertificate, newRouter, newServer } from './server.js'
import { OperatorSessions } from './sessions.js'
import { mountSite } from './site.js'
import type { StartingGateway } from './starting.js'
import { OWN_STREAMS, Streams } from './streams/index.js'
import { TrustedProxies } from './trusted-proxies.js'
import { serveUpgrades } from './upgrade.js'

/** Dependencies of the gateway. */
export interface GatewayModules {
  readonly services: NodeServices
  /** Routes of the features that the node serves; the routes of the core are added. */
  readonly routes?: readonly AnyRoute[] | undefined
  /** Handlers of these routes, by route id. */
  readonly handlers?: ReadonlyMap<string, AnyHandler<NodeServices>> | undefined
  /** Stream sources of these routes, by route id. */
  readonly streams?: ReadonlyMap<string, StreamSource> | undefined
  /** Readers that identify known senders of large bodies, by route id. */
  readonly largeBodies?: ReadonlyMap<string, LargeBodyReader> | undefined
  /** Feed of block events, if other parts of the node read it too. */
  readonly feed?: Feed | undefined
  /** Web pages for browsers. */
  readonly site?: Site | undefined
  /** Tracer of requests, if a service provides one. */
  readonly tracer?: RequestTracer | undefined
  readonly logger?: GatewayLogger | undefined
  /** Audit log for actions of operators, written before the response. */
  readonly audit?: AuditTrail | undefined
  readonly clocks?: Clocks | undefined
  /** Sessions of operators, if services of features open some too. */
  readonly sessions?: OperatorSessions | undefined
  /** Listener that already serves the start phase of this gateway. */
  readonly starting?: StartingGateway | undefined
}

const SILENT: GatewayLogger = { error: () => {}, debug: () => {} }

export class Gateway {
  /** Current configuration, changed by `configure`. */
  readonly config: GatewayConfig
  /** Served routes, in table order. */
  readonly rows: readonly AnyRoute[]
  private readonly server: Server
  private readonly starting: StartingGateway | undefined
  private readonly app: FastifyInstance
  private readonly onRequest: RequestListener
  private readonly guard: Guard
  private readonly proxies: TrustedProxies
  private readonly streams: Streams
  private readonly cors: Cors
  private readonly replies: Replies
  private readonly requests: Requests
  private readonly metrics: Metrics['gateway']
  private readonly services: NodeServices
  private closing = false

  /**
   * Build the server without listening. Throws `config_invalid` for invalid settings, and an Error if a route has no
   * handler or stream, or if a handler or stream has no route.
   */
  constructor(config: Partial<GatewayConfig>, modules: GatewayModules) {
    this.config = gatewayConfig(config)
    const { services, logger = SILENT, clocks = SYSTEM_CLOCKS } = modules
    this.services = services
    this.metrics = metricsOf(services.metrics).gateway
    const sessions = modules.sessions ?? new OperatorSessions()
    const sources = new Map([...consensusStreams, ...(modules.streams ?? [])])
    const core = coreFamily(() => this.rows, clocks, sessions, this.config)
    const index = new RouteIndex(
      [...core.routes, ...(modules.routes ?? [])],
      new Map([...core.handlers, ...(modules.handlers ?? [])]),
      new Set([...OWN_STREAMS, ...sources.keys()]),
      this.config.disabledFeatures,
      this.config.withheldRoutes,
    )
    this.rows = index.routes.map((route) => route.row)
    this.cors = new Cors(this.config.corsOrigins)
    const origins = new Origins(this.config.hosts, this.cors)
    this.proxies = new TrustedProxies(this.config.trustedProxies)
    this.guard = new Guard(this.config, services, clocks, sessions, origins, this.proxies)
    this.streams = new Streams({
      services,
      feed: modules.feed ?? new Feed(services.history, services.info.codec),
      sources,
      metrics: this.metrics,
      limits: this.config,
      withdrawn: (owner) => this.guard.withdrawn(owner),
      endsWithHalt: new Set(this.rows.filter((row) => row.whileHalted !== true).map(({ id }) => id)),
      monotonicMs: clocks.monotonicMs,
      onError: (error) => logger.error({ err: error }, 'stream failed'),
    })
    sessions.onEnd(() => this.streams.review())
    this.replies = new Replies({
      services,
      cors: this.cors,
      metrics: this.metrics,
      logger,
      tracer: modules.tracer,
    })
    const dispatcher = new Dispatcher({
      index,
      guard: this.guard,
      services,
      audit: modules.audit,
      onError: (error, { requestId, route }) =>
        logger.error({ err: error, request_id: requestId, route }, 'request failed'),
    })
    this.requests = new Requests({
      index,
      guard: this.guard,
      dispatcher,
      streams: this.streams,
      cors: this.cors,
      replies: this.replies,
      metrics: this.metrics,
      services,
      deadlines: new Deadlines(this.config.handlerTimeoutMs),
      largeBodies: new LargeBodies(modules.largeBodies ?? new Map()),
    })
    this.starting = modules.starting
    this.server = modules.starting?.server ?? newServer(this.config)
    const { app, onRequest } = newRouter(this.server, {
      frameworkErrors: (error, request, reply) => this.replies.fail(request, reply as FastifyReply, error),
      clientErrorHandler: (error, socket) =>
        this.replies.onClientError(error as NodeJS.ErrnoException, socket as Socket),
    })
    this.app = app
    this.onRequest = onRequest
    this.prepare()
    for (const route of index.routes) this.mount(route)
    if (modules.site !== undefined) mountSite(app, modules.site, this.replies, this.requests.unknown)
    for (const { method, path } of index.reserved) app.route({ method, url: path, handler: this.requests.unknown })
  }

  /**
   * Listen, or take over the server of the start phase, and return the address. Rejects with `address_in_use`, naming
   * the address, or `config_invalid`.
   */
  async listen(): Promise<Bound> {
    await this.app.ready()
    const bound = this.starting?.release()
    this.attach()
    return bound ?? bind(this.server, this.config)
  }

  /**
   * Apply new settings to all subsequent requests. Throws `config_invalid` for invalid settings and changes nothing.
   */
  configure(settings: GatewaySettings): void {
    const next = gatewayConfig({ ...this.config, ...settings })
    operatorKeysOf(next)
    if (settings.tls !== undefined) changeCertificate(this.server, settings.tls)
    // The parts of the gateway read this object.
    Object.assign(this.config, next)
    this.cors.change(next.corsOrigins)
    this.guard.configure()
    this.streams.review()
  }

  /** Send a request through the whole server without a socket, for tests. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse> {
    return this.app.inject(request)
  }

  /** Refuse new requests, finish those in flight within `closeTimeoutMs`, then end every connection. */
  async close(): Promise<void> {
    if (this.closing) return
    this.closing = true
    this.replies.close()
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

  /** Replace the handlers of the router by the handlers of this gateway. */
  private prepare(): void {
    const { app } = this
    app.decorateRequest('exchange', null)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.setValidatorCompiler(() => () => true)
    app.setSerializerCompiler(() => (value) => String(value))
    app.setErrorHandler((error, request, reply) => this.replies.fail(request, reply, error))
    app.setNotFoundHandler(this.requests.unknown)
    app.addHook('onRequest', (request, reply, done) => {
      exchangeOf(request)
      this.metrics.inFlight.inc()
      const preflight = this.cors.preflight(request.raw)
      const error = preflight === undefined ? this.check(request, reply) : this.guard.preflight(request.raw)
      if (error instanceof Promise) error.then(done, done)
      else if (preflight === undefined || error !== undefined) done(error)
      else reply.code(204).headers(preflight).headers(this.cors.headersFor(request.raw)).send()
    })
    app.addHook('onResponse', (request, reply, done) => {
      this.replies.observe(request, reply)
      done()
    })
  }

  private check(
    request: FastifyRequest,
    reply: FastifyReply,
  ): LedgerError | undefined | Promise<LedgerError | undefined> {
    const isFile = request.routeOptions.config.site === true
    return isFile ? this.guard.file(request.raw) : this.requests.check(request, reply)
  }

  /** Attach to the requests and connections of the server. */
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
    capConnections(server, config, this.proxies, metrics)
  }

  private mount(route: Route): void {
    const { row } = route
    this.app.route({
      method: row.method,
      url: row.path.replace(/\{([a-z_]+)\}/g, ':$1'),
      bodyLimit: row.body?.maxBytes ?? EMPTY_BODY_MAX_BYTES,
      config: { route },
      handler: this.requests.handlerOf(route),
    })
  }
}
