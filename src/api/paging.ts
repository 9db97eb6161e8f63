/** Owns the paging of lists (docs/design/gateway.md 6): `limit`, `offset`, pages, and cursors opaque to clients. */
import { bytesN, type Infer, list, option, refine, type Schema, string, struct, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'

/** Default and maximum number of items in a page. */
export const PAGE_LIMIT_DEFAULT = 100
export const PAGE_LIMIT_MAX = 500
/** Maximum offset. Skipped records are still read, so larger offsets require a cursor. */
export const PAGE_OFFSET_MAX = 5_000
/** Maximum length of a cursor text, in bytes: base64url of the longest position, a height and a digest. */
export const CURSOR_MAX_BYTES = 1024
/** Maximum length of a position in a list, in bytes: an account and two definitions. */
const PLACE_MAX_BYTES = 640
/** Length of list digests, in bytes: cursors are not secret, but must not be used for another list. */
const LIST_BYTES = 8

/** Schema of a limit between 1 and `max`; `usual` is the default. */
export const pageLimit = (name: string, max: number, usual: number): Schema<number> =>
  refine(varint, name, (value) => (value < 1 || value > max ? `limit must be between 1 and ${max}` : undefined), {
    minimum: 1,
    maximum: max,
    default: usual,
  })
const offset_ = refine(
  varint,
  'PageOffset',
  (value) => (value > PAGE_OFFSET_MAX ? `offset is at most ${PAGE_OFFSET_MAX}: use a cursor instead` : undefined),
  { maximum: PAGE_OFFSET_MAX, default: 0 },
)
/** Cursor text; its list is checked when the page is read. */
const cursorText_ = refine(string(CURSOR_MAX_BYTES), 'PageCursorText', () => undefined, { pattern: '^[A-Za-z0-9_-]+$' })
/** Paging parameters, for lists with more fields. */
export const pageFields = {
  limit: option(pageLimit('PageLimit', PAGE_LIMIT_MAX, PAGE_LIMIT_DEFAULT)),
  cursor: option(cursorText_),
  offset: option(offset_),
}
/** Parameters of a list route. */
export interface PageParameters extends Infer<typeof pageParameters> {}
export const pageParameters = struct('PageParameters', pageFields)

/**
 * Page of records in their order. `height`: height of the state that it was read from. `nextCursor`: absent on the last
 * page; a query returns the position of the last record, a route a cursor.
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

/** End of a page: its list, the position of its last record, and the height of its state. */
export interface PageCursor extends Infer<typeof cursor_> {}
const cursor_ = struct('PageCursor', { height: varint, list: bytesN(LIST_BYTES), after: string(PLACE_MAX_BYTES) })

/** Digest that identifies a list: the query, and the canonical bytes of its other input. */
export const listDigest = (query: string, asked: Uint8Array): Buffer =>
  hash('list', Buffer.from(query), asked).subarray(0, LIST_BYTES)

/** Text of a cursor. */
export const formatCursor = (cursor: PageCursor): string => cursor_.encode(cursor).toString('base64url')

/** Parse a cursor; undefined if malformed. The position is validated by the list. */
export function parseCursor(text: string): PageCursor | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  const decoded = cursor_.decode(Buffer.from(text, 'base64url'))
  return decoded.ok ? decoded.value : undefined
}
