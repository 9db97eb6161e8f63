/**
 * Owns sending one message to a push service or to the operator's own: the request, and the meaning of the response.
 */
import { readFile } from 'node:fs/promises'
import { definedFields } from '../../../base/defined-fields.js'
import { formatAddress } from '../../../model/index.js'
import type { Outbound, OutboundAnswer } from '../../../network/outbound/outbound.js'
import type { NotifyConfig } from './config.js'
import { TTL_SECONDS } from './limits.js'
import { type Notice, payloadOf } from './messages.js'
import type { StoredDevice } from './records.js'
import { encrypted, type Vapid } from './web-push.js'

/** `gone`: the device no longer exists; `failed`: a retry may succeed. */
export interface Sent {
  readonly result: 'sent' | 'refused' | 'failed' | 'gone'
  readonly status: number | undefined
  readonly reason: string | undefined
  readonly retryAfterMs: number | undefined
}

/** Statuses with which a push service reports a removed device (RFC 8030, section 7.3). */
const GONE = [404, 410]
/**
 * Status with which the operator's own service reports a removed device; a proxy returns 404 if the service is missing.
 */
const GONE_UPSTREAM = [410]
const PASSING = [408, 429]

function meaningOf(answer: OutboundAnswer, gone = GONE): Sent {
  if (answer.kind === 'failed') {
    // The same error for both, so that the owner of a subscription does not learn which names resolve to internal
    // addresses.
    const reason = answer.reason === 'address_refused' ? 'network' : answer.reason
    return { result: 'failed', status: undefined, reason, retryAfterMs: undefined }
  }
  const { status, retryAfterMs } = answer
  const result =
    status >= 200 && status < 300
      ? 'sent'
      : gone.includes(status)
        ? 'gone'
        : PASSING.includes(status) || status >= 500
          ? 'failed'
          : 'refused'
  return { result, status, reason: undefined, retryAfterMs }
}

/** Id of the operator's own service. */
const OPERATOR = { id: 'operator', isOperator: true } as const

export interface SenderParts {
  /** Client for public hosts only, because a subscription contains an untrusted URL. */
  readonly outbound: Pick<Outbound, 'post'>
  /** Push service configured by the operator. */
  readonly upstream:
    | { readonly config: NonNullable<NotifyConfig['upstream']>; readonly outbound: Pick<Outbound, 'post'> }
    | undefined
  readonly vapid: () => Promise<Vapid>
  readonly addressPrefix: string
}

export class Sender {
  constructor(private readonly parts: SenderParts) {}

  /** Send a notice to a device, without retries. */
  async send({ record, address }: StoredDevice, notice: Notice, more: number): Promise<Sent> {
    const { outbound, vapid, addressPrefix } = this.parts
    if (address.kind === 'token') return this.sendUpstream(record.platform, address.token, notice)
    const { endpoint, keys } = address.subscription
    const payload = payloadOf(notice, formatAddress(notice.account, addressPrefix), more)
    return meaningOf(
      await outbound.post({
        owner: { id: record.account, isOperator: false },
        url: endpoint,
        headers: {
          authorization: (await vapid()).header(endpoint),
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(TTL_SECONDS),
          urgency: 'normal',
          // At the push service the newest message of a topic replaces the previous one (RFC 8030, section 5.4).
          topic: `causeway-${notice.type}`,
        },
        body: encrypted(payload, keys),
      }),
    )
  }

  private async sendUpstream(platform: string, token: string, { type, id }: Notice): Promise<Sent> {
    const { upstream } = this.parts
    if (upstream === undefined)
      return { result: 'refused', status: undefined, reason: 'no upstream', retryAfterMs: undefined }
    const { url, tokenFile } = upstream.config
    const bearer = tokenFile === undefined ? undefined : (await readFile(tokenFile, 'utf8')).trim()
    return meaningOf(
      await upstream.outbound.post({
        owner: OPERATOR,
        url,
        headers: definedFields({
          'content-type': 'application/json',
          authorization: bearer === undefined ? undefined : `Bearer ${bearer}`,
        }),
        body: Buffer.from(JSON.stringify({ platform, token, type, id })),
      }),
      GONE_UPSTREAM,
    )
  }
}
