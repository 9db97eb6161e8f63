/**
 * Owns the read index of activity: transactions by block and by authority, instruction kind, asset, rejection, or
 * payment reference.
 */

import type { IndexedBlock } from '../../../executor/reads.js'
import { ACTIVITY_SPACE } from '../../../ledger/indexes.js'
import { type AccountId, eventsOfEntry, rejectionOf } from '../../../model/index.js'
import { decidedPayments, partsOf } from '../../iso20022/schema/claimed.js'
import type { MessageDetails } from '../../iso20022/schema/instructions.js'
import type { BalanceChange } from '../schema/changes.js'

/** Numbers of list facets. Append only, because they are on disk. */
const FACETS = { all: 0, authority: 1, kind: 2, definition: 3, rejected: 4, reference: 5 } as const

/** List of transactions. */
export type Facet =
  | { readonly kind: 'all' | 'rejected' }
  | { readonly kind: 'authority'; readonly account: AccountId }
  | { readonly kind: 'kind' | 'definition' | 'reference'; readonly name: string }

const HEIGHT_BYTES = 6
/** Size of the key head: space, facet, length of the subject. */
const HEAD_BYTES = 4

/** Encodings of subjects: account ids are bytes, one character each. */
type Encoding = 'latin1' | 'utf8'

function subjectOf(facet: Facet): string {
  switch (facet.kind) {
    case 'all':
    case 'rejected':
      return ''
    case 'authority':
      return facet.account
    default:
      return facet.name
  }
}

const encodingOf = (kind: Facet['kind']): Encoding => (kind === 'authority' ? 'latin1' : 'utf8')

/** Key of a list at a height. */
function listKey(kind: Facet['kind'], subject: string, height: number): Buffer {
  const encoding = encodingOf(kind)
  const length = encoding === 'latin1' ? subject.length : Buffer.byteLength(subject)
  const key = Buffer.allocUnsafe(HEAD_BYTES + length + HEIGHT_BYTES)
  key[0] = ACTIVITY_SPACE
  key[1] = FACETS[kind]
  key[2] = length >> 8
  key[3] = length & 0xff
  key.write(subject, HEAD_BYTES, encoding)
  key.writeUIntBE(height, HEAD_BYTES + length, HEIGHT_BYTES)
  return key
}

/** Range of blocks between two heights, both inclusive. */
export function activityRange(facet: Facet, from: number, to: number): { readonly gte: Buffer; readonly lt: Buffer } {
  const subject = subjectOf(facet)
  return { gte: listKey(facet.kind, subject, from), lt: listKey(facet.kind, subject, to + 1) }
}

/** Height and transactions of an index entry, ascending. */
export function activityAt(key: Buffer, value: Buffer): { readonly height: number; readonly indexes: number[] } {
  const indexes = Array.from({ length: Math.floor(value.length / 4) }, (_, at) => value.readUInt32BE(4 * at))
  return { height: key.readUIntBE(key.length - HEIGHT_BYTES, HEIGHT_BYTES), indexes }
}

/** Input of the index. */
export interface ActiveBlock extends Pick<IndexedBlock, 'height' | 'entries' | 'results' | 'events'> {
  readonly changes: readonly BalanceChange[]
}

/** Lists of transactions by common property, ascending: keys are created once per list, not once per transaction. */
class Lists {
  private readonly byName = new Map<string, number[]>()

  constructor(private readonly kind: Facet['kind']) {}

  /** Add a transaction; its index must not be below the previous one. */
  add(name: string, index: number): void {
    const list = this.byName.get(name)
    if (list === undefined) this.byName.set(name, [index])
    else if (list[list.length - 1] !== index) list.push(index)
  }

  /** Append the index entries of all lists. */
  entriesInto(entries: [Uint8Array, Uint8Array][], height: number): void {
    for (const [name, indexes] of this.byName) entries.push([listKey(this.kind, name, height), placesOf(indexes)])
  }
}

function placesOf(indexes: readonly number[]): Buffer {
  const value = Buffer.allocUnsafe(4 * indexes.length)
  for (let at = 0; at < indexes.length; at += 1) value.writeUInt32BE(indexes[at]!, 4 * at)
  return value
}

/** Add transactions to lists by their own fields. */
function addTransactions(
  { entries, results }: Pick<ActiveBlock, 'entries' | 'results'>,
  lists: Readonly<Record<'all' | 'rejected' | 'authorities' | 'kinds', Lists>>,
): void {
  const { all, rejected, authorities, kinds } = lists
  for (let index = 0; index < entries.length; index += 1) {
    const { authority, executable } = entries[index]!.signed.payload.value
    all.add('', index)
    authorities.add(authority, index)
    for (const one of executable.value) kinds.add(one.kind, index)
    const result = results[index]
    if (result !== undefined && rejectionOf(result.outcome) !== undefined) rejected.add('', index)
  }
}

/** Add transactions to lists by the assets that they moved. */
function addChanges(changes: readonly BalanceChange[], transactions: number, definitions: Lists): void {
  for (const { entry, definition, kind } of changes) {
    // Entries after the transactions are trigger runs; with fees, every transaction would be listed under the fee
    // asset.
    if (entry < transactions && kind !== 'fee') definitions.add(definition, entry)
  }
}

/** Reference normalised for the index, in lower case. */
export const referenceKey = (text: string): string => text.toLowerCase()

/** References of a payment (UETR and end-to-end id) in the form of the index. */
export const referencesOf = ({ uetr, endToEndId }: Pick<MessageDetails, 'uetr' | 'endToEndId'>): string[] =>
  [uetr, endToEndId].flatMap((text) => (text === undefined ? [] : [referenceKey(text)]))

/** Add transactions to lists by the message payments that they made or failed to make. */
function addPayments({ entries, results, events }: Omit<ActiveBlock, 'height' | 'changes'>, references: Lists): void {
  for (let index = 0; index < entries.length; index += 1) {
    const payload = entries[index]!.signed.payload.value
    const result = results[index]
    if (result === undefined) continue
    const entryEvents = partsOf(payload.executable.value).length === 0 ? [] : eventsOfEntry(events, index)
    for (const { details } of decidedPayments({ payload, outcome: result.outcome, events: entryEvents }, String))
      for (const reference of referencesOf(details)) references.add(reference, index)
  }
}

/**
 * Index entries of one block, one for each list that contains one of its transactions. Each loop is a separate
 * function, small enough to be compiled once; as one function they used a fifth of the compiler's time.
 */
export function activityEntries({
  height,
  entries,
  results,
  events,
  changes,
}: ActiveBlock): [Uint8Array, Uint8Array][] {
  if (entries.length === 0) return []
  const all = new Lists('all')
  const rejected = new Lists('rejected')
  const authorities = new Lists('authority')
  const kinds = new Lists('kind')
  const definitions = new Lists('definition')
  addTransactions({ entries, results }, { all, rejected, authorities, kinds })
  addChanges(changes, entries.length, definitions)
  const references = new Lists('reference')
  addPayments({ entries, results, events }, references)
  const made: [Uint8Array, Uint8Array][] = []
  for (const lists of [all, rejected, authorities, kinds, definitions, references]) lists.entriesInto(made, height)
  return made
}
