/**
 * Owns the index of readers by their filters: a reader costs nothing for other events, and many similar filters cost
 * little more than one. A reader has up to 64 filters, and a client hundreds of readers.
 */
import type { EventItem } from './event-item.js'
import { type CompiledFilter, isAbout, isOfSort, NAMES, type Named, sortOf } from './filters.js'

/**
 * Maximum sorts of events for which a group of filters caches its readers; a chain has about as many kinds of events.
 */
const SORTS_MAX = 256

/** Values of an event under each name. */
const VALUES: Readonly<Record<keyof Named, (item: EventItem) => Iterable<string | number>>> = {
  transaction: ({ traits }) => only(traits.transaction),
  block: ({ traits }) => only(traits.height),
  account: ({ traits }) => traits.ids.accounts,
  asset: ({ traits }) => traits.ids.assets,
  domain: ({ traits }) => traits.ids.domains,
}
const only = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])

/** Filters with the same identifying fields; they differ in the sorts of events that they match. */
class Group<R> {
  private readonly filters = new Map<CompiledFilter, R>()
  /** Readers by sort of event seen so far, each with an event of that sort. */
  private readonly bySort = new Map<string, { readonly like: EventItem; readonly readers: Set<R> }>()

  constructor(
    readonly named: Named,
    /** The groups under the same value. */
    readonly beside: Set<Group<R>> | undefined,
  ) {}

  get isEmpty(): boolean {
    return this.filters.size === 0
  }

  add(filter: CompiledFilter, reader: R): void {
    this.filters.set(filter, reader)
    for (const { like, readers } of this.bySort.values()) if (isOfSort(filter, like)) readers.add(reader)
  }

  /** Remove a reader with all its filters; `filter` is one of them. */
  delete(filter: CompiledFilter, reader: R): void {
    this.filters.delete(filter)
    for (const { readers } of this.bySort.values()) readers.delete(reader)
  }

  /** Readers of an event that matches the identifying fields of the group. Computed once per sort, not per event. */
  wanting(item: EventItem, sort: string): ReadonlySet<R> {
    const known = this.bySort.get(sort)
    if (known !== undefined) return known.readers
    const readers = new Set<R>()
    for (const [filter, reader] of this.filters) if (isOfSort(filter, item)) readers.add(reader)
    if (this.bySort.size >= SORTS_MAX) this.bySort.clear()
    this.bySort.set(sort, { like: item, readers })
    return readers
  }
}

export class FilterIndex<R extends { readonly filters: readonly CompiledFilter[] }> {
  /** Readers without filters. */
  readonly unfiltered = new Set<R>()
  private readonly filtered = new Set<R>()
  private readonly groups = new Map<string, Group<R>>()
  /** Group of the filters without identifying fields. */
  private readonly nameless: Group<R> = new Group({} as Named, undefined)
  /** Every other group, under one of its values. */
  private readonly byName = new Map<keyof Named, Map<string | number, Set<Group<R>>>>(
    NAMES.map((name) => [name, new Map()]),
  )

  get size(): number {
    return this.unfiltered.size + this.filtered.size
  }

  add(reader: R): void {
    if (reader.filters.length === 0) {
      this.unfiltered.add(reader)
      return
    }
    this.filtered.add(reader)
    for (const filter of reader.filters) this.groupOf(filter).add(filter, reader)
  }

  delete(reader: R): void {
    this.unfiltered.delete(reader)
    if (!this.filtered.delete(reader)) return
    for (const filter of reader.filters) {
      const group = this.groupOf(filter)
      group.delete(filter, reader)
      if (group.isEmpty) this.drop(group)
    }
  }

  /** All readers, each once. */
  *readers(): Iterable<R> {
    yield* this.unfiltered
    yield* this.filtered
  }

  /** Filtered subscribers of an event; one may be returned several times. */
  wanting(item: EventItem, visit: (reader: R) => void): void {
    if (this.filtered.size === 0) return
    const sort = sortOf(item)
    for (const reader of this.nameless.wanting(item, sort)) visit(reader)
    for (const [name, byValue] of this.byName) {
      if (byValue.size === 0) continue
      for (const value of VALUES[name](item)) {
        for (const group of byValue.get(value) ?? []) {
          if (isAbout(group.named, item)) for (const reader of group.wanting(item, sort)) visit(reader)
        }
      }
    }
  }

  private groupOf({ transaction, block, account, asset, domain }: CompiledFilter): Group<R> {
    const named: Named = { transaction, block, account, asset, domain }
    if (NAMES.every((name) => named[name] === undefined)) return this.nameless
    const key = keyOf(named)
    const known = this.groups.get(key)
    if (known !== undefined) return known
    const group = new Group<R>(named, this.placeOf(named))
    group.beside?.add(group)
    this.groups.set(key, group)
    return group
  }

  /**
   * Set of groups under the value with the fewest groups, so that a value shared by all events has no group that also
   * has another value.
   */
  private placeOf(named: Named): Set<Group<R>> {
    let fewest: Set<Group<R>> | undefined
    for (const name of NAMES) {
      const value = named[name]
      if (value === undefined) continue
      const byValue = this.byName.get(name) as Map<string | number, Set<Group<R>>>
      const groups = byValue.get(value) ?? new Set()
      if (fewest === undefined || groups.size < fewest.size) fewest = groups
      byValue.set(value, groups)
    }
    if (fewest === undefined) throw new Error('only the unnamed group may contain unnamed filters')
    this.tidy(named, fewest)
    return fewest
  }

  private drop(group: Group<R>): void {
    if (group === this.nameless) return
    group.beside?.delete(group)
    this.groups.delete(keyOf(group.named))
    this.tidy(group.named)
  }

  /** Remove the values of a group that have no groups left, except the value that is about to be used. */
  private tidy(named: Named, taken?: Set<Group<R>>): void {
    for (const name of NAMES) {
      const value = named[name]
      const byValue = this.byName.get(name)
      const groups = value === undefined ? undefined : byValue?.get(value)
      if (value !== undefined && groups !== taken && groups?.size === 0) byValue?.delete(value)
    }
  }
}

const keyOf = (named: Named): string => JSON.stringify(NAMES.map((name) => named[name] ?? null))
