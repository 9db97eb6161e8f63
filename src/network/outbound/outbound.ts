/**
 * Owns requests to addresses given by untrusted clients. They reach public hosts only, have a timeout, and do not
 * reveal the response.
 */
import type { LookupAddress } from 'node:dns'
import { createRequire } from 'node:module'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import { type AddressRanges, AddressRule } from './address-rule.js'
import { OwnerSlots, type RequestOwner, WAITING_MAX } from './owner-slots.js'
import { nameResolver, type ResolveName } from './resolver.js'
import { Slots } from './slots.js'

/** Longest URL, in bytes. */
export const OUTBOUND_URL_MAX_BYTES = 2_048
/** Maximum time of a request, from its connection to the end of its response, in ms. */
export const OUTBOUND_TIMEOUT_MS = 15_000
/**
 * Maximum bytes of a response that are read so that its connection can be reused; a longer response closes the
 * connection.
 */
const ANSWER_MAX_BYTES = 1_024
/** Maximum concurrent requests of all owners; bounds sockets and memory. */
const CONCURRENT_MAX = 128
/** Maximum connections to one host, so that a slow host does not use the share of others. */
const CONCURRENT_HOST_MAX = 4
/** Lifetime of an idle connection, in ms. */
const KEEP_ALIVE_MS = 10_000

/** Outbound settings of an operator. */
export interface OutboundConfig extends AddressRanges {
  /** True if plain http is allowed too. */
  readonly allowHttp: boolean
}

/** Result of a request: the status and retry delay, or no response. */
export type OutboundAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'failed'; readonly reason: 'address_refused' | 'timeout' | 'network' }

/** POST request with a body of bytes. */
export interface OutboundRequest {
  readonly owner: RequestOwner
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

class AddressRefused extends Error {}

type Library = typeof import('undici')
/** Not `import()`: if it fails once, for example for lack of file descriptors, it fails until the process ends. */
const load = createRequire(import.meta.url)

/** Sender of HTTP requests. */
interface Sender {
  readonly agent: Agent
  readonly request: Library['request']
}

export class Outbound {
  private readonly rule: AddressRule
  /** Created with the first request, so that a node without requests does not load the library. */
  private sender: Sender | undefined
  private closed = false
  private readonly owners: OwnerSlots
  private readonly hosts = new Slots({
    total: CONCURRENT_MAX,
    perParty: CONCURRENT_HOST_MAX,
    waiting: WAITING_MAX,
    waitingPerParty: WAITING_MAX,
  })

  constructor(
    private readonly config: OutboundConfig,
    private readonly timeoutMs = OUTBOUND_TIMEOUT_MS,
    private readonly resolve: ResolveName = nameResolver(),
    nowMs: () => number = SYSTEM_CLOCKS.monotonicMs,
  ) {
    this.owners = new OwnerSlots(nowMs)
    this.rule = new AddressRule(config)
  }

  /**
   * Reason why a URL must not be called; undefined if its text is permitted. Names are checked when they are resolved.
   */
  urlFault(text: string): string | undefined {
    if (Buffer.byteLength(text) > OUTBOUND_URL_MAX_BYTES) return `longer than ${OUTBOUND_URL_MAX_BYTES} bytes`
    if (!URL.canParse(text)) return 'not a URL'
    const url = new URL(text)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.config.allowHttp)) {
      return this.config.allowHttp ? 'neither https nor http' : 'not https'
    }
    if (url.username !== '' || url.password !== '') return 'contains a user name or a password'
    const literal = literalOf(url)
    if (literal !== undefined && !this.rule.permits(literal)) return `${literal} is not a public address`
    return undefined
  }

  /** Send a POST when its owner, and then its host, has a free slot; never rejects. Redirects are not followed. */
  async post(asked: OutboundRequest): Promise<OutboundAnswer> {
    if (this.urlFault(asked.url) !== undefined) return { kind: 'failed', reason: 'address_refused' }
    const { host } = new URL(asked.url)
    const answer = await this.owners.run(asked.owner, () => this.hosts.run(host, () => this.send(asked)))
    return answer ?? { kind: 'failed', reason: 'timeout' }
  }

  /** Close all connections; running requests fail. */
  async close(): Promise<void> {
    this.closed = true
    await this.sender?.agent.destroy()
  }

  private open(): Sender {
    const { Agent, request } = load('undici') as Library
    const agent = new Agent({
      connections: CONCURRENT_HOST_MAX,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: { lookup: this.checkedLookup, timeout: this.timeoutMs },
      headersTimeout: this.timeoutMs,
      bodyTimeout: this.timeoutMs,
    })
    return { agent, request }
  }

  private async send({ url, headers, body }: OutboundRequest): Promise<OutboundAnswer> {
    if (this.closed) return { kind: 'failed', reason: 'network' }
    const signal = AbortSignal.timeout(this.timeoutMs)
    try {
      this.sender ??= this.open()
      const { agent, request } = this.sender
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal })
      const { statusCode } = answer
      const retryAfterMs = retryAfterOf(answer.headers['retry-after'])
      // Only the status matters: a slow or broken body does not change the result.
      await answer.body.dump({ limit: ANSWER_MAX_BYTES, signal }).catch(() => undefined)
      return { kind: 'answered', status: statusCode, retryAfterMs }
    } catch (error) {
      if (causes(error).some((one) => one instanceof AddressRefused))
        return { kind: 'failed', reason: 'address_refused' }
      return { kind: 'failed', reason: signal.aborted ? 'timeout' : 'network' }
    }
  }

  /** Resolve a name and check every address of it; the connection uses a checked address. */
  private readonly checkedLookup: LookupFunction = (hostname, options, callback) => {
    this.resolveChecked(hostname).then(
      (addresses) => {
        const [first] = addresses as [LookupAddress]
        if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

  private async resolveChecked(hostname: string): Promise<LookupAddress[]> {
    const addresses = await this.resolve(hostname)
    const refused = addresses.find(({ address }) => !this.rule.permits(address))
    if (refused !== undefined || addresses.length === 0) {
      throw new AddressRefused(`${hostname} resolves to ${refused?.address ?? 'no address'}`)
    }
    return [...addresses]
  }
}

/** Literal address in a URL; undefined for a host name. */
function literalOf({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

/** A `Retry-After` in ms (RFC 9110, section 10.2.3): seconds or a date. */
function retryAfterOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^[0-9]{1,9}$/.test(header)) return Number(header) * 1_000
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now())
}

function causes(error: unknown): unknown[] {
  const found: unknown[] = []
  for (let one: unknown = error; one instanceof Error && found.length < CAUSES_MAX; one = one.cause) found.push(one)
  return found
}
/** Maximum nested error causes to inspect. */
const CAUSES_MAX = 8
