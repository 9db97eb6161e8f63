/** Owns the streams of a gateway: who is connected, how they are opened, kept alive and ended. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  BLOCK_STREAM_START_FRAME,
  blockStreamRoute,
  consensusStatusSseRoute,
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
} from '../../api/index.js'
import type { Metrics } from '../../api/metrics.js'
import type { NodeServices } from '../../api/services.js'
import type { ExplorerStreamSearch } from '../../features/explorer/schema/streams.js'
import { accountIdOf, parameterFault } from '../../features/responses.js'
import { LedgerError } from '../../model/index.js'
import { COMMON_HEADERS } from '../answer.js'
import { haltedError } from '../halted.js'
import { EventMaker } from './block-events.js'
import { BlockStreams } from './block-stream.js'
import { EventNames } from './event-names.js'
import { ExplorerStreams, isExplorerStream } from './explorer-streams.js'
import { Feed } from './feed.js'
import { EventHub } from './hub.js'
import { SSE_RETRY_MS, TICK_MS } from './limits.js'
import { refuseSubscription, Sockets } from './sockets.js'
import { StatusStream } from './status-stream.js'
import { SocketSink, SseSink, type StreamSink } from './stream-sink.js'

export interface StreamModules {
  readonly services: NodeServices
  readonly metrics: Metrics['gateway']
  /** Open streams at most. */
  readonly maxStreams: number
  /** Ids of the routes whose streams end when the node halts. */
  readonly endsWithHalt: ReadonlySet<string>
  /** Monotonic ms. */
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

type FilterSearch = Omit<EventSearch, 'filter' | 'after' | 'fromHeight'>

/** A request for Server-Sent Events that passed all checks. */
export interface SseRequest {
  readonly routeId: string
  /** Record of the query string. */
  readonly query: unknown
  readonly raw: IncomingMessage
}

/** Starts a stream on a response whose head is not sent yet. */
export type SseStart = (response: ServerResponse, headers: Readonly<Record<string, string>>) => void

const faultyPosition = (): LedgerError => parameterFault(LAST_EVENT_ID_HEADER, 'an event id is written height.index')

/** What a browser sends when it connects again is newer than what the page asked for at first. */
const resumeText = (header: string | string[] | undefined, after: string | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : after

export class Streams {
  private readonly outlets = new Map<StreamSink, string>()
  private readonly hub: EventHub
  private readonly blocks: BlockStreams
  private readonly explorer: ExplorerStreams
  private readonly status: StatusStream
  private readonly sockets: Sockets
  private readonly names: EventNames
  private readonly stopListening: readonly (() => void)[]
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly modules: StreamModules) {
    const { services, onError } = modules
    const { history, info } = services
    const { codec } = info
    const tip = (): number => services.height()
    const maker = new EventMaker(codec, (code) => history.errorName(code))
    const feed = new Feed(history, maker, codec)
    const onPending = history.onPending.bind(history)
    this.hub = new EventHub({ feed, maker, codec, tip, onPending, onError })
    this.blocks = new BlockStreams(feed, tip, onError)
    this.explorer = new ExplorerStreams({ services, feed, tip, onError })
    this.status = new StatusStream(() => services.consensus(false), codec, onError)
    this.sockets = new Sockets(codec)
    this.names = new EventNames(codec)
    this.stopListening = [
      services.onCommit(() => {
        this.hub.committed()
        this.blocks.wake()
        this.explorer.wake()
      }),
      services.onHalt(() => {
        for (const [outlet, routeId] of [...this.outlets]) this.endWhenHalted(outlet, routeId)
        this.blocks.wake()
        this.explorer.wake()
      }),
    ]
  }

  /** Why no further stream is opened; undefined when one may be. */
  full(): LedgerError | undefined {
    if (this.outlets.size < this.modules.maxStreams) return undefined
    return new LedgerError('too_many_streams', `this node serves ${this.modules.maxStreams} streams at most`)
  }

  /** How a stream of Server-Sent Events starts, or why it does not. */
  async sse(request: SseRequest): Promise<SseStart | LedgerError> {
    const { routeId } = request
    if (routeId === consensusStatusSseRoute.id) {
      return (response, headers) => {
        const outlet = this.respond(routeId, response, headers, (closed) => this.status.remove(closed))
        if (outlet !== undefined) this.status.add(outlet)
      }
    }
    if (isExplorerStream(routeId)) return this.explorerStream(request)
    if (routeId !== eventsSseRoute.id) throw new Error(`route ${routeId} has no stream`)
    const subscription = await this.subscriptionOf(
      request.query as EventSearch,
      request.raw.headers[LAST_EVENT_ID_HEADER],
    )
    if (subscription instanceof LedgerError) return subscription
    return (response, headers) => {
      let leave = (): void => {}
      const outlet = this.respond(routeId, response, headers, () => leave())
      if (outlet === undefined) return
      const reader = this.hub.add(outlet, subscription)
      leave = () => this.hub.remove(reader)
      if (outlet.closed) leave()
    }
  }

  private explorerStream({ routeId, query, raw }: SseRequest): SseStart | LedgerError {
    const { after, fromHeight } = query as ExplorerStreamSearch
    const last = resumeText(raw.headers[LAST_EVENT_ID_HEADER], after)
    const position = last === undefined ? undefined : parsePosition(last)
    if (last !== undefined && position === undefined) return faultyPosition()
    return (response, headers) => {
      const outlet = this.respond(routeId, response, headers, () => this.explorer.wake())
      if (outlet !== undefined) this.explorer.add(outlet, routeId, { after: position, fromHeight })
    }
  }

  /** Takes a connection over for the stream of a WebSocket route; `decline` answers a handshake that is malformed. */
  upgrade(
    routeId: string,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    decline: (why: LedgerError) => void,
  ): void {
    const asked = { request, socket, head, decline }
    if (routeId === eventsRoute.id) {
      this.sockets.open(asked, EVENT_SUBSCRIPTION_FRAME, ({ start, format, webSocket }) => {
        const fault = start.filters.map((filter) => this.names.fault(filter)).find((one) => one !== undefined)
        if (fault !== undefined) return refuseSubscription(webSocket, fault)
        let leave = (): void => {}
        const outlet = this.track(
          routeId,
          (onClose) => new SocketSink(format, webSocket, socket, this.modules.nowMs, onClose),
          () => leave(),
        )
        const reader = this.hub.add(outlet, start)
        leave = () => this.hub.remove(reader)
        if (outlet.closed) leave()
      })
    } else if (routeId === blockStreamRoute.id) {
      this.sockets.open(asked, BLOCK_STREAM_START_FRAME, ({ start, format, webSocket }) => {
        const outlet = this.track(
          routeId,
          (onClose) => new SocketSink(format, webSocket, socket, this.modules.nowMs, onClose),
          () => this.blocks.wake(),
        )
        this.blocks.add(outlet, format, start.fromHeight)
      })
    } else throw new Error(`route ${routeId} has no stream`)
  }

  /** Housekeeping of all connections; a timer does it, and tests. */
  tick(): void {
    for (const outlet of [...this.outlets.keys()]) outlet.tick()
  }

  /** Tells every reader that the node stops. */
  close(): void {
    for (const stop of this.stopListening) stop()
    this.sockets.close()
    for (const outlet of [...this.outlets.keys()]) outlet.close('stopping', 'the node is stopping')
    this.blocks.wake()
    this.explorer.wake()
  }

  /** Cuts the connections that did not end by themselves. */
  destroy(): void {
    for (const outlet of [...this.outlets.keys()]) outlet.destroy()
    this.sockets.destroy()
  }

  private async subscriptionOf(
    search: EventSearch,
    header: string | string[] | undefined,
  ): Promise<EventSubscription | LedgerError> {
    const { filter: text, after, fromHeight, ...fields } = search
    const last = resumeText(header, after)
    if (last !== undefined && parsePosition(last) === undefined) return faultyPosition()
    const single = Object.values(fields).some((value) => value !== undefined)
    if (text !== undefined && single) {
      return parameterFault('filter', 'give the fields of one filter, or a list of filters, not both')
    }
    const filters = text === undefined ? await this.filterOf(fields, single) : this.filtersOf(text)
    return filters instanceof LedgerError ? filters : { filters, after: last, fromHeight }
  }

  /** The filter of the fields of a query string; none when none is given. */
  private async filterOf(fields: FilterSearch, given: boolean): Promise<readonly EventFilter[] | LedgerError> {
    if (!given) return []
    const { services } = this.modules
    const named = fields.account === undefined ? undefined : await accountIdOf(services, fields.account, 'account')
    if (named instanceof LedgerError) return named
    const filter = { ...fields, account: named }
    return this.names.fault(filter) ?? [filter]
  }

  /** The filters of a JSON text. */
  private filtersOf(text: string): readonly EventFilter[] | LedgerError {
    const filters = eventFilters.parseJson(text, this.modules.services.info.codec)
    if (!filters.ok) return parameterFault('filter', filters.fault.message)
    for (const filter of filters.value) {
      const fault = this.names.fault(filter)
      if (fault !== undefined) return fault
    }
    return filters.value
  }

  /** Ends a stream on which nothing will come any more. */
  private endWhenHalted(outlet: StreamSink, routeId: string): void {
    const { services, endsWithHalt } = this.modules
    const error = endsWithHalt.has(routeId) ? haltedError(services) : undefined
    if (error !== undefined) outlet.close('halted', error.message)
  }

  /** Sends the head of a stream; undefined when the client is gone. */
  private respond(
    routeId: string,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    onClose: (outlet: StreamSink) => void,
  ): StreamSink | undefined {
    const { socket } = response
    if (socket === null || socket.destroyed) return undefined
    socket.setNoDelay(true)
    // The end of the connection is the end of the stream: chunks would only cost bytes and writes.
    response.removeHeader('transfer-encoding')
    response.shouldKeepAlive = false
    response.writeHead(200, {
      ...COMMON_HEADERS,
      ...headers,
      'content-type': EVENT_STREAM_CONTENT_TYPE,
      // Asks proxies in front of the node to pass events on as they come.
      'x-accel-buffering': 'no',
    })
    response.write(`retry: ${SSE_RETRY_MS}\n\n`)
    return this.track(routeId, (closed) => new SseSink(response, this.modules.nowMs, closed), onClose)
  }

  private track(
    routeId: string,
    make: (onClose: () => void) => StreamSink,
    onClose: (outlet: StreamSink) => void,
  ): StreamSink {
    const { metrics } = this.modules
    const outlet = make(() => {
      this.outlets.delete(outlet)
      metrics.streams.dec({ route: routeId })
      if (this.outlets.size === 0) {
        clearInterval(this.timer)
        this.timer = undefined
      }
      onClose(outlet)
    })
    this.outlets.set(outlet, routeId)
    metrics.streams.inc({ route: routeId })
    this.timer ??= setInterval(() => this.tick(), TICK_MS)
    // It may have halted since the request was admitted.
    this.endWhenHalted(outlet, routeId)
    return outlet
  }
}
