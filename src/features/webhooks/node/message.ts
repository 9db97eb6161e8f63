/** Owns the messages to an endpoint: the body of an event and its signatures, by Standard Webhooks 1.0. */
import { Webhook } from 'standardwebhooks'
import type { EventItem } from '../../../events/event-item.js'

/**
 * Maximum size of a body, in bytes, which is also the limit of many endpoints. Only the id is sent of an event that is
 * longer.
 */
const BODY_MAX_BYTES = 20 * 1024

/** Message before signing, since signatures cover the time of the attempt. */
export interface Message {
  /** Event position, `height.number`; `gap_` with the first and last height for blocks that are no longer stored. */
  readonly event: string
  readonly type: string
  readonly body: string
}

const message = (event: string, type: string, timeMs: number, chain: string, data: string): Message => ({
  event,
  type,
  body: `{"type":${JSON.stringify(type)},"timestamp":"${new Date(timeMs).toISOString()}","chain":${JSON.stringify(chain)},"data":${data}}`,
})

/** Message of an event of a block. */
export function eventMessage(item: EventItem, chain: string): Message {
  const { id, timeMs } = item.record
  if (id === undefined) throw new Error('an event outside blocks has no id')
  const { subject = 'data', kind } = item.traits
  const type = `ledger.${subject}.${kind}`
  const whole = message(id, type, timeMs, chain, item.text)
  if (Buffer.byteLength(whole.body) <= BODY_MAX_BYTES) return whole
  return message(id, type, timeMs, chain, JSON.stringify({ id, truncated: true }))
}

/**
 * Message about blocks that the node no longer stores. Its id contains both ends, so that a receiver that drops
 * duplicates accepts a larger gap as a new message.
 */
export const gapMessage = (from: number, to: number, wallMs: number, chain: string): Message =>
  message(`gap_${from}_${to}`, 'stream.gap', wallMs, chain, JSON.stringify({ from, to }))

/**
 * Heights of a gap, given its id; undefined for any other event, and for ids of older nodes, which have only the first
 * height.
 */
export function gapOf(event: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, to] = /^gap_([0-9]{1,16})_([0-9]{1,16})$/.exec(event) ?? []
  return from === undefined ? undefined : { from: Number(from), to: Number(to) }
}

/** Test message for an endpoint. */
export const testMessage = (wallMs: number, chain: string): Message =>
  message(`test_${wallMs}`, 'webhook.test', wallMs, chain, '{}')

/** `webhook-id` of a message. It is constant, so that a receiver can detect duplicates. */
export const messageId = (hook: string, { event }: Pick<Message, 'event'>): string =>
  `evt_${hook}_${event.replace('.', '_')}`

/** Text of a secret for the configuration of receivers. */
export const secretText = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`

/** Headers of an attempt, with one signature per valid secret. */
export function messageHeaders(
  id: string,
  { body }: Message,
  secrets: readonly Uint8Array[],
  wallMs: number,
): Record<string, string> {
  const now = new Date(wallMs)
  return {
    'content-type': 'application/json',
    'user-agent': 'causeway-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(wallMs / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret, { format: 'raw' }).sign(id, now, body)).join(' '),
  }
}
