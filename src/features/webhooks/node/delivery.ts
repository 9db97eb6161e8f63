/** Owns one attempt: a request to an endpoint, and the meaning of its response. */
import type { Outbound, OutboundAnswer } from '../../../network/outbound/outbound.js'
import type { RequestOwner } from '../../../network/outbound/owner-slots.js'
import type { AttemptResult, WebhookAnswer } from '../schema.js'
import { type Message, messageHeaders, messageId } from './message.js'

/** Statuses of a temporarily unavailable endpoint, in addition to all above 499. */
const BUSY: ReadonlySet<number> = new Set([408, 429])
/** Status of a permanently removed endpoint. */
export const GONE = 410

/** Result of an attempt. */
export interface Attempted extends WebhookAnswer {
  /** Delay requested by the endpoint, in ms. */
  readonly retryAfterMs: number | undefined
}

function resultOf(answer: OutboundAnswer): AttemptResult {
  if (answer.kind === 'failed') return 'failed'
  const { status } = answer
  if (status >= 200 && status < 300) return 'delivered'
  return status >= 500 || BUSY.has(status) ? 'failed' : 'refused'
}

/**
 * Error text for both causes, so that the owner of an endpoint cannot learn which names resolve to internal addresses.
 */
const NOT_REACHED = 'the endpoint could not be reached, or its name resolves to an address that this node does not call'

const REASONS: Readonly<Record<(OutboundAnswer & { readonly kind: 'failed' })['reason'], string>> = {
  address_refused: NOT_REACHED,
  timeout: 'the endpoint did not respond in time',
  network: NOT_REACHED,
}

/** Send a message, without retries. */
export async function attempt(
  outbound: Outbound,
  hook: {
    readonly id: string
    readonly owner: RequestOwner
    readonly url: string
    readonly secrets: readonly Uint8Array[]
  },
  message: Message,
  { wallMs, monotonicMs }: { readonly wallMs: () => number; readonly monotonicMs: () => number },
): Promise<Attempted> {
  const startedMs = monotonicMs()
  const headers = messageHeaders(messageId(hook.id, message), message, hook.secrets, wallMs())
  const answer = await outbound.post({ owner: hook.owner, url: hook.url, headers, body: Buffer.from(message.body) })
  const durationMs = Math.round(monotonicMs() - startedMs)
  const result = resultOf(answer)
  return answer.kind === 'answered'
    ? {
        result,
        status: answer.status,
        reason: result === 'delivered' ? undefined : `the endpoint responded ${answer.status}`,
        durationMs,
        retryAfterMs: answer.retryAfterMs,
      }
    : { result, status: undefined, reason: REASONS[answer.reason], durationMs, retryAfterMs: undefined }
}
