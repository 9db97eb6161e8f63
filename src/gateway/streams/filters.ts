/** Owns the matching of events with filters: by an index, so that a reader costs nothing at events that are not for it. */
import type { EventFilter } from '../../api/index.js'
import { type CodecContext, toHex } from '../../codec/index.js'
import { formatAddress } from '../../model/index.js'
import type { EventItem } from './event-item.js'

/** A filter in the texts that events carry. */
export interface CompiledFilter extends Omit<EventFilter, 'account' | 'transaction'> {
  readonly account: string | undefined
  readonly transaction: string | undefined
}

export const compileFilter = (filter: EventFilter, codec: CodecContext): CompiledFilter => ({
  ...filter,
  account: filter.account === undefined ? undefined : formatAddress(filter.account, codec.addressPrefix),
  transaction: filter.transaction === undefined ? undefined : toHex(filter.transaction),
})

const same = <T>(wanted: T | undefined, value: T | undefined): boolean => wanted === undefined || wanted === value
const among = (wanted: string | undefined, values: ReadonlySet<string>): boolean =>
  wanted === undefined || values.has(wanted)

/** True when an event has all that a filter asks for. What is in no block must be asked for by its name. */
export function matches(filter: CompiledFilter, { traits, position }: EventItem): boolean {
  const { subjects } = traits
  return (
    same(filter.category, traits.category) &&
    same(filter.family, traits.family) &&
    same(filter.kind, traits.kind) &&
    same(filter.status, traits.status) &&
    same(filter.transaction, traits.transaction) &&
    same(filter.block, traits.height) &&
    same(filter.lane, traits.lane) &&
    same(filter.dataspace, traits.dataspace) &&
    among(filter.account, subjects.accounts) &&
    among(filter.asset, subjects.assets) &&
    among(filter.domain, subjects.domains) &&
    (position !== undefined || filter.status !== undefined || filter.kind !== undefined)
  )
}

/** True when a subscription with these filters wants an event; none of them: all that is in blocks. */
export const wanted = (filters: readonly CompiledFilter[], item: EventItem): boolean =>
  filters.length === 0 ? item.position !== undefined : filters.some((filter) => matches(filter, item))

/** True when a filter may match what is in no block. */
export const asksForPending = ({ status, kind }: CompiledFilter): boolean =>
  status === 'queued' || status === 'expired' || kind === 'Queued' || kind === 'Expired'

const EVERYTHING = '*'

/** The key under which a filter is found: its most selective field. */
function keyOf(filter: CompiledFilter): string {
  const { transaction, account, asset, domain, kind, status, family, category } = filter
  if (transaction !== undefined) return `t${transaction}`
  if (account !== undefined) return `a${account}`
  if (asset !== undefined) return `s${asset}`
  if (domain !== undefined) return `d${domain}`
  if (kind !== undefined) return `k${kind}`
  if (status !== undefined) return `u${status}`
  if (family !== undefined) return `f${family}`
  return category === undefined ? EVERYTHING : `c${category}`
}

/** Keys under which filters stand that an event might match. */
function* keysOf({ traits }: EventItem): Iterable<string> {
  const { transaction, subjects, kind, status, family, category } = traits
  if (transaction !== undefined) yield `t${transaction}`
  for (const account of subjects.accounts) yield `a${account}`
  for (const asset of subjects.assets) yield `s${asset}`
  for (const domain of subjects.domains) yield `d${domain}`
  yield `k${kind}`
  if (status !== undefined) yield `u${status}`
  yield `f${family}`
  yield `c${category}`
  yield EVERYTHING
}

/** Readers by their filters. */
export class FilterIndex<R extends { readonly filters: readonly CompiledFilter[] }> {
  /** Readers without filters. */
  readonly unfiltered = new Set<R>()
  private readonly filtered = new Set<R>()
  private readonly byKey = new Map<string, Map<CompiledFilter, R>>()

  get size(): number {
    return this.unfiltered.size + this.filtered.size
  }

  add(reader: R): void {
    if (reader.filters.length === 0) {
      this.unfiltered.add(reader)
      return
    }
    this.filtered.add(reader)
    for (const filter of reader.filters) {
      const key = keyOf(filter)
      const entries = this.byKey.get(key) ?? new Map<CompiledFilter, R>()
      this.byKey.set(key, entries.set(filter, reader))
    }
  }

  delete(reader: R): void {
    this.unfiltered.delete(reader)
    if (!this.filtered.delete(reader)) return
    for (const filter of reader.filters) {
      const key = keyOf(filter)
      const entries = this.byKey.get(key)
      entries?.delete(filter)
      if (entries?.size === 0) this.byKey.delete(key)
    }
  }

  /** Every reader, each once. */
  *readers(): Iterable<R> {
    yield* this.unfiltered
    yield* this.filtered
  }

  /** The events that each filtered reader wants, in their order. */
  match(items: readonly EventItem[]): Map<R, EventItem[]> {
    const found = new Map<R, EventItem[]>()
    if (this.filtered.size === 0) return found
    for (const item of items) {
      for (const key of keysOf(item)) {
        for (const [filter, reader] of this.byKey.get(key) ?? []) {
          if (!matches(filter, item)) continue
          const own = found.get(reader)
          // Two filters of a reader may match the same event.
          if (own === undefined) found.set(reader, [item])
          else if (own.at(-1) !== item) own.push(item)
        }
      }
    }
    return found
  }
}
