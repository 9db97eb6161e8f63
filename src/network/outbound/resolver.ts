/**
 * Owns the resolution of untrusted host names: by name servers only, with a timeout, and without a thread of the
 * process.
 */
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

/** Maximum wait for one response of a name server, in ms, and number of tries. */
const TRY_MS = 2_000
const TRIES = 2
/** Longest resolution of a name, in ms. */
export const RESOLVE_TIMEOUT_MS = 5_000

const HERE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Resolve a name to all of its addresses; rejects if it has none. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>

/**
 * Resolver with the name servers of this machine, or the given ones. A system lookup would occupy one of the few
 * threads of the process while an untrusted name server does not respond; the hosts file is not read.
 */
export const nameResolver =
  (servers?: readonly string[], timeoutMs = RESOLVE_TIMEOUT_MS): ResolveName =>
  async (hostname) => {
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return HERE
    const resolver = new Resolver({ timeout: Math.min(TRY_MS, timeoutMs), tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), timeoutMs)
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      const found = [
        ...addressesOf(v4.status === 'fulfilled' ? v4.value : [], 4),
        ...addressesOf(v6.status === 'fulfilled' ? v6.value : [], 6),
      ]
      if (found.length === 0 && v4.status === 'rejected') throw v4.reason
      return found
    } finally {
      clearTimeout(timer)
    }
  }

/** System resolver, including the hosts file, for names chosen by the operator. */
export const systemResolver: ResolveName = (hostname) => lookup(hostname, { all: true })

const addressesOf = (addresses: readonly string[], family: number): LookupAddress[] =>
  addresses.map((address) => ({ address, family }))
