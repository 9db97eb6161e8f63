/** Owns the streams of a gateway: opening, keep-alive and closing of connections. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { parameterFault } from '../../api/answers.js'
import {
  BLOCK_STREAM_START_FRAME,
  blockStreamRoute,
  EVENT_STREAM_CONTENT_TYPE,
  EVENT_SUBSCRIPTION_FRAME,
  type EventFilter,
  type EventSearch,
  type EventSubscription,
  eventFilters,
  eventsRoute,
  eventsSseRoute,
  LAST_EVENT_ID_HEADER,
  parsePosition,
  type StreamSource,
  type StreamStart,
  storedBlocksRoute,
} from '../../api/index.js'
import type { Metrics } from '../../api/metrics.js'
import type { NodeServices } from '../../api/services.js'
import { EventNames } from '../../events/event-names.js'
import type { Feed } from '../../events/feed.js'
import { type AccountId, LedgerError } from '../../model/index.js'
import type { Accounts } from '../accounts.js'
import { COMMON_HEADERS } from '../answer.js'
import type { GatewayConfig } from '../config.js'
import type { StreamOwner } from '../guard.js'
import { haltedError } from '../halted.js'
import { readUserInput } from '../user-input.js'
import { BLOCK_FORMS, BlockStreams } from './block-stream.js'
import { EventHub } from './hub.js'
import { ItemStream } from './item-stream.js'
import { SSE_RETRY_MS, TICK_MS } from './limits.js'
import { LiveStream } from './live-stream.js'
import { refuseSubscription, Sockets } from './sockets.js'
import { StateStream } from './state-stream.js'
import { SocketSink, SseSink, type StreamSink } from './stream-sink.js'

export interface StreamModules {
  readonly services: NodeServices
  /** Sources of Server-Sent Event streams, by route id; events use the hub. */
  readonly sources: ReadonlyMap<string, StreamSource>
  /** Feed of block events, shared by all readers of the node. */
  readonly feed: Feed
  readonly metrics: Metrics['gateway']
  /** Maximum open streams, in total and per client address. */
  readonly limits: Pick<GatewayConfig, 'maxStreams' | 'maxConnectionsPerAddress'>
  /** Ids of the routes whose streams end when the node halts. */
  readonly endsWithHalt: ReadonlySet<string>
  /** Reason why a stream must end; undefined if it may continue. */
  readonly withdrawn: (owner: StreamOwner) => LedgerError | undefined
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
}

/** Request for Server-Sent Events that passed all checks. */
export interface SseRequest {
  readonly owner: StreamOwner
  /** Records of the path and of the query string. */
  readonly params: unknown
  readonly query: unknown
  /** Accounts that the parameters name. */
  readonly accounts: Accounts
  readonly raw: IncomingMessage
  /** Node services of the request. */
  readonly services: NodeServices
}

/** Start a stream on a response whose headers were not sent yet. */
export type SseStart = (response: ServerResponse, headers: Readonly<Record<string, string>>) => void

const faultyPosition = (): LedgerError => parameterFault(LAST_EVENT_ID_HEADER, 'an event id is written height.index')

/** Position of a reconnecting browser, which is newer than the position in its first request. */
const resumeText = (header: string | string[] | undefined, after: string | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : after

/** Streams that are not implemented by a source. */
export const OWN_STREAMS: readonly string[] = [
  eventsRoute.id,
  eventsSseRoute.id,
  blockStreamRoute.id,
  storedBlocksRoute.id,
]

export class Streams {
  /** Open streams with their owners. */
  private readonly sinks = new Map<StreamSink, StreamOwner>()
  private readonly hub: EventHub
  private readonly blocks: BlockStreams
  private readonly items = new Map<string, ItemStream>()
  /** Streams with the same content for every reader: states and changes. */
  private readonly shared = new Map<string, StateStream | LiveStream>()
  private readonly sockets: Sockets
  private readonly names: EventNames
  private readonly stopListening: readonly (() => void)[]
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(private readonly modules: StreamModules) {
    const { services, sources, feed, onError } = modules
    const { history, info } = services
    const { codec } = info
    const tip = (): number => services.height()
    const onPending = history.onPending.bind(history)
    this.hub = new EventHub({ feed, codec, tip, onPending, onError })
    this.blocks = new BlockStreams(feed, tip, onError)
    for (const [routeId, source] of sources) {
      if (source.kind === 'items') this.items.set(routeId, new ItemStream(source, { services, feed, tip, onError }))
      else if (source.kind === 'live') this.shared.set(routeId, new LiveStream(source, codec))
      else this.shared.set(routeId, new StateStream(source, services, onError))
    }
    this.sockets = new Sockets(services)
    this.names = new EventNames(codec)
    this.stopListening = [
      services.onCommit(() => {
        this.hub.committed()
        this.wake()
      }),
      services.onHalt(() => {
        for (const [sink, { row }] of [...this.sinks]) this.endWhenHalted(sink, row.id)
        this.wake()
      }),
    ]
  }

  /** Reason why no further stream can be opened for a client; undefined if one can be. */
  full(address: string): LedgerError | undefined {
    // Its request arrived before.
    if (this.isClosed) return new LedgerError('node_stopping', 'the node is stopping')
    const { maxStreams, maxConnectionsPerAddress } = this.modules.limits
    if (this.sinks.size + this.sockets.asking.size >= maxStreams)
      return new LedgerError('too_many_streams', `this node serves at most ${maxStreams} streams`)
    // Clients behind a trusted proxy do not have separate connections to count.
    const own = [...this.sinks.values(), ...this.sockets.asking.values()].filter((owner) => owner.address === address)
    if (own.length < maxConnectionsPerAddress) return undefined
    return new LedgerError('too_many_streams', `this address has ${own.length} open streams, the limit for one address`)
  }

  /** Start function of a stream of Server-Sent Events, or the error. */
  async sse(request: SseRequest): Promise<SseStart | LedgerError> {
    const { owner } = request
    const routeId = owner.row.id
    const shared = this.shared.get(routeId)
    if (shared !== undefined) {
      return (response, headers) => {
        const sink = this.respond(owner, response, headers, (closed) => shared.remove(closed))
        if (sink !== undefined) shared.add(sink)
      }
    }
    const items = this.items.get(routeId)
    if (items !== undefined) return this.itemStream(items, request)
    if (routeId !== eventsSseRoute.id) throw new Error(`route ${routeId} has no stream`)
    const subscription = await this.subscriptionOf(request)
    if (subscription instanceof LedgerError) return subscription
    return (response, headers) => {
      let leave = (): void => {}
      const sink = this.respond(owner, response, headers, () => leave())
      if (sink === undefined) return
      const reader = this.hub.add(sink, subscription)
      leave = () => this.hub.remove(reader)
      if (sink.closed) leave()
    }
  }

  private itemStream(stream: ItemStream, request: SseRequest): SseStart | LedgerError {
    const { owner, query, raw } = request
    const { after, fromHeight } = query as StreamStart
    const last = resumeText(raw.headers[LAST_EVENT_ID_HEADER], after)
    const position = last === undefined ? undefined : parsePosition(last)
    if (last !== undefined && position === undefined) return faultyPosition()
    const wanted = stream.wanted(request)
    if (wanted instanceof LedgerError) return wanted
    return (response, headers) => {
      const sink = this.respond(owner, response, headers, () => stream.wake())
      if (sink !== undefined) stream.add(sink, { after: position, fromHeight, wanted })
    }
  }

  /** Accept a connection for the stream of a WebSocket route; `decline` responds to a malformed handshake. */
  upgrade(
    owner: StreamOwner,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    decline: (why: LedgerError) => void,
  ): void {
    const asked = { owner, request, socket, head, decline }
    const routeId = owner.row.id
    if (routeId === eventsRoute.id) {
      this.sockets.open(asked, EVENT_SUBSCRIPTION_FRAME, ({ start, format, webSocket }) => {
        const fault = start.filters.map((filter) => this.names.fault(filter)).find((one) => one !== undefined)
        if (fault !== undefined) return refuseSubscription(webSocket, fault)
        let leave = (): void => {}
        const sink = this.track(
          owner,
          (onClose) => new SocketSink(format, webSocket, socket, this.modules.monotonicMs, onClose),
          () => leave(),
        )
        const reader = this.hub.add(sink, start)
        leave = () => this.hub.remove(reader)
        if (sink.closed) leave()
      })
    } else if (routeId === blockStreamRoute.id || routeId === storedBlocksRoute.id) {
      const form = routeId === blockStreamRoute.id ? BLOCK_FORMS.decoded : BLOCK_FORMS.stored
      this.sockets.open(asked, BLOCK_STREAM_START_FRAME, ({ start, format, webSocket }) => {
        const sink = this.track(
          owner,
          (onClose) => new SocketSink(format, webSocket, socket, this.modules.monotonicMs, onClose),
          () => this.blocks.wake(),
        )
        this.blocks.add(sink, form, format, start.fromHeight)
      })
    } else throw new Error(`route ${routeId} has no stream`)
  }

  /** End the streams whose owners lost access. */
  review(): void {
    for (const [sink, owner] of [...this.sinks]) this.endWhenWithdrawn(sink, owner)
  }

  private endWhenWithdrawn(sink: StreamSink, owner: StreamOwner): void {
    const why = this.modules.withdrawn(owner)
    if (why !== undefined) sink.close('withdrawn', why.message)
  }

  /** Housekeeping of all connections. */
  private tick(): void {
    // Sessions expire by time.
    this.review()
    for (const sink of [...this.sinks.keys()]) sink.tick()
  }

  /** Notify every reader of the shutdown. */
  close(): void {
    this.isClosed = true
    for (const stop of this.stopListening) stop()
    this.sockets.close()
    for (const sink of [...this.sinks.keys()]) sink.close('stopping', 'the node is stopping')
    this.wake()
  }

  /** Close the connections that did not end in time. */
  destroy(): void {
    for (const sink of [...this.sinks.keys()]) sink.destroy()
    this.sockets.destroy()
  }

  /** Wake readers that wait for a block. */
  private wake(): void {
    this.blocks.wake()
    for (const stream of this.items.values()) stream.wake()
  }

  private async subscriptionOf({
    query,
    accounts,
    raw,
    services,
  }: SseRequest): Promise<EventSubscription | LedgerError> {
    const { filter: text, after, fromHeight, ...fields } = query as EventSearch
    const last = resumeText(raw.headers[LAST_EVENT_ID_HEADER], after)
    if (last !== undefined && parsePosition(last) === undefined) return faultyPosition()
    const single = Object.values(fields).some((value) => value !== undefined)
    if (text !== undefined && single) {
      return parameterFault('filter', 'give either the fields of one filter or a list of filters')
    }
    const filter = { ...fields, account: accounts['account'] as AccountId | undefined }
    const filters = text === undefined ? this.filterOf(filter, single) : await this.filtersOf(services, text)
    return filters instanceof LedgerError ? filters : { filters, after: last, fromHeight }
  }

  /** Filter of the fields of a query string; none if no field is given. */
  private filterOf(filter: EventFilter, given: boolean): readonly EventFilter[] | LedgerError {
    if (!given) return []
    return this.names.fault(filter) ?? [filter]
  }

  /** Filters of a JSON text. */
  private async filtersOf(services: NodeServices, text: string): Promise<readonly EventFilter[] | LedgerError> {
    const filters = await readUserInput(services, (codec) => {
      const decoded = eventFilters.parseJson(text, codec)
      return decoded.ok ? decoded.value : parameterFault('filter', decoded.fault.message)
    })
    if (filters instanceof LedgerError) return filters
    return filters.map((filter) => this.names.fault(filter)).find((fault) => fault !== undefined) ?? filters
  }

  /** End a stream that cannot send anything more because the node halted. */
  private endWhenHalted(sink: StreamSink, routeId: string): void {
    const { services, endsWithHalt } = this.modules
    const error = endsWithHalt.has(routeId) ? haltedError(services) : undefined
    if (error !== undefined) sink.close('halted', error.message)
  }

  /** Send the head of a stream; undefined if the client has disconnected. */
  private respond(
    owner: StreamOwner,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    onClose: (sink: StreamSink) => void,
  ): StreamSink | undefined {
    const { socket } = response
    if (socket === null || socket.destroyed) return undefined
    socket.setNoDelay(true)
    // The end of the connection ends the stream: chunks would only cost bytes and writes.
    response.removeHeader('transfer-encoding')
    response.shouldKeepAlive = false
    response.writeHead(200, {
      ...COMMON_HEADERS,
      ...headers,
      'content-type': EVENT_STREAM_CONTENT_TYPE,
      // Proxies must forward events without buffering.
      'x-accel-buffering': 'no',
    })
    response.write(`retry: ${SSE_RETRY_MS}\n\n`)
    return this.track(owner, (closed) => new SseSink(response, this.modules.monotonicMs, closed), onClose)
  }

  private track(
    owner: StreamOwner,
    make: (onClose: () => void) => StreamSink,
    onClose: (sink: StreamSink) => void,
  ): StreamSink {
    const { metrics } = this.modules
    const routeId = owner.row.id
    const sink = make(() => {
      this.sinks.delete(sink)
      metrics.streams.dec({ route: routeId })
      if (this.sinks.size === 0) {
        clearInterval(this.timer)
        this.timer = undefined
      }
      onClose(sink)
    })
    this.sinks.set(sink, owner)
    metrics.streams.inc({ route: routeId })
    this.timer ??= setInterval(() => this.tick(), TICK_MS)
    // The node may have halted, or the session ended, since the request was admitted.
    this.endWhenHalted(sink, routeId)
    this.endWhenWithdrawn(sink, owner)
    return sink
  }
}
