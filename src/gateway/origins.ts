/** Owns which sites a browser may speak for: names that the gateway goes by, and pages that may act through it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LedgerError } from '../model/index.js'
import type { Cors } from './cors.js'

/** Characters of a foreign name that an error repeats. */
const SHOWN_MAX = 256

/** The name in a Host header: in lower case, without port, brackets or the dot of the root. */
export function hostName(host: string): string {
  const name = host.startsWith('[') ? host.slice(1, host.indexOf(']')) : host.replace(/:[0-9]*$/, '')
  return name.toLowerCase().replace(/\.$/, '')
}

/** Scheme and authority of a target in absolute form, which a server answers like a path (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/** Host and port in an absolute target, which count in the place of the Host header; undefined: it is a path. */
const authorityOf = (target: string): string | undefined => ABSOLUTE.exec(target)?.[1]

/** The path and query string of a target. */
export function pathTarget(target: string): string {
  const rest = target.replace(ABSOLUTE, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** True for pages that came from this very address. */
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

  /** Replaces the names of this gateway. */
  change(hosts: readonly string[]): void {
    this.hosts = new Set(hosts.map(hostName))
  }

  /**
   * Why this gateway does not answer for a Host: a name that is not its own may be one whose owner points it at this address, so
   * that his pages count as pages of the gateway (DNS rebinding). An address cannot be pointed anywhere.
   */
  hostFault({ headers: { host }, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): LedgerError | undefined {
    const named = authorityOf(url) ?? host
    if (named === undefined) return undefined
    const name = hostName(named)
    if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || this.hosts.has(name))
      return undefined
    return new LedgerError('misdirected_request', `this gateway does not go by the name ${name.slice(0, SHOWN_MAX)}`)
  }

  /** Why a page may not act here. Browsers ask nobody before they send a form, or open a socket, to another site. */
  pageFault({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): LedgerError | undefined {
    const isAllowed = origin !== undefined && (this.cors.allows(origin) || isOwnOrigin(origin, host))
    if (isAllowed || (origin === undefined && site !== 'cross-site')) return undefined
    const who = origin === undefined ? 'other sites' : origin.slice(0, SHOWN_MAX)
    return new LedgerError('forbidden', `pages of ${who} may not act here`, {
      hint: 'List the origin in gateway.cors_origins.',
    })
  }
}
