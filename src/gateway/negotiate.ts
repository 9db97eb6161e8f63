/** Owns content negotiation (docs/design/gateway.md 2): which form of an answer a client gets (RFC 9110, section 12.5.1). */
import { CODEC_MEDIA_TYPE, EVENT_STREAM_MEDIA_TYPE, JSON_MEDIA_TYPE, type RouteFormat } from '../api/index.js'

/** What an Accept header says of one media range. */
interface MediaRange {
  readonly type: string
  readonly subtype: string
  /** Quality in thousandths. */
  readonly quality: number
}

/** Media ranges of one header: more are a mistake or an attack. */
const RANGES_MAX = 64
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const QUALITY = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

/** The ranges of an Accept header; undefined when it is malformed. Parameters other than `q` are not looked at. */
function mediaRanges(header: string): readonly MediaRange[] | undefined {
  const ranges: MediaRange[] = []
  for (const part of header.split(',')) {
    if (part.trim() === '') continue
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const [type = '', subtype = '', more] = range.toLowerCase().split('/')
    if (more !== undefined || !TOKEN.test(type) || !TOKEN.test(subtype) || (type === '*' && subtype !== '*')) {
      return undefined
    }
    let quality = 1000
    for (const parameter of parameters) {
      if (!/^q=/i.test(parameter)) continue
      const text = parameter.slice(2)
      if (!QUALITY.test(text)) return undefined
      quality = Math.round(Number(text) * 1000)
    }
    if (ranges.push({ type, subtype, quality }) > RANGES_MAX) return undefined
  }
  return ranges
}

/** Quality of a media type under these ranges: the most specific range that matches decides. */
function qualityOf(ranges: readonly MediaRange[], mediaType: string): number {
  const [type, subtype] = mediaType.split(';', 1)[0]!.split('/')
  let best = { rank: -1, quality: 0 }
  for (const range of ranges) {
    const rank =
      range.type === type && range.subtype === subtype
        ? 2
        : range.type === type && range.subtype === '*'
          ? 1
          : range.type === '*'
            ? 0
            : -1
    if (rank > best.rank || (rank === best.rank && rank >= 0 && range.quality > best.quality)) {
      best = { rank, quality: range.quality }
    }
  }
  return best.quality
}

/** The first of the offered media types that the client likes best; undefined: none is acceptable, or the header is malformed. */
export function preferredType<T extends string>(accept: string | undefined, offers: readonly T[]): T | undefined {
  if (accept === undefined || accept.trim() === '') return offers[0]
  const ranges = mediaRanges(accept)
  if (ranges === undefined) return undefined
  let best: { type: T; quality: number } | undefined
  for (const type of offers) {
    const quality = qualityOf(ranges, type)
    if (quality > 0 && (best === undefined || quality > best.quality)) best = { type, quality }
  }
  return best?.type
}

/** Header texts whose outcome is remembered: clients repeat a few, and an attacker's are not worth more. */
const REMEMBERED_MAX = 64
const REMEMBERED_MAX_CHARACTERS = 256

/** Parses each header text once, as far as they are remembered. */
function remembered<V extends object>(parse: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = parse(text)
    if (text.length <= REMEMBERED_MAX_CHARACTERS && known.size < REMEMBERED_MAX) known.set(text, value)
    return value
  }
}

/** What a route answers in, by the Accept header. */
export class AnswerTypes<T extends string> {
  private readonly parsed: (accept: string) => { readonly type: T | undefined }

  constructor(readonly offers: readonly T[]) {
    this.parsed = remembered((accept) => ({ type: preferredType(accept, offers) }))
  }

  /** As `preferredType`. */
  preferred(accept: string | undefined): T | undefined {
    return accept === undefined ? this.offers[0] : this.parsed(accept).type
  }
}

/** Media types that a format can be answered in, the default first. */
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

/** True when a client would rather read an error as a frame than as JSON. */
export const prefersBinary = (accept: string | undefined): boolean => errorTypes.preferred(accept) === CODEC_MEDIA_TYPE

/** Media type and charset of a Content-Type header. */
export interface ContentType {
  readonly type: string
  readonly charset: string | undefined
}

function contentTypeOf(header: string): ContentType | undefined {
  const [range = '', ...parameters] = header.split(';').map((piece) => piece.trim())
  const [type = '', subtype = '', more] = range.toLowerCase().split('/')
  if (more !== undefined || !TOKEN.test(type) || !TOKEN.test(subtype)) return undefined
  let charset: string | undefined
  for (const parameter of parameters) {
    const match = /^charset="?([^"]+)"?$/i.exec(parameter)
    if (match !== null) charset = match[1]!.toLowerCase()
  }
  return { type: `${type}/${subtype}`, charset }
}

const contentTypes = remembered((header) => ({ parsed: contentTypeOf(header) }))

/** The parts of a Content-Type header; undefined when it is malformed. */
export const parseContentType = (header: string): ContentType | undefined => contentTypes(header).parsed
