/** Owns what the gateway knows of one request while it answers it. */
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AccountId } from '../model/index.js'
import type { BodyForm } from './input.js'
import type { Route } from './route-index.js'

/** State of one request. */
export interface Exchange {
  readonly requestId: string
  /** Monotonic ms. */
  readonly startedAtMs: number
  /** Media type that the client prefers for a good answer. */
  answerType: string
  bodyForm: BodyForm
  token: { readonly name: string; readonly account: AccountId | undefined } | undefined
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

/** A request id: unique over restarts, in the answer and in the log. */
export function nextRequestId(): string {
  counter += 1
  return `${boot}-${counter.toString(36)}`
}

/** The state of a request, made at the first call. */
export function exchangeOf(request: FastifyRequest): Exchange {
  request.exchange ??= {
    requestId: request.id,
    startedAtMs: performance.now(),
    answerType: '',
    bodyForm: 'bytes',
    token: undefined,
  }
  return request.exchange
}
