/** Owns the paging of a statement, newest first: the node lists movements oldest first from a time. */

/** Minimum and maximum movements of one page. */
export const PAGE_MAX = 200
const PAGE_MIN = 50
/** Initial period, in ms, and its growth factor while it has too few movements. */
const FIRST_MS = 3_600_000
const GROWTH = 8

/** Read the movements of a period, oldest first; `isWhole`: true if they are complete. */
export type ReadPeriod<T> = (
  fromMs: number,
  toMs: number,
  limit: number,
) => Promise<{ readonly items: readonly T[]; readonly isWhole: boolean }>

/** Movements of a page, oldest first, and the period that they cover completely. */
export interface StatementPage<T> {
  readonly items: readonly T[]
  readonly fromMs: number
  readonly toMs: number
}

/** Newest movements between two times. */
export async function newestIn<T>(read: ReadPeriod<T>, firstMs: number, toMs: number): Promise<StatementPage<T>> {
  let [fewMs, manyMs] = [toMs, firstMs - 1]
  let fromMs = Math.max(firstMs, toMs - FIRST_MS)
  let few: readonly T[] = []
  for (;;) {
    const { items, isWhole } = await read(fromMs, toMs, PAGE_MAX)
    if (isWhole) {
      if (items.length >= PAGE_MIN || fromMs <= firstMs) return { items, fromMs, toMs }
      ;[few, fewMs] = [items, fromMs]
    } else manyMs = fromMs
    // One time can have more movements than a page: the page then has what the node returns of them.
    if (fewMs - manyMs <= 1) return few.length > 0 ? { items: few, fromMs: fewMs, toMs } : { items, fromMs, toMs }
    const grown = toMs - (toMs - fewMs || FIRST_MS) * GROWTH
    fromMs = manyMs < firstMs ? Math.max(firstMs, grown) : Math.floor((fewMs + manyMs) / 2)
  }
}

/** First movements from a time. */
export async function oldestFrom<T extends { readonly time_ms: number }>(
  read: ReadPeriod<T>,
  fromMs: number,
  toMs: number,
): Promise<StatementPage<T>> {
  const { items, isWhole } = await read(fromMs, toMs, PAGE_MAX)
  if (isWhole) return { items, fromMs, toMs }
  // Movements of the last time may continue after the page: they are moved to the next one, unless the page has no
  // other time.
  const lastMs = items.at(-1)?.time_ms ?? fromMs
  const before = items.filter(({ time_ms: ms }) => ms < lastMs)
  return before.length > 0 ? { items: before, fromMs, toMs: lastMs } : { items, fromMs, toMs: lastMs + 1 }
}
