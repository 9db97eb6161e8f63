/** Owns the records of `POST /query`: the signed request, predicates, sorting, pages, cursors, the response. */
import {
  bounded,
  type Decoded,
  decodeWith,
  enumOf,
  hash32,
  type Infer,
  type Json,
  json,
  lazy,
  list,
  option,
  recursive,
  refine,
  type Schema,
  string,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { hash } from '../../crypto/index.js'
import { accountId, chainId, transactionSignature } from '../../model/index.js'

/** Maximum size of an input and of a value in a predicate, in bytes of canonical JSON. */
const JSON_MAX_BYTES = 16 * 1024
/** Maximum encoded size of a predicate, in bytes: each item of a list is tested against the whole predicate. */
export const PREDICATE_MAX_BYTES = 16 * 1024
/** Maximum size of an item and of a singular output, in bytes of canonical JSON. */
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024
const JSON_MAX_DEPTH = 24
/** Maximum and default items of a response. */
export const QUERY_FETCH_MAX = 500
export const QUERY_FETCH_DEFAULT = 100
/** Maximum branches of one predicate node, and values of one list. */
const BRANCHES_MAX = 64
/** Maximum number of sort keys. */
const SORT_KEYS_MAX = 4
/** Maximum length of a field path, in bytes. */
const FIELD_MAX_BYTES = 256

const value = json(JSON_MAX_BYTES, JSON_MAX_DEPTH)
/** `id`, or a path such as `metadata.colour`, with the names in the item's JSON. */
const field = refine(string(FIELD_MAX_BYTES), 'FieldPath', (text) =>
  text.split('.').some((part) => part === '') ? 'a path has names between its dots' : undefined,
)
const comparison_ = struct('Comparison', { field, value })
/** Field and the value that it is compared with. */
export type Comparison = Infer<typeof comparison_>
const membership_ = struct('Membership', { field, values: list(value, BRANCHES_MAX) })

/** Condition on items. */
export type Predicate =
  | { readonly kind: 'and' | 'or'; readonly value: readonly Predicate[] }
  | { readonly kind: 'not'; readonly value: Predicate }
  | { readonly kind: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'; readonly value: Comparison }
  | { readonly kind: 'in'; readonly value: { readonly field: string; readonly values: readonly Json[] } }
  /** True if the field is present and not null. */
  | { readonly kind: 'exists'; readonly value: string }
const nested: Schema<Predicate> = recursive('Predicate', () => predicate)
const predicate_: Schema<unknown> = enumOf('Predicate', {
  and: [0, list(nested, BRANCHES_MAX)],
  or: [1, list(nested, BRANCHES_MAX)],
  not: [2, nested],
  eq: [3, comparison_],
  ne: [4, comparison_],
  lt: [5, comparison_],
  lte: [6, comparison_],
  gt: [7, comparison_],
  gte: [8, comparison_],
  in: [9, membership_],
  exists: [10, field],
})
export const predicate: Schema<Predicate> = predicate_ as Schema<Predicate>

const sortKey_ = struct('SortKey', { field, order: unitEnum('SortOrder', { asc: 0, desc: 1 }) })
/** Sort field; items without the field come last. */
export type SortKey = Infer<typeof sortKey_>

const call_ = struct('QueryCall', { kind: string(64), input: value })
/** Query by name with the JSON form of its input. */
export type QueryCall = Infer<typeof call_>

const start_ = struct('QueryStart', {
  query: call_,
  predicate: option(bounded(predicate, PREDICATE_MAX_BYTES)),
  sorting: list(sortKey_, SORT_KEYS_MAX),
  offset: varint,
  /** Maximum number of items in total; absent: all. */
  limit: option(varint),
  /** Items per response. */
  fetchSize: option(varint),
  cursorMode: unitEnum('CursorMode', { ephemeral: 0, stored: 1 }),
})
/** Start of an iterable query. `stored`: the node keeps the rest for `continue`. */
export interface QueryStart extends Infer<typeof start_> {}
const cursor_ = struct('QueryCursor', { id: hash32, position: varint })
/** Cursor of an iterable query; `position` counts batches. */
export type QueryCursor = Infer<typeof cursor_>

/** Query request. */
export type QueryRequest =
  | { readonly kind: 'singular'; readonly value: QueryCall }
  | { readonly kind: 'start'; readonly value: QueryStart }
  | { readonly kind: 'continue'; readonly value: QueryCursor }
const request_ = enumOf('QueryRequest', { singular: [0, call_], start: [1, start_], continue: [2, cursor_] })

/** Signed content of a query: bound to a chain, a time and a nonce. */
export interface QueryPayload extends Infer<typeof queryPayload> {}
const headFields = {
  chain: chainId,
  authority: accountId,
  /** Creation time, in ms since the Unix epoch. */
  createdAtMs: varint,
  nonce: u32,
}
const head_ = struct('QueryHead', headFields)
/** Sender and time of a query, decoded before its body. */
export interface QueryHead extends Infer<typeof head_> {}
export const queryPayload = struct('QueryPayload', { ...headFields, request: request_ })

/** Body of `POST /query`. */
export interface SignedQuery extends Infer<typeof signedQuery> {}
export const signedQuery = struct('SignedQuery', { payload: lazy(queryPayload), signature: transactionSignature })

/** Signed query with only its head decoded. */
export interface QueryEnvelope extends Omit<SignedQuery, 'payload'> {
  readonly payload: { readonly bytes: Uint8Array; readonly value: QueryHead }
}

/** Open a signed query at a cost independent of its body. */
export const openQueryEnvelope = (record: Uint8Array): Decoded<QueryEnvelope> =>
  decodeWith(record, (reader) => {
    const outer = reader.beginBody()
    const start = reader.pos
    const value = head_.read(reader)
    reader.skip(reader.end - reader.pos)
    reader.endBody(outer)
    const payload = { bytes: reader.buf.subarray(start, reader.pos), value }
    return { payload, signature: transactionSignature.read(reader) }
  })

/** The 32 bytes that a query signature covers. */
export const querySignBytes = (payloadBytes: Uint8Array): Buffer => hash('query', payloadBytes)

const output = json(OUTPUT_MAX_BYTES, JSON_MAX_DEPTH)
const batch_ = struct('QueryBatch', {
  items: list(output, QUERY_FETCH_MAX),
  /** Number of matching items after offset and limit; absent until the list was read far enough. */
  total: option(varint),
  /** Number of matching items after this batch. */
  remaining: option(varint),
  /** Height of the state that the first item was read from; later items may be from later states. */
  height: varint,
  cursor: option(cursor_),
})
/** Batch of items of an iterable query. */
export type QueryBatch = Infer<typeof batch_>

/** Response of `POST /query`; outputs are JSON forms of records. */
export type QueryAnswer =
  | { readonly kind: 'singular'; readonly value: Json }
  | { readonly kind: 'iterable'; readonly value: QueryBatch }
const answer_ = enumOf('QueryAnswer', { singular: [0, output], iterable: [1, batch_] })
export const queryAnswer: Schema<QueryAnswer> = answer_
