/** Owns content negotiation (docs/design/gateway.md 2): the response format of a client (RFC 9110, section 12.5.1). */
import { CODEC_MEDIA_TYPE, EVENT_STREAM_MEDIA_TYPE, JSON_MEDIA_TYPE, type RouteFormat } from '../api/index.js'

/** Media range of an Accept header. */
interface MediaRange {
  readonly type: string
  readonly subtype: string
  /** Quality in thousandths. */
  readonly quality: number
}

/** Maximum media ranges of one header that are evaluated. */
const RANGES_MAX = 64
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Quality as clients write it, although RFC 9110 allows at most three digits after the point and one before it. */
const QUALITY = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/

/** Parts of a header value between separators outside quoted strings (RFC 9110, section 5.6.4). */
function partsOf(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let [from, isQuoted] = [0, false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted && character === '\\') at += 1
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  parts.push(text.slice(from).trim())
  return parts
}

/** Quality in thousandths, at most 1000; undefined if the text is not a number. */
const qualityIn = (text: string): number | undefined =>
  QUALITY.test(text) ? Math.min(1000, Math.round(Number(text) * 1000)) : undefined

/** Range of an Accept header; undefined if malformed. `*` means any type, as old clients send it. */
function mediaRange(part: string): MediaRange | undefined {
  const [range = '', ...parameters] = partsOf(part, ';')
  const [type = '', subtype = type === '*' ? '*' : '', more] = range.toLowerCase().split('/')
  if (more !== undefined || !TOKEN.test(type) || !TOKEN.test(subtype) || (type === '*' && subtype !== '*')) {
    return undefined
  }
  const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  const quality = weight === undefined ? 1000 : qualityIn(weight.slice(weight.indexOf('=') + 1).trim())
  return quality === undefined ? undefined : { type, subtype, quality }
}

/** Well-formed ranges of an Accept header. Parameters other than `q` are ignored. */
const mediaRanges = (header: string): readonly MediaRange[] =>
  partsOf(header, ',')
    .slice(0, RANGES_MAX)
    .flatMap((part) => mediaRange(part) ?? [])

/** Preference of a client for a media type. */
interface Preference {
  readonly quality: number
  /** Specificity of the range that matches it: 2 the type itself, 0 any type, -1 none. */
  readonly rank: number
  /** Position of that range in the header. */
  readonly place: number
}

/** Preference for a media type under these ranges: the most specific match decides. */
function preferenceOf(ranges: readonly MediaRange[], mediaType: string): Preference {
  const [type, subtype] = mediaType.split(';', 1)[0]!.split('/')
  let best: Preference = { rank: -1, quality: 0, place: 0 }
  for (const [place, range] of ranges.entries()) {
    const rank =
      range.type === type && range.subtype === subtype
        ? 2
        : range.type === type && range.subtype === '*'
          ? 1
          : range.type === '*'
            ? 0
            : -1
    if (rank > best.rank || (rank === best.rank && rank >= 0 && range.quality > best.quality)) {
      best = { rank, quality: range.quality, place }
    }
  }
  return best
}

/** True if a client prefers the first to the second: by quality, then specificity, then position. */
function isPreferred(one: Preference, other: Preference): boolean {
  if (one.quality !== other.quality) return one.quality > other.quality
  return one.rank === other.rank ? one.place < other.place : one.rank > other.rank
}

/**
 * Offered media type that the client prefers; undefined if none is acceptable. Malformed ranges are ignored, and also a
 * header that contains only such ranges.
 */
export function preferredType<T extends string>(accept: string | undefined, offers: readonly T[]): T | undefined {
  const ranges = mediaRanges(accept ?? '')
  if (ranges.length === 0) return offers[0]
  let best: { readonly type: T; readonly preference: Preference } | undefined
  for (const type of offers) {
    const preference = preferenceOf(ranges, type)
    if (preference.quality > 0 && (best === undefined || isPreferred(preference, best.preference))) {
      best = { type, preference }
    }
  }
  return best?.type
}

/** Maximum cached header texts; most clients send one of a few texts. */
const CACHED_MAX = 64
const CACHED_MAX_CHARACTERS = 256

/** Cache the parsed forms of header texts. */
function memoized<V extends object>(parse: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = parse(text)
    if (text.length <= CACHED_MAX_CHARACTERS && known.size < CACHED_MAX) known.set(text, value)
    return value
  }
}

/** Response formats of a route, by the Accept header. */
export class AnswerTypes<T extends string> {
  private readonly parsed: (accept: string) => { readonly type: T | undefined }

  constructor(readonly offers: readonly T[]) {
    this.parsed = memoized((accept) => ({ type: preferredType(accept, offers) }))
  }

  /** Like `preferredType`. */
  preferred(accept: string | undefined): T | undefined {
    return accept === undefined ? this.offers[0] : this.parsed(accept).type
  }
}

/** Media types of a response format, the default first. */
export function offersOf(format: RouteFormat): readonly string[] {
  switch (format) {
    case 'binary':
    case 'binary-or-json':
      return [CODEC_MEDIA_TYPE, JSON_MEDIA_TYPE]
    case 'metrics':
      return ['text/plain']
    case 'sse':
      return [EVENT_STREAM_MEDIA_TYPE]
    default:
      return [JSON_MEDIA_TYPE]
  }
}

const errorTypes = new AnswerTypes([JSON_MEDIA_TYPE, CODEC_MEDIA_TYPE])

/** True if a client prefers an error as a frame over JSON. */
export const prefersBinary = (accept: string | undefined): boolean => errorTypes.preferred(accept) === CODEC_MEDIA_TYPE

/** Media type and charset of a Content-Type header. */
export interface ContentType {
  readonly type: string
  readonly charset: string | undefined
}

function contentTypeOf(header: string): ContentType | undefined {
  const [range = '', ...parameters] = partsOf(header, ';')
  const [type = '', subtype = '', more] = range.toLowerCase().split('/')
  if (more !== undefined || !TOKEN.test(type) || !TOKEN.test(subtype)) return undefined
  let charset: string | undefined
  for (const parameter of parameters) {
    const match = /^charset="?([^"]+)"?$/i.exec(parameter)
    if (match !== null) charset = match[1]!.toLowerCase()
  }
  return { type: `${type}/${subtype}`, charset }
}

const contentTypes = memoized((header) => ({ parsed: contentTypeOf(header) }))

/** Parts of a Content-Type header; undefined if malformed. */
export const parseContentType = (header: string): ContentType | undefined => contentTypes(header).parsed
