/** Owns the read index of activity: which transactions of which block an account signed, a kind, an asset or a rejection has. */
import type { ExecutableEntry } from '../../executor/index.js'
import { type AccountId, type EntryResult, keyBytes, type RecordedEvent } from '../../model/index.js'
import { ACTIVITY_SPACE } from './indexes.js'
import { changesOf } from './statement.js'

/** What a list of transactions is asked for. Append only: the numbers are on disk. */
const FACETS = { all: 0, authority: 1, kind: 2, definition: 3, rejected: 4 } as const

/** One list of transactions. */
export type Facet =
  | { readonly kind: 'all' | 'rejected' }
  | { readonly kind: 'authority'; readonly account: AccountId }
  | { readonly kind: 'kind' | 'definition'; readonly name: string }

const HEIGHT_BYTES = 6
const NOTHING = Buffer.alloc(0)

function subjectOf(facet: Facet): Buffer {
  switch (facet.kind) {
    case 'all':
    case 'rejected':
      return NOTHING
    case 'authority':
      return keyBytes(facet.account)
    default:
      return Buffer.from(facet.name, 'utf8')
  }
}

function facetPrefix(facet: Facet): Buffer {
  const subject = subjectOf(facet)
  const head = Buffer.of(ACTIVITY_SPACE, FACETS[facet.kind], subject.length >> 8, subject.length & 0xff)
  return Buffer.concat([head, subject])
}

function heightBytes(height: number): Buffer {
  const bytes = Buffer.alloc(HEIGHT_BYTES)
  bytes.writeUIntBE(height, 0, HEIGHT_BYTES)
  return bytes
}

/** Range of the blocks from one height to another, both with it. */
export function activityRange(facet: Facet, from: number, to: number): { readonly gte: Buffer; readonly lt: Buffer } {
  const prefix = facetPrefix(facet)
  return { gte: Buffer.concat([prefix, heightBytes(from)]), lt: Buffer.concat([prefix, heightBytes(to + 1)]) }
}

/** Height and transactions of one entry of the index, ascending. */
export function activityAt(key: Buffer, value: Buffer): { readonly height: number; readonly indexes: number[] } {
  const indexes = Array.from({ length: value.length / 4 }, (_, at) => value.readUInt32BE(4 * at))
  return { height: key.readUIntBE(key.length - HEIGHT_BYTES, HEIGHT_BYTES), indexes }
}

/** What the index is made from. */
export interface ActiveBlock {
  readonly height: number
  readonly entries: readonly ExecutableEntry[]
  readonly results: readonly EntryResult[]
  readonly events: readonly RecordedEvent[]
}

/** Index entries of one block: one per list that a transaction of it stands in. */
export function activityEntries({ height, entries, results, events }: ActiveBlock): [Uint8Array, Uint8Array][] {
  if (entries.length === 0) return []
  const lists = new Map<string, { readonly key: Buffer; readonly indexes: Set<number> }>()
  const add = (facet: Facet, index: number): void => {
    const key = Buffer.concat([facetPrefix(facet), heightBytes(height)])
    const name = key.toString('latin1')
    const list = lists.get(name) ?? { key, indexes: new Set<number>() }
    lists.set(name, list)
    list.indexes.add(index)
  }
  for (const [index, { signed }] of entries.entries()) {
    const { authority, executable } = signed.payload.value
    add({ kind: 'all' }, index)
    add({ kind: 'authority', account: authority }, index)
    for (const one of executable.value) add({ kind: 'kind', name: one.kind }, index)
    if (results[index]?.outcome.kind === 'rejected') add({ kind: 'rejected' }, index)
  }
  for (const { entry, definition, kind } of changesOf(events)) {
    // What follows the transactions are runs of triggers; fees would put every transaction under the fee asset.
    if (entry < entries.length && kind !== 'fee') add({ kind: 'definition', name: definition }, entry)
  }
  return [...lists.values()].map(({ key, indexes }) => {
    const sorted = [...indexes].sort((a, b) => a - b)
    const value = Buffer.alloc(4 * sorted.length)
    for (const [at, index] of sorted.entries()) value.writeUInt32BE(index, 4 * at)
    return [key, value]
  })
}
