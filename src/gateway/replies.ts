/** Owns the response to a request: its bytes or its error, written at once and counted. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyRoute, HandlerReply } from '../api/index.js'
import type { Metrics } from '../api/metrics.js'
import { type RequestTracer, type Submission, TRACEPARENT_HEADER } from '../api/request-trace.js'
import type { NodeServices } from '../api/services.js'
import { LedgerError } from '../model/index.js'
import { type Answer, COMMON_HEADERS, errorAnswer, toLedgerError } from './answer.js'
import type { Cors } from './cors.js'
import { exchangeOf, nextRequestId } from './exchange.js'
import { isEndInDoubt } from './guard.js'
import { prefersBinary } from './negotiate.js'
import { onClientError } from './raw.js'
import { isStream } from './route-index.js'
import { serialise } from './serialise.js'

/** Logger of the gateway; compatible with pino. */
export interface GatewayLogger {
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/**
 * Maximum size of bodies that are copied in order to send them together with their head; the copy costs less than a
 * second write.
 */
const ONE_WRITE_MAX_BYTES = 4 * 1024

/** Error for a body on a route that has none. */
export const noBodyHere = (): LedgerError =>
  new LedgerError('payload_too_large', 'this route does not accept a request body')

/** Dependencies of responses. */
export interface ReplyParts {
  readonly services: NodeServices
  readonly cors: Cors
  readonly metrics: Metrics['gateway']
  readonly logger: GatewayLogger
  readonly tracer: RequestTracer | undefined
}

/** Fields of a response in its trace. */
interface Traced {
  readonly status: number
  readonly code?: string
  readonly submission?: Submission | undefined
}

/** Responses of one gateway. */
export class Replies {
  private closing = false

  constructor(private readonly parts: ReplyParts) {}

  /** Close connections with their next responses. */
  close(): void {
    this.closing = true
  }

  /** Send the result of a handler. Throws if the result does not match the route. */
  deliver(
    row: AnyRoute,
    result: HandlerReply<unknown> | LedgerError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (result instanceof LedgerError) return this.fail(request, reply, result)
    const { type, bytes } = serialise(row, exchangeOf(request).answerType, result.value, this.parts.services.info.codec)
    const status = result.status ?? row.success ?? 200
    this.send(reply, {
      status,
      headers: {
        ...COMMON_HEADERS,
        ...result.headers,
        ...this.traced(request, { status, submission: result.submission }),
        'content-type': type,
      },
      body: bytes,
    })
  }

  fail(request: FastifyRequest, reply: FastifyReply, cause: unknown): void {
    const { requestId } = exchangeOf(request)
    const row = request.routeOptions.config.route?.row
    const ledgerError = toLedgerError(cause)
    const error =
      ledgerError.code === 'payload_too_large' && row !== undefined && row.body === undefined
        ? noBodyHere()
        : ledgerError
    if (error.http === 500) {
      const route = row?.id
      this.parts.logger.error({ err: error.cause ?? error, request_id: requestId, route }, 'request failed')
    }
    this.parts.metrics.rejections.inc({ code: error.code })
    // The rest of a body that was too long, or has an ambiguous end, would be parsed as the next request.
    const endsHere = reply.getHeader('connection') === 'close' || isEndInDoubt(request.raw)
    if (endsHere) reply.raw.setHeader('connection', 'close')
    const answer = errorAnswer(error, requestId, prefersBinary(request.raw.headers.accept))
    const trace = this.traced(request, { status: answer.status, code: error.code })
    this.send(reply, trace === undefined ? answer : { ...answer, headers: { ...answer.headers, ...trace } })
  }

  /** Response header with the trace of a request; undefined if the request is not traced. */
  private traced(request: FastifyRequest, { status, code, submission }: Traced): Record<string, string> | undefined {
    const row = request.routeOptions.config.route?.row
    const { tracer, logger } = this.parts
    if (tracer === undefined || row === undefined) return undefined
    const { traceparent } = request.raw.headers
    const exchange = exchangeOf(request)
    try {
      const ledgerError = tracer.answered({
        method: row.method,
        path: row.path,
        status,
        code,
        traceparent: typeof traceparent === 'string' ? traceparent : undefined,
        tookMs: performance.now() - exchange.startedAtMs,
        submission,
      })
      return ledgerError === undefined ? undefined : { [TRACEPARENT_HEADER]: ledgerError }
    } catch (err) {
      // A tracing failure must not affect the request.
      logger.error({ err, request_id: exchange.requestId, route: row.id }, 'a request has no trace')
      return undefined
    }
  }

  /** Write a response directly, without the response construction of the server library. */
  send(reply: FastifyReply, { status, headers, body }: Answer): void {
    const { raw } = reply
    if (raw.headersSent) return
    reply.hijack()
    const { vary } = headers
    const cors = this.parts.cors.headersFor(reply.request.raw)
    raw.writeHead(status, {
      ...headers,
      ...cors,
      ...(vary === undefined || cors['vary'] === undefined ? undefined : { vary: `${vary}, ${cors['vary']}` }),
      // The length of an omitted body would be that of another response (RFC 9110, section 8.6).
      ...(status === 304 ? undefined : { 'content-length': body.length }),
      // An idle connection would delay the close of the server.
      ...(this.closing ? { connection: 'close' } : undefined),
    })
    // Head and body are sent in one write if the body is a text.
    if (body.length <= ONE_WRITE_MAX_BYTES) raw.end(body.toString('latin1'), 'latin1')
    else raw.end(body)
  }

  observe(request: FastifyRequest, reply: FastifyReply): void {
    const { route: mounted, site } = request.routeOptions.config
    const row = mounted?.row
    const route = row?.id ?? (site === true ? 'site' : 'none')
    const seconds = (performance.now() - exchangeOf(request).startedAtMs) / 1000
    if (!exchangeOf(request).streaming) this.parts.metrics.inFlight.dec()
    this.parts.metrics.requests.inc({ route, method: request.method, status: reply.statusCode })
    // The duration of a stream is not a latency of the node.
    if (row === undefined || !isStream(row)) this.parts.metrics.duration.observe({ route }, seconds)
  }

  onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    const requestId = nextRequestId()
    const reported = onClientError(error, socket, requestId)
    if (reported === undefined) return
    this.parts.metrics.rejections.inc({ code: reported.code })
    this.parts.logger.debug({ code: error.code, request_id: requestId }, 'connection closed without a request')
  }
}
