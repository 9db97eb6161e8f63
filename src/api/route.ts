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

/** Response format. The two with `binary` respond in the codec unless JSON is preferred. */
export type RouteFormat = 'json' | 'binary-or-json' | 'binary' | 'sse' | 'websocket' | 'metrics'

/** Methods that routes use. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Schema with an erased record type. */
export type AnySchema = Pick<Schema<unknown>, 'name' | 'jsonSchema'>

/** Frame with an erased record type. */
export type AnyFrame = FrameOf<unknown>

/**
 * Maximum size in bytes of the JSON form of a record in place of its frame. It is parsed before the signature can be
 * verified, at some 0.1 us a byte; larger records must be sent as frames.
 */
export const JSON_BODY_MAX_BYTES = 128 * 1024

/** Format of the request body. */
export type RouteBody<B> =
  /** JSON form of a record; the handler receives the value. */
  | { readonly as: 'record'; readonly schema: Schema<B>; readonly maxBytes: number }
  /** A codec frame, or the JSON twin of its record up to `JSON_BODY_MAX_BYTES`; the handler gets the canonical bytes of the record (B is Uint8Array). */
  | { readonly as: 'canonical'; readonly frame: AnyFrame; readonly maxBytes: number }
  /**
   * Bytes that the handler reads itself (B is Uint8Array). `types`: accepted media types; an absent Content-Type passes.
   * `strangerMaxBytes`: longest body of a sender that the feature does not know; absent: that of all.
   */
  | {
      readonly as: 'bytes'
      readonly types: readonly string[]
      readonly maxBytes: number
      readonly strangerMaxBytes?: number
    }

/** Content of a stream. */
export type RouteStream =
  /** Data of the events by their `event:` name, each the JSON form of its record. */
  | { readonly as: 'sse'; readonly events: Readonly<Record<string, AnySchema>> }
  /** The client's first frame and the node's frames: codec frames, or text frames with their JSON twins. */
  | { readonly as: 'websocket'; readonly start: AnyFrame; readonly message: AnyFrame }

/** Input of the query behind a route. */
export interface RouteRequest<P, Q, B, A extends AccountParameters> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly accounts: Accounts<P, Q, B, A>
}

/** A request of a route whose types are forgotten. */
type AnyRequest = RouteRequest<never, never, never, never>

/** Query behind a route without a handler. */
export interface RouteQuery {
  readonly def: QueryDef<unknown, unknown>
  input(request: AnyRequest): unknown
  /** Error text if the query finds nothing; absent: it always finds something. */
  absent?(request: AnyRequest): string
}

/** List behind a route without a handler, with the common paging and cursors. */
export interface RoutePage {
  readonly list: QueryDef<PageQuery & object, Page<unknown>>
  /** Parameters of the query besides the paging. */
  more?(request: AnyRequest): object
  /** Error text if the object of the list does not exist; absent: it always exists. */
  absent?(request: AnyRequest): string
}

/** History behind a route without a handler: entries by height, descending. */
export interface RouteHistory {
  readonly history: QueryDef<HeightsQuery, Page<unknown>>
}

/** One route. `P`, `Q`, `B`, `R`, `A`: path parameters, query string, body, answer and accounts as the handler sees them. */
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
  /** Feature that the route belongs to, set where rows are collected; a node without it answers 404 `route_not_enabled`. */
  readonly feature?: string
  readonly format: RouteFormat
  /** A struct whose JSON field names are those in the path. */
  readonly params?: Schema<P>
  /** Struct whose JSON field names are the names of the query string. */
  readonly query?: Schema<Q>
  readonly body?: RouteBody<B>
  /** Parameters that name accounts, and the value that the handler gets for each. */
  readonly accounts?: A
  /** Record of a good answer; absent: the handler gives the finished text or bytes. */
  readonly response?: Schema<R>
  /** Other forms of a good answer, by media type: the text made of the record. For the format `json`. */
  readonly renders?: Readonly<Record<string, (value: never) => string>>
  /** Frame of the binary answer, for the formats that have one; its schema is `response`. */
  readonly frame?: FrameOf<R>
  /** Messages of a stream: records of Server-Sent Events by event name, or the frames of a WebSocket. */
  readonly stream?: RouteStream
  /** The query or the list that answers it; absent: a handler does. */
  readonly answer?: RouteQuery | RoutePage | RouteHistory
  /** HTTP status of a good answer; default 200. */
  readonly success?: number
  /** Status of the same record where nothing new happened: the request was answered before. */
  readonly repeated?: number
  /** Codes of errors that its handler answers beside those that follow from the row. */
  readonly errors?: readonly ErrorCode[]
  /** Headers of a good answer, with what they say. */
  readonly headers?: Readonly<Record<string, string>>
  /** Descriptions of parameters whose names do not explain them. */
  readonly about?: Readonly<Record<string, string>>
  /** True for actions of operators: the audit log records caller and result. */
  readonly audited?: true
  /**
   * True for what a node still answers that halted: about itself, or what certificates prove. Its state is not the certified
   * one, so that everything else is refused with `node_halted`.
   */
  readonly whileHalted?: true
  /** True for routes that accept a body but change nothing, such as a dry run. */
  readonly safe?: true
  /** Name of the tool for assistants, and its purpose in a sentence. */
  readonly tool?: { readonly name: string; readonly about: string }
  /** True for what gives instructions for others to sign. */
  readonly drafts?: true
  /** True for the liveness check: no key, no limit, no profile. */
  readonly unlimited?: boolean
}

/** Stream row: it never ends, so a call cannot answer it with one record. */
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
  /** Answers it by a query; a record that is not found is a `not_found` with the text of `absent`. */
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
  /** Answers it by a page of what heights have. */
  byHeights(history: QueryDef<HeightsQuery, R & Page<unknown>>): RouteRow<P, Q, B, R, A>
}

/** Ways to declare what answers a row. They are inherited, so that a copy of the row is a row alone. */
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

/** Declares a route; the types of its handler, or of the query that answers it, follow from the schemas. */
export const defineRoute = <
  P = undefined,
  Q = undefined,
  B = undefined,
  R = string | Uint8Array,
  A extends AccountParameters = Record<never, never>,
>(
  row: RouteRow<P, Q, B, R, A>,
): DeclaredRoute<P, Q, B, R, A> => Object.assign(Object.create(ANSWERS), row)

/** Declares a stream. */
export const defineStream = <Q = undefined, P = undefined, A extends AccountParameters = Record<never, never>>(
  row: StreamRow<Q, P, A>,
): StreamRow<Q, P, A> => row

/** Forgets the types of rows, for a table. */
export const routeTable = (...rows: readonly unknown[]): readonly AnyRoute[] => rows as readonly AnyRoute[]
