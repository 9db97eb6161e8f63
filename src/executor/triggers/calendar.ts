/**
 * Owns the calendar of time triggers: due times in pages under a directory, so that a block reads only due ones
 * (docs/design/lanes.md 2).
 */
import type { StateReader, StateWriter } from '../../state/index.js'
import { SINGLETON_KEY } from '../tables.js'
import {
  CALENDAR_DUES_MAX,
  CALENDAR_PAGE_MAX,
  CALENDAR_PAGES_MAX,
  calendar,
  calendarPages,
  type Due,
  type PageEntry,
} from './tables.js'

/** Neighbouring pages with at most this many due times are merged; a repack puts as many on each page. */
const PACKED = Math.floor(CALENDAR_DUES_MAX / CALENDAR_PAGES_MAX)

const precedes = (a: Due, b: Due): boolean => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.id < b.id)
const firstOf = ({ firstMs, firstId }: PageEntry): Due => ({ dueMs: firstMs, id: firstId })

/** Index of the page that a due time belongs to: the last one that starts at or before it. */
function placeOf(pages: readonly PageEntry[], due: Due): number {
  const after = pages.findIndex((page) => precedes(due, firstOf(page)))
  return Math.max(0, (after < 0 ? pages.length : after) - 1)
}

const pagesOf = (state: StateReader): readonly PageEntry[] => state.get(calendar, SINGLETON_KEY)?.pages ?? []

/** Lowest unused page number. */
function freePage(pages: readonly PageEntry[]): number {
  const used = new Set(pages.map(({ page }) => page))
  let page = 0
  while (used.has(page)) page += 1
  return page
}

const pageAt = (state: StateReader, page: number): readonly Due[] => {
  const found = state.get(calendarPages, page)
  if (found === undefined) throw new Error(`page ${page} of the calendar is missing`)
  return found
}

function entryOf(page: number, dues: readonly Due[]): PageEntry {
  const [first] = dues
  if (first === undefined) throw new Error('an empty page in the calendar')
  return { page, firstMs: first.dueMs, firstId: first.id, count: dues.length }
}

/** True if another due time fits. */
export const hasRoom = (state: StateReader): boolean =>
  pagesOf(state).reduce((sum, page) => sum + page.count, 0) < CALENDAR_DUES_MAX

/** Add a due time, which must fit. */
export function addDue(state: StateWriter, due: Due): void {
  const pages = pagesOf(state)
  const at = placeOf(pages, due)
  const home = pages[at]
  if (home === undefined) {
    state.set(calendarPages, 0, [due])
    setPages(state, [entryOf(0, [due])])
    return
  }
  const dues = pageAt(state, home.page)
  const before = dues.filter((one) => precedes(one, due))
  const merged = [...before, due, ...dues.slice(before.length)]
  if (merged.length <= CALENDAR_PAGE_MAX) {
    state.set(calendarPages, home.page, merged)
    setPages(state, pages.with(at, entryOf(home.page, merged)))
    return
  }
  if (pages.length >= CALENDAR_PAGES_MAX) {
    repack(state)
    addDue(state, due)
    return
  }
  // A last due time starts a new page: calendars mostly grow at their end, and half-full pages would waste space.
  const cut = before.length === dues.length ? dues.length : merged.length >> 1
  const left = merged.slice(0, cut)
  const right = merged.slice(cut)
  const added = freePage(pages)
  state.set(calendarPages, home.page, left)
  state.set(calendarPages, added, right)
  setPages(state, pages.toSpliced(at, 1, entryOf(home.page, left), entryOf(added, right)))
}

/** Redistribute all due times, so that every page has space; rare, since pages split only while they grow. */
function repack(state: StateWriter): void {
  const pages = pagesOf(state)
  const all = pages.flatMap(({ page }) => pageAt(state, page))
  for (const { page } of pages) state.delete(calendarPages, page)
  const entries: PageEntry[] = []
  for (let from = 0; from < all.length; from += PACKED) {
    const dues = all.slice(from, from + PACKED)
    const page = entries.length
    state.set(calendarPages, page, dues)
    entries.push(entryOf(page, dues))
  }
  setPages(state, entries)
}

/** Remove a due time from the calendar. */
export function removeDue(state: StateWriter, due: Due): void {
  const pages = pagesOf(state)
  const at = placeOf(pages, due)
  const home = pages[at]
  const dues = home === undefined ? [] : pageAt(state, home.page)
  const rest = dues.filter((one) => one.id !== due.id || one.dueMs !== due.dueMs)
  if (home === undefined || rest.length === dues.length) throw new Error(`${due.id} is not in the calendar`)
  if (rest.length === 0) {
    state.delete(calendarPages, home.page)
    setPages(state, pages.toSpliced(at, 1))
    return
  }
  const next = pages[at + 1]
  if (next !== undefined && rest.length + next.count <= PACKED) {
    const together = [...rest, ...pageAt(state, next.page)]
    state.set(calendarPages, home.page, together)
    state.delete(calendarPages, next.page)
    setPages(state, pages.toSpliced(at, 2, entryOf(home.page, together)))
    return
  }
  state.set(calendarPages, home.page, rest)
  setPages(state, pages.with(at, entryOf(home.page, rest)))
}

/** Write the page directory; an empty calendar leaves no rows. */
function setPages(state: StateWriter, pages: readonly PageEntry[]): void {
  if (pages.length === 0) state.delete(calendar, SINGLETON_KEY)
  else state.set(calendar, SINGLETON_KEY, { pages })
}

/** Earliest due time; undefined if no time trigger waits. */
export function earliestDue(state: StateReader): Due | undefined {
  const first = pagesOf(state)[0]
  return first === undefined ? undefined : firstOf(first)
}
