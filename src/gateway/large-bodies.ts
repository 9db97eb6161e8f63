/**
 * Owns the admission of bodies that only known senders may send. Before such a body is read, the claimed account is
 * looked up and memory is reserved, for few bodies at a time. The signature covers the body and is verified afterwards.
 * Until then the claim may be false, so reservations are counted by client address and not by account: false claims use
 * up only the share of their sender.
 */
import type { LargeBodyReader } from '../api/services.js'
import { type AccountId, LedgerError } from '../model/index.js'

/**
 * Maximum bytes of large bodies that are read or handled at once, for all clients and for one: some seconds of reading.
 */
const LARGE_BYTES_MAX = 16 * 1024 * 1024
const LARGE_BYTES_PER_CLIENT_MAX = 4 * 1024 * 1024

const RETRY_AFTER_SECONDS = 1

/** Large body announced by its request. */
export interface AnnouncedBody {
  /** Id of the route. */
  readonly route: string
  /** Account that the request claims; undefined: none. */
  readonly account: AccountId | undefined
  /** Address of the client (`clientAddress`). */
  readonly client: string
  /** undefined: the request does not announce a length. */
  readonly bytes: number | undefined
  /** Maximum bytes for any sender, and for a known one. */
  readonly untrustedMax: number
  readonly max: number
}

/** Large bodies of one gateway. */
export class LargeBodies {
  private total = 0
  private readonly byClient = new Map<string, number>()

  /** @param readers readers by route id */
  constructor(private readonly readers: ReadonlyMap<string, LargeBodyReader>) {}

  /** Reserve memory for a body. Resolves with a function that releases it, or the error for a body that is not read. */
  async reserve({
    route,
    account,
    client,
    bytes,
    untrustedMax,
    max,
  }: AnnouncedBody): Promise<(() => void) | LedgerError> {
    const reader = this.readers.get(route)
    const isKnown = reader !== undefined && (await reader.isKnown(account))
    if (!isKnown) {
      return new LedgerError('payload_too_large', `the body of an unknown sender has at most ${untrustedMax} bytes`, {
        hint: bytes === undefined ? 'Send the length of the body in Content-Length.' : undefined,
        details: { max_bytes: untrustedMax },
      })
    }
    const held = bytes ?? max
    const own = this.byClient.get(client) ?? 0
    if (this.total + held > LARGE_BYTES_MAX || own + held > LARGE_BYTES_PER_CLIENT_MAX) {
      return new LedgerError('rate_limited', `${own} bytes of large bodies of this client are being read`, {
        details: { retry_after_seconds: RETRY_AFTER_SECONDS },
      })
    }
    this.total += held
    this.byClient.set(client, own + held)
    return () => {
      this.total -= held
      const left = (this.byClient.get(client) ?? held) - held
      if (left > 0) this.byClient.set(client, left)
      else this.byClient.delete(client)
    }
  }
}
