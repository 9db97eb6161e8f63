/** Owns the paging of lists (docs/design/gateway.md 6): `limit`, `offset`, pages, and a cursor that only the node reads. */
import { bytesN, type Infer, list, option, refine, type Schema, string, struct, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'

/** Items of a page when the client names no limit, and the most it may ask for. */
export const PAGE_LIMIT_DEFAULT = 100
export const PAGE_LIMIT_MAX = 500
/** Furthest offset: skipped records are read, so further is a matter for the cursor. */
export const PAGE_OFFSET_MAX = 5_000
/** Longest cursor text, in bytes: base64url of the longest place, a height and a digest. */
export const CURSOR_MAX_BYTES = 1024
/** Longest place in a list, in bytes: a definition and an address, or a movement's key. */
const PLACE_MAX_BYTES = 512
/** Bytes that tell lists apart: cursors are no secrets, they are only not to be mixed up. */
const LIST_BYTES = 8

/** A limit of items between 1 and `max`; `usual`: what a request without one gets. */
export const pageLimit = (name: string, max: number, usual: number): Schema<number> =>
  refine(varint, name, (value) => (value < 1 || value > max ? `limit must be between 1 and ${max}` : undefined), {
    minimum: 1,
    maximum: max,
    default: usual,
  })
const offset_ = refine(
  varint,
  'PageOffset',
  (value) => (value > PAGE_OFFSET_MAX ? `offset is at most ${PAGE_OFFSET_MAX}: use the cursor` : undefined),
  { maximum: PAGE_OFFSET_MAX, default: 0 },
)
/** Whether a node gave it out is looked at when its list is read. */
const cursorText_ = refine(string(CURSOR_MAX_BYTES), 'PageCursorText', () => undefined, { pattern: '^[A-Za-z0-9_-]+$' })
/** Fields of the paging parameters, for lists that take more. */
export const pageFields = {
  limit: option(pageLimit('PageLimit', PAGE_LIMIT_MAX, PAGE_LIMIT_DEFAULT)),
  cursor: option(cursorText_),
  offset: option(offset_),
}
/** What a list route takes. */
export interface PageParameters extends Infer<typeof pageParameters> {}
export const pageParameters = struct('PageParameters', pageFields)

/**
 * A page of records in their order. `height`: of the state that it was read from. `nextCursor`: absent on the last page;
 * what a query answers is the place of the last record, what a route answers is a cursor.
 */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | undefined
  readonly height: number
}
/** Fields of a page of at most `maxItems` records. */
export const pageOfFields = <T>(item: Schema<T>, maxItems: number) => ({
  items: list(item, maxItems),
  nextCursor: option(string(CURSOR_MAX_BYTES)),
  height: varint,
})
export const pageOf = <T>(name: string, item: Schema<T>, maxItems = PAGE_LIMIT_MAX): Schema<Page<T>> =>
  struct(name, pageOfFields(item, maxItems))

/** Where a page ended: which list it is of, the place of its last record, and the height that it was read at. */
export interface PageCursor extends Infer<typeof cursor_> {}
const cursor_ = struct('PageCursor', { height: varint, list: bytesN(LIST_BYTES), after: string(PLACE_MAX_BYTES) })

/** What tells a list from others: the query that answers it, and the canonical bytes of what else it is asked for. */
export const listDigest = (query: string, asked: Uint8Array): Buffer =>
  hash('list', Buffer.from(query), asked).subarray(0, LIST_BYTES)

/** Text of a cursor. */
export const formatCursor = (cursor: PageCursor): string => cursor_.encode(cursor).toString('base64url')

/** Cursor of a text; undefined when it is none. Its place is for the list to judge. */
export function parseCursor(text: string): PageCursor | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  const decoded = cursor_.decode(Buffer.from(text, 'base64url'))
  return decoded.ok ? decoded.value : undefined
}
