/** Owns the reading of addresses: `host:port` of nodes and peers, URLs of services. */

/** Host and port; an IPv6 host has no brackets. */
export interface HostPort {
  readonly host: string
  readonly port: number
}

const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/
const IPV6 = /^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/
/** Longest DNS name, in characters (RFC 1035). */
const HOST_MAX = 253
const LOOPBACK_V4 = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

/**
 * Parse `host:port` or `[ipv6]:port`; undefined if malformed. Port 0 is refused, because the chosen port could not be
 * announced.
 */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):([0-9]{1,5})$/.exec(text)
  if (match === null) return undefined
  const [, v6, name, digits] = match
  const port = Number(digits)
  if (port < 1 || port > 65_535) return undefined
  if (v6 !== undefined) return IPV6.test(v6) ? { host: v6, port } : undefined
  return name !== undefined && name.length <= HOST_MAX && NAME.test(name) ? { host: name, port } : undefined
}

/** The text of a host and a port. */
export const formatHostPort = ({ host, port }: HostPort): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** True for hosts that can be reached from this machine only. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || LOOPBACK_V4.test(host)

/**
 * Reason why a text is not an acceptable URL; `example` is a valid one. Configurations are printed, so a URL may not
 * contain a password.
 */
export function httpUrlFault(text: string, example: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return `expected ${example}`
  return url.username === '' && url.password === '' ? undefined : 'a URL without user name and password'
}
