/** Owns the trusted proxies, whose `X-Forwarded-For` identifies the client (docs/operate/deploy.md). */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'

/**
 * Maximum number of proxies in a chain that is followed. Clients may send the header themselves, so earlier entries,
 * which no trusted proxy wrote, are ignored.
 */
const PROXIES_MAX = 16

const FORWARDED_HEADER = 'x-forwarded-for'
const RANGE = /^([0-9A-Fa-f:.]+)\/([0-9]{1,3})$/
/** IPv4 address, or bracketed IPv6 address, with the port that some proxies add. */
const WITH_PORT = /^(?:([0-9.]+)|\[([0-9A-Fa-f:.]+)\]):[0-9]{1,5}$/

interface Range {
  readonly address: string
  readonly bits: number
}

function rangeOf(text: string): Range | undefined {
  const [, address = '', digits] = RANGE.exec(text) ?? []
  const version = isIP(address)
  const bits = Number(digits)
  return version !== 0 && bits >= 1 && bits <= (version === 4 ? 32 : 128) ? { address, bits } : undefined
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/**
 * Reason why a range of trusted proxies is invalid; undefined if it is valid. A range of all addresses is refused,
 * because it would let clients choose their address.
 */
export const proxyRangeFault = (text: string): string | undefined =>
  rangeOf(text) === undefined
    ? 'expected a range such as "10.1.0.0/16" or "fd00::/8" that does not contain all addresses'
    : undefined

/**
 * Address of an entry of the header; undefined if it is malformed, or if it has a zone, which is valid only on one
 * machine.
 */
function addressIn(entry: string): string | undefined {
  const [, v4, v6] = WITH_PORT.exec(entry) ?? []
  const address = v4 ?? v6 ?? entry
  return isIP(address) === 0 || address.includes('%') ? undefined : address
}

export class TrustedProxies {
  private ranges = new BlockList()
  private areThere = false

  constructor(ranges: readonly string[]) {
    this.change(ranges)
  }

  /** Replace the ranges. Throws for an invalid range. */
  change(ranges: readonly string[]): void {
    const next = new BlockList()
    for (const text of ranges) {
      const range = rangeOf(text)
      if (range === undefined) throw new Error(`${text} is not a range of trusted proxies`)
      next.addSubnet(range.address, range.bits, familyOf(range.address))
    }
    this.ranges = next
    this.areThere = ranges.length > 0
  }

  /** True for the address of a trusted proxy. */
  has(address: string | undefined): boolean {
    return this.areThere && address !== undefined && this.ranges.check(address, familyOf(address))
  }

  /**
   * Client address of a request: the last entry of the header that is not a trusted proxy, if the connection is from
   * one. Otherwise, and if that entry is malformed, the address of the connection.
   */
  clientOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string | undefined {
    const { remoteAddress } = socket
    const forwarded = headers[FORWARDED_HEADER]
    if (typeof forwarded !== 'string' || !this.has(remoteAddress)) return remoteAddress
    let client: string | undefined
    let end = forwarded.length
    for (let proxies = 0; proxies < PROXIES_MAX && end > 0; proxies += 1) {
      const comma = forwarded.lastIndexOf(',', end - 1)
      client = addressIn(forwarded.slice(comma + 1, end).trim())
      if (client === undefined) return remoteAddress
      if (!this.has(client)) return client
      end = comma
    }
    // All entries are proxies: the first of them is the client.
    return end > 0 ? remoteAddress : (client ?? remoteAddress)
  }
}
