/** Owns the serving of a site: files by exact names, in an encoding that the client accepts, with cache headers. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { splitTarget } from '../api/index.js'
import { SITE_ENCODINGS, type Site, type SiteEncoding, type SiteFile } from '../api/site.js'
import { type Answer, COMMON_HEADERS } from './answer.js'
import type { Replies } from './replies.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for files of a site, which are public: no token is needed, and the general limits apply. */
    site?: true
  }
}

/** Cache header for files that never change: one year, the longest time that caches honour (RFC 9111). */
const KEPT = 'public, max-age=31536000, immutable'
/** Cache header for files that must be revalidated each time, with a short response if they are unchanged. */
const ASKED_AGAIN = 'no-cache'
const NOTHING = Buffer.alloc(0)

/** Encodings that a client accepts (RFC 9110, section 12.5.3); all weights above zero are equivalent. */
function accepted(header: string | undefined): ReadonlySet<string> {
  const names = (header ?? '').split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return parameters.some((one) => /^q=0(\.0{0,3})?$/.test(one)) ? [] : [name]
  })
  return new Set(names)
}

/** True if an If-None-Match header contains the tag (RFC 9110, section 13.1.2). */
const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag) === true

/** Response to a request for a file. Ranges are not supported, because files are only a few kilobytes. */
export function fileAnswer(
  file: SiteFile,
  headers: Readonly<Record<string, string | undefined>>,
  more: Readonly<Record<string, string>>,
): Answer {
  const names = accepted(headers['accept-encoding'])
  const encoding = SITE_ENCODINGS.find((one: SiteEncoding) => names.has(one) && file.encoded[one] !== undefined)
  const tag = `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`
  const head = {
    ...COMMON_HEADERS,
    ...more,
    'cache-control': file.immutable ? KEPT : ASKED_AGAIN,
    etag: tag,
    vary: 'accept-encoding',
    'accept-ranges': 'none',
  }
  if (isKnown(headers['if-none-match'], tag)) return { status: 304, headers: head, body: NOTHING }
  const body = encoding === undefined ? file.bytes : (file.encoded[encoding] ?? file.bytes)
  const coded = encoding === undefined ? undefined : { 'content-encoding': encoding }
  return { status: 200, headers: { ...head, ...coded, 'content-type': file.type }, body }
}

/** Add a site to the router. `unknown` responds to other names. */
export function mountSite(
  app: FastifyInstance,
  { home, files, headers }: Site,
  replies: Replies,
  unknown: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  const config = { site: true } as const
  const toHome: Answer = { status: 302, headers: { ...COMMON_HEADERS, location: home }, body: NOTHING }
  for (const url of ['/', home.slice(0, -1)]) {
    app.route({ method: 'GET', url, config, handler: (_request, reply) => replies.send(reply, toHome) })
  }
  app.route({
    method: 'GET',
    url: `${home}*`,
    config,
    handler: (request, reply) => {
      const { url = '', headers: asked } = request.raw
      // The received name: nothing is decoded, joined or looked up on a disk, so no name leads elsewhere.
      const file = files.get(splitTarget(url).path.slice(home.length))
      if (file === undefined) unknown(request, reply)
      else replies.send(reply, fileAnswer(file, asked as Record<string, string | undefined>, headers))
    },
  })
}
