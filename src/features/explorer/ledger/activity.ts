/** Owns the read index of activity: which transactions of which block an account signed, a kind, an asset or a rejection has. */

import type { IndexedBlock } from '../../../executor/contract.js'
import { ACTIVITY_SPACE } from '../../../ledger/indexes.js'
import { type AccountId, keyBytes, rejectionOf } from '../../../model/index.js'
import type { BalanceChange } from '../schema/changes.js'

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
  const indexes = Array.from({ length: Math.floor(value.length / 4) }, (_, at) => value.readUInt32BE(4 * at))
  return { height: key.readUIntBE(key.length - HEIGHT_BYTES, HEIGHT_BYTES), indexes }
}

/** What the index is made from. */
export interface ActiveBlock extends Pick<IndexedBlock, 'height' | 'entries' | 'results'> {
  readonly changes: readonly BalanceChange[]
}

/** Lists of transactions by what they have in common, ascending: keys are made once per list, not once per transaction. */
class Lists {
  private readonly byName = new Map<string, number[]>()

  /** Adds a transaction, at or behind the place of the one before it. */
  add(name: string, index: number): void {
    const list = this.byName.get(name)
    if (list === undefined) this.byName.set(name, [index])
    else if (list[list.length - 1] !== index) list.push(index)
  }

  entries(height: number, facetOf: (name: string) => Facet): [Uint8Array, Uint8Array][] {
    const end = heightBytes(height)
    return [...this.byName].map(([name, indexes]) => {
      const value = Buffer.alloc(4 * indexes.length)
      for (const [at, index] of indexes.entries()) value.writeUInt32BE(index, 4 * at)
      return [Buffer.concat([facetPrefix(facetOf(name)), end]), value]
    })
  }
}

/** Index entries of one block: one per list that a transaction of it stands in. */
export function activityEntries({ height, entries, results, changes }: ActiveBlock): [Uint8Array, Uint8Array][] {
  if (entries.length === 0) return []
  const [authorities, kinds, definitions, others] = [new Lists(), new Lists(), new Lists(), new Lists()]
  for (const [index, { signed }] of entries.entries()) {
    const { authority, executable } = signed.payload.value
    others.add('all', index)
    authorities.add(authority, index)
    for (const one of executable.value) kinds.add(one.kind, index)
    const result = results[index]
    if (result !== undefined && rejectionOf(result.outcome) !== undefined) others.add('rejected', index)
  }
  for (const { entry, definition, kind } of changes) {
    // What follows the transactions are runs of triggers; fees would put every transaction under the fee asset.
    if (entry < entries.length && kind !== 'fee') definitions.add(definition, entry)
  }
  return [
    ...others.entries(height, (kind) => ({ kind: kind as 'all' | 'rejected' })),
    ...authorities.entries(height, (account) => ({ kind: 'authority', account })),
    ...kinds.entries(height, (name) => ({ kind: 'kind', name })),
    ...definitions.entries(height, (name) => ({ kind: 'definition', name })),
  ]
}
