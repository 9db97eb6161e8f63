/** Owns one event for many readers: its properties for filters, and its bytes, encoded once per format. */
import {
  EVENT_MESSAGE_FRAME,
  type EventCategory,
  type EventMessage,
  type EventPosition,
  type EventStatus,
  eventMessage,
  type StreamEvent,
} from '../api/index.js'
import type { CodecContext, Json } from '../codec/index.js'
import type { EventIds } from './event-ids.js'
import { binaryFrame, textFrame } from './message-frame.js'

/** Encoding for a reader: Server-Sent Events, or text or binary frames of a WebSocket. */
export type StreamFormat = 'sse' | 'text' | 'binary'

/** Properties of an event for filters; ids are texts as in JSON. */
export interface EventTraits {
  readonly category: EventCategory
  /** Kind of object that the event is about. */
  readonly subject: string | undefined
  /** Name as in JSON. */
  readonly kind: string
  readonly status: EventStatus | undefined
  /** Accounts, assets and domains named by the event. */
  readonly ids: EventIds
  /** Hash in hex. */
  readonly transaction: string | undefined
  readonly height: number | undefined
  readonly lane: number | undefined
  readonly dataspace: bigint | undefined
}

/** Lines of a Server-Sent Event; the JSON text contains no line breaks. */
const sseText = (id: string | undefined, event: string, json: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`

export class EventItem {
  /** JSON of the event, the same in every stream. */
  readonly text: string
  private readonly encoded: { [format in StreamFormat]?: Buffer } = {}

  constructor(
    readonly record: StreamEvent,
    /** Absent for events that are not in a block. */
    readonly position: EventPosition | undefined,
    readonly traits: EventTraits,
    jsonForm: Json,
    private readonly codec: CodecContext,
  ) {
    this.text = JSON.stringify(jsonForm)
  }

  /** Bytes of the event for a socket. */
  bytes(format: StreamFormat): Buffer {
    this.encoded[format] ??= this.encode(format)
    return this.encoded[format]
  }

  private encode(format: StreamFormat): Buffer {
    const { record, codec } = this
    if (format === 'binary') return binaryFrame(EVENT_MESSAGE_FRAME.seal({ kind: 'event', value: record }, codec))
    return format === 'text'
      ? textFrame(`{"Event":${this.text}}`)
      : Buffer.from(sseText(record.id, record.event.kind, this.text))
  }
}

/** Bytes of a message for a single reader. */
export function noticeBytes(format: StreamFormat, notice: Exclude<EventMessage, { readonly kind: 'event' }>): Buffer {
  if (format === 'binary') return binaryFrame(EVENT_MESSAGE_FRAME.seal(notice))
  const jsonForm = eventMessage.toJson(notice) as Readonly<Record<string, Json>>
  if (format === 'text') return textFrame(JSON.stringify(jsonForm))
  // Not an event: a comment shows that the connection works and does not trigger handlers of a page.
  if (notice.kind === 'subscribed') return Buffer.from(`: subscribed from ${notice.value.nextHeight}\n\n`)
  return Buffer.from(sseText(undefined, notice.kind, JSON.stringify(Object.values(jsonForm)[0])))
}
