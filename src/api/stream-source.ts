/**
 * Owns the sources of Server-Sent Event streams: a feature provides the items, the gateway handles connections, pace
 * and positions.
 */
import type { Schema } from '../codec/index.js'
import type { DataEvent, LedgerError } from '../model/index.js'
import type { AccountParameters, Accounts } from './accounts.js'
import type { AnyRoute, StreamRow } from './route.js'
import type { StreamStart } from './schema/stream.js'
import type { NodeServices } from './services.js'

/** Filter of the items for a reader, or the error that refuses it. */
export type Wanted<T> = ((item: T) => boolean) | LedgerError

/** Items of each committed block, oldest first. Item ids are `height.index`; a reader resumes after an id. */
export interface BlockItems<T> {
  readonly kind: 'items'
  /** Name of the event that carries an item. */
  readonly event: string
  readonly schema: Schema<T>
  /** Items of a block; called once per block for all readers. */
  read(services: NodeServices, height: number): Promise<readonly T[]>
  /** Filter for the parameters of a request; absent: all items. */
  wanted?(request: AnyStreamRequest): Wanted<T>
}

/** Stream request with erased types. */
export interface AnyStreamRequest {
  readonly params: unknown
  readonly query: unknown
  readonly accounts: unknown
  readonly services: NodeServices
}

/** Stream request, typed by the schemas of its row. */
export interface StreamRequest<P, Q, A extends AccountParameters> extends AnyStreamRequest {
  readonly params: P
  readonly query: Q
  readonly accounts: Accounts<P, Q, undefined, A>
}

/** Current state: sent at once, then whenever its JSON changes, at most ten times a second. */
export interface CurrentState<T> {
  readonly kind: 'state'
  /** Name of the event that carries the state. */
  readonly event: string
  readonly schema: Schema<T>
  read(services: NodeServices): T
}

/** Event of a live stream: its name and its record. */
export interface LiveEvent {
  readonly event: string
  readonly value: unknown
}

/**
 * Live changes: the full state at once, then each change; a slow reader gets the number of missed changes and the full
 * state again.
 */
export interface LiveChanges {
  readonly kind: 'live'
  /** Schemas of the events by name, including `lagged`. */
  readonly schemas: Readonly<Record<string, Pick<Schema<never>, 'toJson'>>>
  /** Current full state. */
  first(): LiveEvent
  /**
   * Report changes while there are readers; returns a function that stops it. The feature merges changes that are
   * faster than the stream.
   */
  open(publish: (events: readonly LiveEvent[]) => void): () => void
}

/** Stream source with an erased record type, for tables. */
export type StreamSource = BlockItems<unknown> | CurrentState<unknown> | LiveChanges

function sourceOf(row: Pick<AnyRoute, 'id' | 'stream'>, source: StreamSource): readonly [string, StreamSource] {
  const events = row.stream?.as === 'sse' ? Object.keys(row.stream.events) : []
  for (const event of source.kind === 'live' ? Object.keys(source.schemas) : [source.event]) {
    if (!events.includes(event)) throw new Error(`route ${row.id} does not declare the event ${event}`)
  }
  return [row.id, source]
}

/** Serve a route with items of blocks. Throws if the row does not declare the event. */
export const streamItems = <T, Q extends StreamStart, P, A extends AccountParameters>(
  row: StreamRow<Q, P, A>,
  source: Omit<BlockItems<T>, 'kind' | 'wanted'> & { wanted?(request: StreamRequest<P, Q, A>): Wanted<T> },
) => sourceOf(row, { kind: 'items', ...source } as StreamSource)

/** Serve a route with the current state. Throws if the row does not declare the event. */
export const streamState = <T, P>(row: StreamRow<unknown, P>, source: Omit<CurrentState<T>, 'kind'>) =>
  sourceOf(row, { kind: 'state', ...source } as StreamSource)

/** Serve a route with the full state and each change. Throws if the row does not declare the events. */
export const streamLive = <P>(row: StreamRow<unknown, P>, source: Omit<LiveChanges, 'kind'>) =>
  sourceOf(row, { kind: 'live', ...source })

/** Data events of the block at a height; none if this node no longer stores it. */
export async function eventsAt(services: NodeServices, height: number): Promise<readonly DataEvent[]> {
  const [stored] = await services.history.read(height, 1)
  return (stored?.outcome.events ?? []).map(({ event }) => event)
}

/** Data events of these kinds in the block at a height, as items of a stream. */
export async function eventsOfKinds(
  services: NodeServices,
  height: number,
  kinds: { has(kind: string): boolean },
): Promise<{ readonly height: number; readonly event: DataEvent }[]> {
  const found = await eventsAt(services, height)
  return found.flatMap((event) => (kinds.has(event.kind) ? [{ height, event }] : []))
}
