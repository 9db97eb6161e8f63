/** Owns the records of the streams: subscriptions, filters, events, blocks (docs/design/gateway.md 7, specification 6). */
import {
  bytes,
  enumOf,
  hash32,
  type Infer,
  type Lazy,
  lazy,
  list,
  option,
  refine,
  type Schema,
  string,
  struct,
  unitEnum,
  varint,
  varintBig,
} from '../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  type BlockBody,
  BODY_MAX_BYTES,
  blockBody,
  blockHeader,
  blockOutcome,
  committedBlock,
  dataEvent,
  domainId,
  entryResult,
  quorumCertificate,
} from '../../model/index.js'
import { accountText } from '../query-inputs.js'

/** Maximum number of filters of one subscription; each is evaluated for every event that it may match. */
export const FILTERS_MAX = 64
/** Maximum length of the name of a subject or a kind, in bytes. */
const NAME_MAX_BYTES = 64
/** Maximum length of the reason why a stream ended, in bytes: the limit of a close frame (RFC 6455, section 5.5). */
export const REASON_MAX_BYTES = 123
/** Maximum length of a position text, in bytes: two numbers of sixteen digits. */
const POSITION_MAX_BYTES = 33
/** Maximum length of the filter JSON in a query string, in bytes. */
const FILTER_TEXT_MAX_BYTES = 8 * 1024
/** Maximum results of one block. */
const RESULTS_MAX = 1_000_000

/** Category of an event: a block, the status of a transaction, or a change of the ledger state. */
export type EventCategory = 'block' | 'transaction' | 'data'
const category = unitEnum('EventCategory', { block: 0, transaction: 1, data: 2 })

/**
 * Status of a block or a transaction. `queued` and `expired` are not in blocks, and are sent only if a filter names
 * them.
 */
export const EVENT_STATUSES = ['committed', 'approved', 'rejected', 'queued', 'expired'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]
const status = unitEnum('EventStatus', { committed: 0, approved: 1, rejected: 2, queued: 3, expired: 4 })

/** Position of an event in the chain: height of its block and its index in it. */
export interface EventPosition {
  readonly height: number
  readonly index: number
}

const POSITION = /^(0|[1-9][0-9]{0,15})\.(0|[1-9][0-9]{0,15})$/
/** Regular expression of a position. */
export const POSITION_PATTERN = POSITION.source

/** Text `height.index` of a position. */
export const formatPosition = ({ height, index }: EventPosition): string => `${height}.${index}`

/** Parse a position; undefined if malformed. */
export function parsePosition(text: string): EventPosition | undefined {
  const match = POSITION.exec(text)
  if (match === null) return undefined
  const [height, index] = [Number(match[1]), Number(match[2])]
  return Number.isSafeInteger(height) && Number.isSafeInteger(index) ? { height, index } : undefined
}
const position = refine(
  string(POSITION_MAX_BYTES),
  'EventPosition',
  (text) => (parsePosition(text) === undefined ? 'a position is written height.index' : undefined),
  { pattern: POSITION_PATTERN },
)

/** Fields of a filter: an event must match all given ones. */
const filterFields = {
  category: option(category),
  /** `block`, `transaction`, or the kind of the changed object, with the names of trigger subjects. */
  subject: option(string(NAME_MAX_BYTES)),
  /** Name of an event in its JSON form, for example `Transferred`. */
  kind: option(string(NAME_MAX_BYTES)),
  /** Authority of a transaction, or any account named by a state change. */
  account: option(accountId),
  asset: option(assetDefinitionId),
  /** Includes the domain of an asset definition. */
  domain: option(domainId),
  transaction: option(hash32),
  block: option(varint),
  status: option(status),
  lane: option(varint),
  dataspace: option(varintBig),
}

/** Event filter: matches events with all of the given fields. */
export interface EventFilter extends Infer<typeof eventFilter> {}
export const eventFilter = struct('EventFilter', filterFields)
/** Filters of the query parameter `filter`. */
export const eventFilters: Schema<readonly EventFilter[]> = list(eventFilter, FILTERS_MAX)

/**
 * First frame of a client of `/events`. Events that match one of the filters are sent; without filters, all events are
 * sent.
 */
export interface EventSubscription extends Infer<typeof eventSubscription> {}
export const eventSubscription = struct('EventSubscription', {
  filters: list(eventFilter, FILTERS_MAX),
  /** Position of the last event that the client received; all later events are sent again. */
  after: option(position),
  /** First height, as an alternative to `after`. */
  fromHeight: option(varint),
})

export interface EventSearch extends Infer<typeof eventSearch> {}
/** Query string of `/v1/events/sse`: one filter in its fields, or several as JSON in `filter`. */
export const eventSearch = struct('EventSearch', {
  ...filterFields,
  /** Address or alias. */
  account: option(accountText),
  filter: option(string(FILTER_TEXT_MAX_BYTES)),
  after: option(position),
  fromHeight: option(varint),
})

const blockEvent_ = struct('BlockEvent', {
  status,
  height: varint,
  hash: hash32,
  parentHash: hash32,
  view: varint,
  stateRoot: hash32,
  transactions: varint,
  rejected: varint,
})
/** Committed block; the last event of its height. */
export type BlockEvent = Infer<typeof blockEvent_>

const rejection_ = struct('EventRejection', { code: string(NAME_MAX_BYTES), instruction: option(varint) })
const called_ = struct('EventCalled', { trap: varint, abortCode: varint, gasUsed: varint })
const transactionEvent_ = struct('TransactionEvent', {
  status,
  hash: hash32,
  authority: accountId,
  lane: varint,
  dataspace: varintBig,
  blockHeight: option(varint),
  /** Index in the block. */
  index: option(varint),
  rejection: option(rejection_),
  /** Results of its contract calls: the code of the trap (0: none), the number of an abort, the total gas. */
  called: option(called_),
})
/** Status of a transaction. */
export type TransactionEvent = Infer<typeof transactionEvent_>

const stateEvent_ = struct('StateEvent', {
  /** Kind of the changed object; absent if no trigger can name it. */
  subject: option(string(NAME_MAX_BYTES)),
  /** Transaction that caused it; absent for changes by the block itself. */
  transaction: option(hash32),
  event: dataEvent,
})
/** Change of the ledger state. */
export interface StateEvent extends Infer<typeof stateEvent_> {}

export type StreamEventBody =
  | { readonly kind: 'block'; readonly value: BlockEvent }
  | { readonly kind: 'transaction'; readonly value: TransactionEvent }
  | { readonly kind: 'data'; readonly value: StateEvent }
const streamEvent_ = struct('StreamEvent', {
  id: option(position),
  timeMs: varint,
  event: enumOf('StreamEventBody', {
    block: [0, blockEvent_],
    transaction: [1, transactionEvent_],
    data: [2, stateEvent_],
  }),
})
/**
 * Event with its position `id`, which is absent for events outside of blocks. `timeMs`: time of the block, else clock
 * of the node.
 */
export interface StreamEvent extends Infer<typeof streamEvent_> {}
export const streamEvent: Schema<StreamEvent> = streamEvent_

const subscribed_ = struct('Subscribed', { nextHeight: varint })
export type Subscribed = Infer<typeof subscribed_>
/** Requested heights that are not sent. */
export interface Gap extends Infer<typeof gap> {}
export const gap = struct('Gap', { from: varint, to: varint })

/** Number of events dropped because the client read too slowly. */
export interface Lagged extends Infer<typeof lagged> {}
export const lagged = struct('Lagged', { missed: varint })

/** End of Server-Sent Events: error code and message. */
export const streamEnd = struct('StreamEnd', { code: string(NAME_MAX_BYTES), message: string(REASON_MAX_BYTES) })

/** Message of the node on `/events`. */
export type EventMessage =
  /** The subscription is active: events from this height on follow. */
  | { readonly kind: 'subscribed'; readonly value: Subscribed }
  | { readonly kind: 'event'; readonly value: StreamEvent }
  | { readonly kind: 'gap'; readonly value: Gap }
  | { readonly kind: 'lagged'; readonly value: Lagged }
const eventMessage_ = enumOf('EventMessage', {
  subscribed: [0, subscribed_],
  event: [1, streamEvent_],
  gap: [2, gap],
  lagged: [3, lagged],
})
export const eventMessage: Schema<EventMessage> = eventMessage_

/** First frame of a client of `/block/stream`. */
export interface BlockStreamStart extends Infer<typeof blockStreamStart> {}
export const blockStreamStart = struct('BlockStreamStart', {
  /** Height of the first block; if it is above the tip, the stream waits for it. */
  fromHeight: refine(varint, 'StartHeight', (height) => (height < 1 ? 'heights begin at 1' : undefined), {
    minimum: 1,
  }),
})

/** Body of a block: its canonical bytes, decoded on demand; at height 1 the signed genesis record. */
export type StreamedBody =
  | { readonly kind: 'genesis'; readonly value: Uint8Array }
  | { readonly kind: 'block'; readonly value: Lazy<BlockBody> }
/** Committed block with its results, one per entry. */
export interface StreamedBlock extends Infer<typeof streamedBlock_> {}
const streamedBlock_ = struct('StreamedBlock', {
  hash: hash32,
  header: blockHeader,
  /** Absent only at genesis. */
  certificate: option(quorumCertificate),
  body: enumOf('StreamedBody', { genesis: [0, bytes(BODY_MAX_BYTES)], block: [1, lazy(blockBody)] }),
  results: list(entryResult, RESULTS_MAX),
})
export const streamedBlock: Schema<StreamedBlock> = streamedBlock_

/** Message of the node on `/block/stream`. */
export type BlockMessage =
  | { readonly kind: 'block'; readonly value: StreamedBlock }
  | { readonly kind: 'gap'; readonly value: Gap }
const blockMessage_ = enumOf('BlockMessage', { block: [0, streamedBlock_], gap: [1, gap] })
export const blockMessage: Schema<BlockMessage> = blockMessage_

const storedBlock_ = struct('StoredBlock', { block: committedBlock, outcome: blockOutcome })
/** Message of the node on `/v1/ledger/blocks/stream`: stored blocks, with the results and events of their entries. */
export type StoredBlockMessage =
  | { readonly kind: 'block'; readonly value: Infer<typeof storedBlock_> }
  | { readonly kind: 'gap'; readonly value: Gap }
const storedBlockMessage_ = enumOf('StoredBlockMessage', { block: [0, storedBlock_], gap: [1, gap] })
export const storedBlockMessage: Schema<StoredBlockMessage> = storedBlockMessage_

/** Start of an item stream, for streams with more fields. */
export const startFields = {
  /** Resume after this position; Last-Event-ID takes precedence. */
  after: option(position),
  fromHeight: option(varint),
}
/** Start of an item stream; without fields, the stream starts at the next block. */
export interface StreamStart extends Infer<typeof streamStart> {}
export const streamStart = struct('StreamStart', startFields)
