/** Owns the matching of one event with one filter. */
import type { EventFilter } from '../api/index.js'
import { type CodecContext, toHex } from '../codec/index.js'
import { formatAddress } from '../model/index.js'
import type { EventItem } from './event-item.js'

/** Filter with its values in the text form of events. */
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

/** Identifying fields of a filter, which few events share; the most selective first. */
export const NAMES = ['transaction', 'block', 'account', 'asset', 'domain'] as const
/** Identifying fields of a filter. */
export type Named = Pick<CompiledFilter, (typeof NAMES)[number]>

/** True if an event matches all identifying fields of a filter. */
export const isAbout = (named: Named, { traits }: EventItem): boolean =>
  same(named.transaction, traits.transaction) &&
  same(named.block, traits.height) &&
  among(named.account, traits.ids.accounts) &&
  among(named.asset, traits.ids.assets) &&
  among(named.domain, traits.ids.domains)

/**
 * True if the kind, status and category of an event match the filter. Events outside of blocks must be named
 * explicitly.
 */
export const isOfSort = (filter: CompiledFilter, { traits, position }: EventItem): boolean =>
  same(filter.category, traits.category) &&
  same(filter.subject, traits.subject) &&
  same(filter.kind, traits.kind) &&
  same(filter.status, traits.status) &&
  same(filter.lane, traits.lane) &&
  same(filter.dataspace, traits.dataspace) &&
  (position !== undefined || filter.status !== undefined || filter.kind !== undefined)

/** Equivalence class of an event for `isOfSort`. */
export const sortOf = ({ traits, position }: EventItem): string => {
  const { category, subject, kind, status, lane, dataspace } = traits
  return `${category} ${subject} ${kind} ${status} ${lane} ${dataspace} ${position !== undefined}`
}

/** True if an event matches all fields of a filter. */
export const matches = (filter: CompiledFilter, item: EventItem): boolean =>
  isOfSort(filter, item) && isAbout(filter, item)

/** True if a subscription with these filters matches an event; without filters, all events in blocks. */
export const wanted = (filters: readonly CompiledFilter[], item: EventItem): boolean =>
  filters.length === 0 ? item.position !== undefined : filters.some((filter) => matches(filter, item))

/** True if a filter can match events outside of blocks. */
export const asksForPending = ({ status, kind }: CompiledFilter): boolean =>
  status === 'queued' || status === 'expired' || kind === 'Queued' || kind === 'Expired'
