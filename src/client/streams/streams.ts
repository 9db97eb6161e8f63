/** Owns the four streams as async iterators: typed, resumed after a break without loss or duplicates. */
import {
  BLOCK_MESSAGE_FRAME,
  BLOCK_STREAM_START_FRAME,
  type BlockMessage,
  blockStreamRoute,
  type ConsensusStatus,
  consensusStatus,
  consensusStatusSseRoute,
  EVENT_MESSAGE_FRAME,
  EVENT_SUBSCRIPTION_FRAME,
  type EventFilter,
  type EventMessage,
  type EventSubscription,
  eventFilters,
  eventsRoute,
  eventsSseRoute,
  gap,
  lagged,
  STORED_BLOCK_MESSAGE_FRAME,
  type StoredBlockMessage,
  storedBlocksRoute,
  streamEvent,
} from '../../api/index.js'
import type { CodecContext, FrameOf, Schema } from '../../codec/index.js'
import { decodedValue } from '../decoded.js'
import type { SocketAddress } from '../transport.js'
import { resuming } from './resume.js'
import { type SseMessage, sseMessages } from './sse.js'
import { BLOCK_MESSAGE_MAX_BYTES, openSocket } from './web-socket.js'

/** Filter with only the relevant fields. */
export type EventFilterInput = Partial<EventFilter>

/** Selection of events. */
export interface EventsRequest {
  /** Events must match one of them; without filters, all events in blocks. */
  readonly filters?: readonly EventFilterInput[] | undefined
  /** Position of the last event that the caller has. */
  readonly after?: string | undefined
  /** First height; without `after` and `fromHeight`, events begin now. */
  readonly fromHeight?: number | undefined
  /** Default: `websocket`. */
  readonly transport?: 'websocket' | 'sse' | undefined
  readonly signal?: AbortSignal | undefined
}

/** Item of the event iterator: events, and heights that the node could not replay. */
export type EventItem = Exclude<EventMessage, { readonly kind: 'subscribed' | 'lagged' }>

/** Dependencies of streams on the client. */
export interface StreamTransport {
  readonly codec: () => Promise<CodecContext>
  /** Address of a WebSocket with authentication headers, created anew for each connection. */
  readonly socket: (path: string) => Promise<SocketAddress>
  /** Body of a stream of Server-Sent Events; rejects with the refusal. */
  readonly events: (
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ) => Promise<AsyncIterable<Uint8Array>>
}

const NO_FILTER: EventFilter = {
  category: undefined,
  subject: undefined,
  kind: undefined,
  account: undefined,
  asset: undefined,
  domain: undefined,
  transaction: undefined,
  block: undefined,
  status: undefined,
  lane: undefined,
  dataspace: undefined,
}

/** Error that ends the connection of a slow reader: the next one replays the dropped events. */
class Behind extends Error {}

/** Events over successive connections; `height` returns the height of the last block. */
export function readEvents(
  transport: StreamTransport,
  height: () => Promise<number>,
  request: EventsRequest,
): AsyncGenerator<EventItem, void> {
  const filters = (request.filters ?? []).map((filter) => ({ ...NO_FILTER, ...filter }))
  let { after, fromHeight } = request
  /** Pass on the wanted messages, and record the position to resume from. */
  async function* noted(messages: AsyncIterable<EventMessage>): AsyncGenerator<EventItem, void> {
    try {
      for await (const message of messages) {
        switch (message.kind) {
          case 'subscribed':
            break
          case 'lagged':
            throw new Behind()
          case 'gap':
            after = undefined
            fromHeight = message.value.to + 1
            yield message
            break
          case 'event':
            after = message.value.id ?? after
            yield message
        }
      }
    } catch (error) {
      if (!(error instanceof Behind)) throw error
    }
  }
  return resuming(async () => {
    // Fixed at the first connection, so that a second one does not skip events that the first did not deliver.
    if (after === undefined) fromHeight ??= (await height()) + 1
    const subscription = { filters, after, fromHeight: after === undefined ? fromHeight : undefined }
    const codec = await transport.codec()
    const open = request.transport === 'sse' ? openEventsSse : openEventsSocket
    return noted(await open(transport, subscription, codec, request.signal))
  }, request.signal)
}

async function openEventsSocket(
  transport: StreamTransport,
  subscription: EventSubscription,
  codec: CodecContext,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<EventMessage>> {
  const start = EVENT_SUBSCRIPTION_FRAME.seal(subscription, codec)
  const messages = await openSocket({ ...(await transport.socket(eventsRoute.path)), start, signal })
  return mapped(messages, (bytes) => decodedValue(EVENT_MESSAGE_FRAME.open(bytes, codec)))
}

async function openEventsSse(
  transport: StreamTransport,
  { filters, after, fromHeight }: EventSubscription,
  codec: CodecContext,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<EventMessage>> {
  const search = new URLSearchParams()
  if (filters.length > 0) search.set('filter', JSON.stringify(eventFilters.toJson(filters, codec)))
  if (after !== undefined) search.set('after', after)
  if (fromHeight !== undefined) search.set('from_height', String(fromHeight))
  const text = search.toString()
  const body = await transport.events(`${eventsSseRoute.path}${text === '' ? '' : `?${text}`}`, {}, signal)
  return mapped(sseMessages(body), (message) => eventOf(message, codec))
}

function eventOf({ event, data }: SseMessage, codec: CodecContext): EventMessage {
  const value = <T>(schema: Schema<T>): T => decodedValue(schema.parseJson(data, codec))
  if (event === 'gap') return { kind: 'gap', value: value(gap) }
  if (event === 'lagged') return { kind: 'lagged', value: value(lagged) }
  return { kind: 'event', value: value(streamEvent) }
}

/** Start and end of the blocks. */
export interface BlocksRequest {
  readonly fromHeight: number
  readonly signal?: AbortSignal
}

/** Blocks in order, over successive connections; missing heights are returned as a gap. */
export const readBlocks = (transport: StreamTransport, request: BlocksRequest): AsyncGenerator<BlockMessage, void> =>
  readByHeight(transport, request, blockStreamRoute.path, BLOCK_MESSAGE_FRAME, (message) =>
    message.kind === 'block' ? message.value.header.height : message.value.to,
  )

/** Stored blocks, with the results and events of their entries. */
export const readStoredBlocks = (
  transport: StreamTransport,
  request: BlocksRequest,
): AsyncGenerator<StoredBlockMessage, void> =>
  readByHeight(transport, request, storedBlocksRoute.path, STORED_BLOCK_MESSAGE_FRAME, (message) =>
    message.kind === 'block' ? message.value.block.header.height : message.value.to,
  )

function readByHeight<T>(
  transport: StreamTransport,
  request: BlocksRequest,
  path: string,
  frame: FrameOf<T>,
  lastOf: (message: T) => number,
): AsyncGenerator<T, void> {
  const { signal } = request
  let fromHeight = request.fromHeight
  async function* noted(messages: AsyncIterable<T>): AsyncGenerator<T, void> {
    for await (const message of messages) {
      fromHeight = 1 + lastOf(message)
      yield message
    }
  }
  return resuming(async () => {
    const codec = await transport.codec()
    const start = BLOCK_STREAM_START_FRAME.seal({ fromHeight })
    const socket = await transport.socket(path)
    const messages = await openSocket({ ...socket, start, signal, maxBytes: BLOCK_MESSAGE_MAX_BYTES })
    return noted(mapped(messages, (bytes) => decodedValue(frame.open(bytes, codec))))
  }, signal)
}

/** Current consensus status and every change, over successive connections. */
export function readStatuses(
  transport: StreamTransport,
  request: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<ConsensusStatus, void> {
  const { signal } = request
  return resuming(async () => {
    const body = await transport.events(consensusStatusSseRoute.path, {}, signal)
    return mapped(sseMessages(body), ({ data }) => decodedValue(consensusStatus.parseJson(data)))
  }, signal)
}

async function* mapped<A, B>(items: AsyncIterable<A>, map: (item: A) => B): AsyncGenerator<B, void> {
  for await (const item of items) yield map(item)
}
