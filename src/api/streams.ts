/**
 * Owns the rows of the streams, and the close codes of their WebSockets (specification 4.1, 6; docs/design/gateway.md
 * 7).
 */
import { jsonSchemaRefs } from '../codec/index.js'
import type { ErrorCode } from '../model/index.js'
import {
  BLOCK_MESSAGE_FRAME,
  BLOCK_STREAM_START_FRAME,
  EVENT_MESSAGE_FRAME,
  EVENT_SUBSCRIPTION_FRAME,
  STORED_BLOCK_MESSAGE_FRAME,
} from './frames.js'
import { type AnyRoute, type AnySchema, defineStream, type RouteStream, routeTable } from './route.js'
import { consensusStatus } from './schema/consensus.js'
import { eventSearch, gap, lagged, streamEnd, streamEvent } from './schema/stream.js'

/** WebSocket close codes of the node, in addition to RFC 6455. */
export const CLOSE_CODES = {
  /** A second frame arrived: a connection has one subscription. */
  protocol: 1002,
  /** A frame exceeds the maximum length of a subscription. */
  tooLong: 1009,
  /** The node failed; its log has the cause. */
  failed: 1011,
  /** The node is stopping; reconnect to it or to another node. */
  stopping: 1012,
  /** The node halted and sends nothing more; connect to another node. */
  halted: 4503,
  /** The first frame is not a subscription. */
  badSubscription: 4400,
  /** The API token or key that opened the stream is no longer valid. */
  withdrawn: 4401,
  /** No first frame in time. */
  subscribeTimeout: 4408,
  /** The client read nothing for too long. */
  tooSlow: 4413,
} as const
export type CloseCause = keyof typeof CLOSE_CODES

/** Last event of Server-Sent Events closed by the node, and its error codes by cause. */
export const SSE_END = 'end'
export const SSE_END_CODES = {
  failed: 'internal',
  stopping: 'node_stopping',
  halted: 'node_halted',
  withdrawn: 'unauthorised',
} as const satisfies Partial<Record<CloseCause, ErrorCode>>

/** Text frame that serves as a ping for clients that cannot send protocol pings, and its response. */
export const PING_TEXT = '{"op":"ping"}'
export const PONG_TEXT = '{"op":"pong"}'

/** Header that a client of Server-Sent Events sends to resume. */
export const LAST_EVENT_ID_HEADER = 'last-event-id'

/** Inline schema of a record; the components of the document exclude schemas that only its extensions use. */
const inPlace = (schema: AnySchema): AnySchema => ({
  name: schema.name,
  jsonSchema(refs) {
    const own = jsonSchemaRefs(refs.registries)
    const reference = schema.jsonSchema(own)
    return own.components.get(schema.name ?? '') ?? reference
  },
})

/** Events of a Server-Sent Events stream by their `event:` name, including the final error event. */
export const sseOf = (events: Readonly<Record<string, AnySchema>>): RouteStream => ({
  as: 'sse',
  events: { ...events, [SSE_END]: inPlace(streamEnd) },
})

export const eventsRoute = defineStream({
  id: 'events',
  method: 'GET',
  path: '/events',
  summary: 'Committed events over a WebSocket; the first frame of the client is its subscription',
  access: 'public',
  format: 'websocket',
  stream: {
    as: 'websocket',
    start: EVENT_SUBSCRIPTION_FRAME,
    message: EVENT_MESSAGE_FRAME,
  },
})

export const blockStreamRoute = defineStream({
  id: 'block.stream',
  method: 'GET',
  path: '/block/stream',
  summary: 'Committed blocks in order, over a WebSocket; the first frame of the client is the start height',
  access: 'public',
  format: 'websocket',
  stream: {
    as: 'websocket',
    start: BLOCK_STREAM_START_FRAME,
    message: BLOCK_MESSAGE_FRAME,
  },
})

export const storedBlocksRoute = defineStream({
  id: 'ledger.blocks.stream',
  method: 'GET',
  path: '/v1/ledger/blocks/stream',
  summary:
    'Committed blocks as they are stored, with results and events, over a WebSocket; the first frame of the client is the start height',
  access: 'public',
  format: 'websocket',
  stream: {
    as: 'websocket',
    start: BLOCK_STREAM_START_FRAME,
    message: STORED_BLOCK_MESSAGE_FRAME,
  },
})

export const eventsSseRoute = defineStream({
  id: 'events.sse',
  method: 'GET',
  path: '/v1/events/sse',
  summary: 'Committed events as Server-Sent Events; Last-Event-ID resumes',
  access: 'public',
  format: 'sse',
  query: eventSearch,
  accounts: { account: 'id' },
  // The alias is unknown.
  errors: ['not_found'],
  stream: sseOf({
    block: streamEvent,
    transaction: streamEvent,
    data: streamEvent,
    gap,
    lagged,
  }),
})

export const consensusStatusSseRoute = defineStream({
  id: 'consensus.status.sse',
  method: 'GET',
  path: '/v1/consensus/status/sse',
  summary: 'Consensus in detail: the full status at once, then every change, at most ten a second',
  access: 'public',
  profile: 'status',
  format: 'sse',
  stream: sseOf({ status: consensusStatus }),
  whileHalted: true,
})

/** Rows of the streams. */
export const STREAM_ROUTES: readonly AnyRoute[] = routeTable(
  eventsRoute,
  blockStreamRoute,
  storedBlocksRoute,
  eventsSseRoute,
  consensusStatusSseRoute,
)
