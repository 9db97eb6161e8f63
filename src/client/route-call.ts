/** Owns the request that a row of the route table describes, and the parsing of its response. */
import { type AnyRoute, CODEC_MEDIA_TYPE, JSON_MEDIA_TYPE, type RouteRow } from '../api/index.js'
import type { CodecContext, Json, Schema } from '../codec/index.js'
import { LedgerError } from '../model/errors.js'
import type { HttpAnswer } from './answer.js'
import { decodedValue } from './decoded.js'

/** Input of a route: path and query parameters and body. Omitted parameters have their defaults. */
export type RouteInput<P, Q, B> = ([P] extends [undefined] ? unknown : { readonly params: P }) &
  ([Q] extends [undefined] ? unknown : { readonly query?: Partial<Q> }) &
  ([B] extends [undefined] ? unknown : { readonly body: B; readonly contentType?: string })

/** Request of the transport. */
export interface RouteRequest {
  readonly path: string
  readonly accept: string
  readonly body?: Uint8Array | undefined
  readonly contentType?: string | undefined
}

type Given = {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly contentType?: string
}

/** Input of a route as text: path and query parameters by name. */
export interface RouteTexts {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** Path and query string of a route. Throws an Error if a path parameter is missing, `validation_failed` if one is empty. */
export function pathOf({ path }: Pick<AnyRoute, 'path'>, { params = {}, query = {} }: RouteTexts = {}): string {
  const place = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const text = params[name]
    if (text === undefined) throw new Error(`${path} requires ${name}`)
    if (text === '') throw new LedgerError('validation_failed', `${name}: expected a value, got an empty text`)
    return encodeURIComponent(text)
  })
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return search === '' ? place : `${place}?${search}`
}

const textsOf = (schema: Schema<never>, value: unknown, codec: CodecContext): [name: string, text: string][] =>
  Object.entries(schema.toJson(value as never, codec) as { readonly [name: string]: Json })
    .filter(([, json]) => json !== null)
    .map(([name, json]) => [name, encodeURIComponent(String(json))])

/** Request of a route. Throws an Error for a value that does not match its schema. */
export function requestOf<P, Q, B, R>(
  route: RouteRow<P, Q, B, R>,
  { params, query, body, contentType }: Given,
  codec: CodecContext,
): RouteRequest {
  const inPath = new Map(route.params === undefined ? [] : textsOf(route.params as Schema<never>, params, codec))
  const path = route.path.replace(/\{([^}]+)\}/g, (_, name: string) => inPath.get(name) ?? '')
  const pairs = route.query === undefined ? [] : textsOf(route.query as Schema<never>, query ?? {}, codec)
  const search = pairs.map(([name, text]) => `${name}=${text}`).join('&')
  const accept = route.response === undefined && route.format !== 'json' ? '*/*' : JSON_MEDIA_TYPE
  const target = { path: search === '' ? path : `${path}?${search}`, accept }
  switch (route.body?.as) {
    case undefined:
      return target
    case 'record': {
      const text = JSON.stringify(route.body.schema.toJson(body as B, codec))
      return { ...target, body: Buffer.from(text), contentType: JSON_MEDIA_TYPE }
    }
    case 'canonical':
      return { ...target, body: route.body.frame.wrap(body as Uint8Array), contentType: CODEC_MEDIA_TYPE }
    case 'bytes':
      return { ...target, body: body as Uint8Array, contentType }
  }
}

/** Response of a route: its record, or its text. Throws `not_a_gateway` for a response of another release. */
export function answerOf<P, Q, B, R>(route: RouteRow<P, Q, B, R>, answer: HttpAnswer, codec: CodecContext): R {
  if (route.response === undefined) return answer.body.toString('utf8') as R
  return decodedValue(route.response.parseJson(answer.body, codec))
}
