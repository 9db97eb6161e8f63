/** Owns the browser origins that the gateway accepts: its own host names, and origins allowed by configuration. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { LedgerError } from '../model/index.js'
import type { Cors } from './cors.js'

/** Maximum characters of a foreign name that an error repeats. */
const SHOWN_MAX = 256

/** Host and port: an IPv6 address in brackets, or a name by RFC 3986 (3.2.2). */
const HOST = /^(?:\[([^\]]*)\]|([\w.~!$&'()*+,;=%-]*))(?::[0-9]*)?$/

/** Name in a Host header: in lower case, without port, brackets or the dot of the root; undefined if malformed. */
export function hostName(host: string): string | undefined {
  const [, v6, name = v6] = HOST.exec(host) ?? []
  if (v6 !== undefined && !isIPv6(v6)) return undefined
  return name?.toLowerCase().replace(/\.$/, '')
}

/** Scheme and authority of a target in absolute form, which a server serves like a path (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/** Host and port in an absolute target, which replace the Host header; undefined for a path. */
const authorityOf = (target: string): string | undefined => ABSOLUTE.exec(target)?.[1]

/** Path and query string of a target. */
export function pathTarget(target: string): string {
  const rest = target.replace(ABSOLUTE, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** True for pages from this address. */
const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)

export class Origins {
  private hosts: ReadonlySet<string> = new Set()

  constructor(
    hosts: readonly string[],
    private readonly cors: Cors,
  ) {
    this.change(hosts)
  }

  /** Replace the names of this gateway. */
  change(hosts: readonly string[]): void {
    this.hosts = new Set(hosts.flatMap((host) => hostName(host) ?? []))
  }

  /**
   * Fault of a Host that the gateway does not serve. The owner of a foreign name may resolve it to this address, so
   * that pages of that name would count as pages of the gateway (DNS rebinding). Addresses cannot be abused in this
   * way.
   */
  hostFault({ headers: { host }, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): LedgerError | undefined {
    const named = authorityOf(url) ?? host
    if (named === undefined) return undefined
    const name = hostName(named)
    if (name === undefined)
      return new LedgerError('malformed_request', 'the Host header must be a name or address with a port')
    if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || this.hosts.has(name))
      return undefined
    return new LedgerError('misdirected_request', `${name.slice(0, SHOWN_MAX)} is not a name of this gateway`)
  }

  /**
   * Error for requests of pages that may not use this gateway. Browsers send forms and open sockets to other sites
   * without a preflight.
   */
  pageFault({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): LedgerError | undefined {
    const isAllowed = origin !== undefined && (this.cors.allows(origin) || isOwnOrigin(origin, host))
    if (isAllowed || (origin === undefined && site !== 'cross-site')) return undefined
    const source = origin === undefined ? 'other sites' : origin.slice(0, SHOWN_MAX)
    return new LedgerError('forbidden', `pages of ${source} may not use this gateway`, {
      hint: 'Add the origin to gateway.cors_origins.',
    })
  }
}
