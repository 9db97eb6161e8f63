/**
 * Owns the type of route handlers: input and result. The services of the node are a type parameter, because they are
 * defined in a higher layer.
 */
import type { AccountId, LedgerError } from '../model/index.js'
import type { AccountParameters, Accounts } from './accounts.js'
import type { Dispatch } from './dispatch.js'
import type { Submission } from './request-trace.js'
import type { AnyRoute, RouteRow } from './route.js'

/** Sender of a request. `account` is set if the request was signed for it, or if its token is bound to it. */
export interface Caller {
  readonly kind: 'anonymous' | 'account' | 'token'
  readonly account: AccountId | undefined
  /** True if an allowed operator key signed the request, now or for its session. */
  readonly operator: boolean
  /** True if the request has a session token instead of a signature. */
  readonly session?: true
  /** Name of the API token of the request, for logs. */
  readonly token?: string
}

/** Request as input of its handler. */
export interface HandlerInput<S, P, Q, B, A extends AccountParameters = Record<never, never>> {
  readonly params: P
  readonly query: Q
  readonly body: B
  /** Accounts named by its parameters. */
  readonly accounts: Accounts<P, Q, B, A>
  /** Headers by lower-case name; repeated headers are joined as in Node. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly caller: Caller
  /** Client for rate limits: the API token, or the address of the request. */
  readonly client: string
  readonly services: S
  readonly requestId: string
  /** Aborted when the request times out or its client disconnects. Created on first use. */
  readonly signal: AbortSignal
  /** Other routes of the node, for the same caller. Created on first use. */
  readonly dispatch: Dispatch
}

/** Successful response. `status` defaults to the status of the row. */
export interface HandlerReply<R> {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly value: R
  /** Transaction in the request, for traces. */
  readonly submission?: Submission | undefined
}

/**
 * Handle a request; errors are returned as values. A throw is a bug or an I/O failure and becomes a 500 without
 * internals.
 */
export type RouteHandler<S, P, Q, B, R, A extends AccountParameters> = (
  input: HandlerInput<S, P, Q, B, A>,
) => HandlerReply<R> | LedgerError | Promise<HandlerReply<R> | LedgerError>

/** Handler with erased types, for tables. */
export type AnyHandler<S> = RouteHandler<S, never, never, never, unknown, never>

/** Pair a row with its handler, for a table of handlers by route id. */
export const handle = <S, P, Q, B, R, A extends AccountParameters>(
  row: RouteRow<P, Q, B, R, A>,
  handler: RouteHandler<S, P, Q, B, R, A>,
): readonly [id: string, handler: AnyHandler<S>] => [row.id, handler as AnyHandler<S>]

/** Group of routes with their handlers. */
export interface RouteFamily<S> {
  readonly routes: readonly AnyRoute[]
  readonly handlers: ReadonlyMap<string, AnyHandler<S>>
}
