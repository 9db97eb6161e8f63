/** Owns the shape of a route row, from which router, validation, OpenAPI, metrics and docs are derived. */

import type { FrameOf, Schema } from '../codec/index.js'
import type { ErrorCode, QueryDef, TelemetryKind } from '../model/index.js'
import type { AccountParameters, Accounts } from './accounts.js'
import type { Page } from './paging.js'
import type { HeightsQuery, PageQuery } from './query-inputs.js'

/** Required caller: anyone, a request signed for an account (or an API token bound to one), or an operator key. */
export type RouteAccess = 'public' | 'account' | 'operator'

/** Telemetry profiles that serve the route (specification 8.3); absent: all of them. */
export type RouteProfile = TelemetryKind

/** Response format. The two formats with `binary` respond in the codec unless JSON is preferred. */
export type RouteFormat = 'json' | 'binary-or-json' | 'binary' | 'sse' | 'websocket' | 'metrics'

/** Methods that routes use. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Schema with an erased record type. */
export type AnySchema = Pick<Schema<unknown>, 'name' | 'jsonSchema'>

/** Frame with an erased record type. */
export type AnyFrame = FrameOf<unknown>

/**
 * Maximum size in bytes of the JSON form of a record in place of its frame. It is parsed before the signature can be
 * verified, at about 0.1 us per byte; larger records must be sent as frames.
 */
export const JSON_BODY_MAX_BYTES = 128 * 1024

/** Format of the request body. */
export type RouteBody<B> =
  /** JSON form of a record; the handler receives the value. */
  | { readonly as: 'record'; readonly schema: Schema<B>; readonly maxBytes: number }
  /**
   * Codec frame, or the JSON form of its record up to `JSON_BODY_MAX_BYTES`; the handler receives the canonical bytes
   * of the record (B is Uint8Array).
   */
  | { readonly as: 'canonical'; readonly frame: AnyFrame; readonly maxBytes: number }
  /**
   * Bytes that the handler parses itself (B is Uint8Array). `types`: accepted media types; an absent Content-Type is
   * accepted. `untrustedMaxBytes`: maximum size of the body of a sender unknown to the feature; absent: the same for
   * all.
   */
  | {
      readonly as: 'bytes'
      readonly types: readonly string[]
      readonly maxBytes: number
      readonly untrustedMaxBytes?: number
    }

/** Content of a stream. */
export type RouteStream =
  /** Data of the events by `event:` name, each the JSON form of its record. */
  | { readonly as: 'sse'; readonly events: Readonly<Record<string, AnySchema>> }
  /** First frame of the client and frames of the node: codec frames, or text frames with their JSON forms. */
  | { readonly as: 'websocket'; readonly start: AnyFrame; readonly message: AnyFrame }

/** Input of the query that serves a route. */
export interface RouteRequest<P, Q, B, A extends AccountParameters> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly accounts: Accounts<P, Q, B, A>
}

/** Request of a route with erased types. */
type AnyRequest = RouteRequest<never, never, never, never>

/** Query that serves a route without a handler of its own. */
export interface RouteQuery {
  readonly def: QueryDef<unknown, unknown>
  input(request: AnyRequest): unknown
  /** Error text if the query finds nothing; absent if it always finds a record. */
  absent?(request: AnyRequest): string
}

/** List served by a route that has no handler of its own, with the common paging and cursors. */
export interface RoutePage {
  readonly list: QueryDef<PageQuery & object, Page<unknown>>
  /** Parameters of the query besides the paging. */
  more?(request: AnyRequest): object
  /** Error text if the object of the list does not exist; absent if it always exists. */
  absent?(request: AnyRequest): string
}

/** History that serves a route without a handler of its own: entries by height, descending. */
export interface RouteHistory {
  readonly history: QueryDef<HeightsQuery, Page<unknown>>
}

/**
 * Route of the table. `P`, `Q`, `B`, `R`, `A`: path parameters, query string, body, response and accounts of the
 * handler.
 */
export interface RouteRow<
  P = unknown,
  Q = unknown,
  B = unknown,
  R = unknown,
  A extends AccountParameters = AccountParameters,
> {
  /** Name in handlers, metrics and OpenAPI (`operationId`); never reused. */
  readonly id: string
  readonly method: RouteMethod
  /** Path with `{name}` for parameters. */
  readonly path: string
  readonly summary: string
  readonly access: RouteAccess
  readonly profile?: RouteProfile
  /** Feature of the route, set when rows are collected; a node without the feature returns 404 `route_not_enabled`. */
  readonly feature?: string
  readonly format: RouteFormat
  /** Struct whose JSON field names are the names in the path. */
  readonly params?: Schema<P>
  /** Struct whose JSON field names are the names of the query string. */
  readonly query?: Schema<Q>
  readonly body?: RouteBody<B>
  /** Parameters that name accounts, and the form of each for the handler. */
  readonly accounts?: A
  /** Record of a successful response; absent: the handler returns the finished text or bytes. */
  readonly response?: Schema<R>
  /** Other forms of a successful response by media type: a text made from the record. Only for the format `json`. */
  readonly renders?: Readonly<Record<string, (value: never) => string>>
  /** Frame of the binary response, for formats that have one; its schema is `response`. */
  readonly frame?: FrameOf<R>
  /** Messages of a stream: records of Server-Sent Events by event name, or the frames of a WebSocket. */
  readonly stream?: RouteStream
  /** Query or list that serves the route; absent if a handler serves it. */
  readonly answer?: RouteQuery | RoutePage | RouteHistory
  /** HTTP status of a successful response; default 200. */
  readonly success?: number
  /** Status of the same record if the request was processed before. */
  readonly repeated?: number
  /** Error codes of its handler in addition to the errors implied by the row. */
  readonly errors?: readonly ErrorCode[]
  /** Headers of a successful response, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>
  /** Descriptions of parameters whose names do not explain them. */
  readonly about?: Readonly<Record<string, string>>
  /** True for actions of operators: the audit log records caller and result. */
  readonly audited?: true
  /**
   * True if a halted node still serves it, because it concerns the node itself or is proven by certificates. The state
   * of a halted node is not the certified one, so other routes return `node_halted`.
   */
  readonly whileHalted?: true
  /** True for routes that accept a body but change nothing, such as a dry run. */
  readonly safe?: true
  /** Name of the tool for assistants, and its purpose in a sentence. */
  readonly tool?: { readonly name: string; readonly about: string }
  /** True if it returns instructions that clients sign. */
  readonly drafts?: true
  /** True for the liveness check, which needs no key and has no limit or profile. */
  readonly unlimited?: boolean
}

/** Stream row: it never ends, so it has no single response record. */
export type StreamRow<Q = unknown, P = unknown, A extends AccountParameters = AccountParameters> = RouteRow<
  P,
  Q,
  undefined,
  string | Uint8Array,
  A
> & {
  readonly stream: RouteStream
}

/** Row with erased types, for tables. */
export type AnyRoute = RouteRow<never, never, never, never>

/** Settings of most reads. */
export const publicRead = { method: 'GET', access: 'public', format: 'json' } as const

/** Frames that a route reads and writes. */
export function framesOf({ frame, body, stream }: AnyRoute): readonly AnyFrame[] {
  const frames: readonly (AnyFrame | undefined)[] = [
    frame,
    body?.as === 'canonical' ? body.frame : undefined,
    ...(stream?.as === 'websocket' ? [stream.start, stream.message] : []),
  ]
  return frames.filter((one) => one !== undefined)
}

/** Declared route; it has a handler unless a query, page or history answers it. */
export type DeclaredRoute<P, Q, B, R, A extends AccountParameters> = RouteRow<P, Q, B, R, A> & {
  /** Serve the route by a query; a missing record is `not_found` with the text of `absent`. */
  byQuery<I>(
    def: QueryDef<I, R>,
    input: (request: RouteRequest<P, Q, B, A>) => I,
    absent?: (request: RouteRequest<P, Q, B, A>) => string,
  ): RouteRow<P, Q, B, R, A>
  /** Serve the route by a page of a list. `more`: query fields besides the paging. */
  byPage<I extends PageQuery>(
    list: QueryDef<I, R & Page<unknown>>,
    more?: (request: RouteRequest<P, Q, B, A>) => Omit<I, keyof PageQuery>,
    absent?: (request: RouteRequest<P, Q, B, A>) => string,
  ): RouteRow<P, Q, B, R, A>
  /** Serve the route by a page of entries by height. */
  byHeights(history: QueryDef<HeightsQuery, R & Page<unknown>>): RouteRow<P, Q, B, R, A>
}

/** Methods that declare how a row is served. They are inherited, so that a copy of the row has only data. */
const ANSWERS = {
  byQuery(this: AnyRoute, def: RouteQuery['def'], input: RouteQuery['input'], absent?: RouteQuery['absent']) {
    return { ...this, answer: { def, input, absent } }
  },
  byPage(this: AnyRoute, list: RoutePage['list'], more?: RoutePage['more'], absent?: RoutePage['absent']) {
    const answer = { list, more, absent }
    return { ...this, answer }
  },
  byHeights(this: AnyRoute, history: RouteHistory['history']) {
    return { ...this, answer: { history } }
  },
}

/** Declare a route; the types of its handler or query follow from the schemas. */
export const defineRoute = <
  P = undefined,
  Q = undefined,
  B = undefined,
  R = string | Uint8Array,
  A extends AccountParameters = Record<never, never>,
>(
  row: RouteRow<P, Q, B, R, A>,
): DeclaredRoute<P, Q, B, R, A> => Object.assign(Object.create(ANSWERS), row)

/** Declare a stream. */
export const defineStream = <Q = undefined, P = undefined, A extends AccountParameters = Record<never, never>>(
  row: StreamRow<Q, P, A>,
): StreamRow<Q, P, A> => row

/** Erase the types of rows, for a table. */
export const routeTable = (...rows: readonly unknown[]): readonly AnyRoute[] => rows as readonly AnyRoute[]
