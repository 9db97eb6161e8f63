/** Owns the context of one request. */
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Token } from './caller.js'
import type { BodyForm } from './input.js'
import type { Route } from './route-index.js'

/** State of one request. */
export interface Exchange {
  readonly requestId: string
  /** Start on the monotonic clock, ms. */
  readonly startedAtMs: number
  /** Media type that the client prefers for a successful response. */
  answerType: string
  bodyForm: BodyForm
  token: Token
  /** Client to which rate limits apply. */
  client: string
  /** True while the response is an open stream. */
  streaming: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | null
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

const boot = randomBytes(6).toString('hex')
let counter = 0

/** Request id: unique across restarts, in the response and in the log. */
export function nextRequestId(): string {
  counter += 1
  return `${boot}-${counter.toString(36)}`
}

/** State of a request, created at the first call. */
export function exchangeOf(request: FastifyRequest): Exchange {
  request.exchange ??= {
    requestId: request.id,
    startedAtMs: performance.now(),
    answerType: '',
    bodyForm: 'bytes',
    token: undefined,
    client: '',
    streaming: false,
  }
  return request.exchange
}
