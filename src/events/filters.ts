/** Owns the matching of events with filters: by an index, so that a reader costs nothing at events that are not for it. */
import type { EventFilter } from '../api/index.js'
import { type CodecContext, toHex } from '../codec/index.js'
import { formatAddress } from '../model/index.js'
import type { EventItem, EventTraits } from './event-item.js'

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
  const { ids } = traits
  return (
    same(filter.category, traits.category) &&
    same(filter.subject, traits.subject) &&
    same(filter.kind, traits.kind) &&
    same(filter.status, traits.status) &&
    same(filter.transaction, traits.transaction) &&
    same(filter.block, traits.height) &&
    same(filter.lane, traits.lane) &&
    same(filter.dataspace, traits.dataspace) &&
    among(filter.account, ids.accounts) &&
    among(filter.asset, ids.assets) &&
    among(filter.domain, ids.domains) &&
    (position !== undefined || filter.status !== undefined || filter.kind !== undefined)
  )
}

/** True when a subscription with these filters wants an event; none of them: all that is in blocks. */
export const wanted = (filters: readonly CompiledFilter[], item: EventItem): boolean =>
  filters.length === 0 ? item.position !== undefined : filters.some((filter) => matches(filter, item))

/** True when a filter may match what is in no block. */
export const asksForPending = ({ status, kind }: CompiledFilter): boolean =>
  status === 'queued' || status === 'expired' || kind === 'Queued' || kind === 'Expired'

type Field = 'transaction' | 'account' | 'asset' | 'domain' | 'kind' | 'status' | 'subject' | 'category'
const only = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value])

/** Fields under which filters stand, the most selective first, and what an event has in each. */
const FIELDS: Readonly<Record<Field, (traits: EventTraits) => Iterable<string>>> = {
  transaction: ({ transaction }) => only(transaction),
  account: ({ ids }) => ids.accounts,
  asset: ({ ids }) => ids.assets,
  domain: ({ ids }) => ids.domains,
  kind: ({ kind }) => [kind],
  status: ({ status }) => only(status),
  subject: ({ subject }) => only(subject),
  category: ({ category }) => [category],
}
const FIELD_NAMES = Object.keys(FIELDS) as Field[]

/** The field under which a filter stands; undefined when it has none of them. */
const fieldOf = (filter: CompiledFilter): Field | undefined => FIELD_NAMES.find((field) => filter[field] !== undefined)

type Entries<R> = Map<CompiledFilter, R>

/** Readers by their filters. */
export class FilterIndex<R extends { readonly filters: readonly CompiledFilter[] }> {
  /** Readers without filters. */
  readonly unfiltered = new Set<R>()
  private readonly filtered = new Set<R>()
  /** Filters by field and value; only fields that a filter stands under, so that the others of an event are not looked at. */
  private readonly byField = new Map<Field, Map<string, Entries<R>>>()
  /** Filters under no field. */
  private readonly others: Entries<R> = new Map()

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
      const field = fieldOf(filter)
      if (field === undefined) {
        this.others.set(filter, reader)
        continue
      }
      const value = filter[field] as string
      const byValue = this.byField.get(field) ?? new Map<string, Entries<R>>()
      const entries = byValue.get(value) ?? (new Map() as Entries<R>)
      this.byField.set(field, byValue.set(value, entries.set(filter, reader)))
    }
  }

  delete(reader: R): void {
    this.unfiltered.delete(reader)
    if (!this.filtered.delete(reader)) return
    for (const filter of reader.filters) {
      const field = fieldOf(filter)
      if (field === undefined) {
        this.others.delete(filter)
        continue
      }
      const value = filter[field] as string
      const byValue = this.byField.get(field)
      const entries = byValue?.get(value)
      entries?.delete(filter)
      if (entries?.size === 0) byValue?.delete(value)
      if (byValue?.size === 0) this.byField.delete(field)
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
      for (const [filter, reader] of this.candidates(item)) {
        if (!matches(filter, item)) continue
        const own = found.get(reader)
        // Two filters of a reader may match the same event.
        if (own === undefined) found.set(reader, [item])
        else if (own.at(-1) !== item) own.push(item)
      }
    }
    return found
  }

  /** Filters that an event might match. */
  private *candidates({ traits }: EventItem): Iterable<readonly [CompiledFilter, R]> {
    for (const [field, byValue] of this.byField) {
      for (const value of FIELDS[field](traits)) yield* byValue.get(value) ?? []
    }
    yield* this.others
  }
}
