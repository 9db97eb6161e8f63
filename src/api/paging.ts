/** Owns the paging of lists (design/gateway.md 6): `limit`, `offset`, and a cursor that only the node reads. */
import { option, refine, type Schema, string, struct, varint } from '../codec/index.js'

/** Items of a page when the client names no limit, and the most it may ask for. */
export const PAGE_LIMIT_DEFAULT = 100
export const PAGE_LIMIT_MAX = 500
/** Furthest offset: skipped records are read, so further is a matter for the cursor. */
export const PAGE_OFFSET_MAX = 5_000
/** Longest cursor text, in bytes: base64url of the longest id and a height. */
const CURSOR_MAX_BYTES = 1024

/** What a list route takes. */
export interface PageParameters {
  readonly limit: number | undefined
  readonly cursor: string | undefined
  readonly offset: number | undefined
}
const limit_ = refine(varint, 'PageLimit', (value) =>
  value < 1 || value > PAGE_LIMIT_MAX ? `limit lies between 1 and ${PAGE_LIMIT_MAX}` : undefined,
)
const offset_ = refine(varint, 'PageOffset', (value) =>
  value > PAGE_OFFSET_MAX ? `offset is at most ${PAGE_OFFSET_MAX}: use the cursor` : undefined,
)
/** Fields of the paging parameters, for lists that take more. */
export const pageFields = {
  limit: option(limit_),
  cursor: option(string(CURSOR_MAX_BYTES)),
  offset: option(offset_),
}
const parameters_ = struct('PageParameters', pageFields)
export const pageParameters: Schema<PageParameters> = parameters_

/** Where a page ended: the last id, and the height that it was read at. */
export interface PageCursor {
  readonly height: number
  readonly after: string
}
const cursor_ = struct('PageCursor', { height: varint, after: string(512) })

/** Text of a cursor. */
export const formatCursor = (cursor: PageCursor): string => cursor_.encode(cursor).toString('base64url')

/** Cursor of a text; undefined when this node never gave it out. */
export function parseCursor(text: string): PageCursor | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  const decoded = cursor_.decode(Buffer.from(text, 'base64url'))
  return decoded.ok ? decoded.value : undefined
}
