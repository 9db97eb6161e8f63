/** Owns the read indexes of lots: live lots by class, by account and by reference; changes of a lot by height. */
import type { HistoryKeys, IndexedBlock, IndexRun, QueryContext } from '../../../executor/reads.js'
import { featureIndexPrefix, numberValue, PRESENT } from '../../../ledger/indexes.js'
import { rwaLots } from '../../../ledger/lot-tables.js'
import { type AccountId, keyBytes, type LiveLot, type LotKey, lotFault, parseLot } from '../../../model/index.js'
import { rowKeyBytes, TABLE_ID_BYTES, tableIdOf } from '../../../state/index.js'
import { events } from '../schema/events.js'
import { RWA_INDEXES } from '../schema/views.js'

const NUMBER_BYTES = 8
const PLACE_BYTES = 10

/** Length-prefixed text, so that no key is a prefix of another. */
function sized(text: Uint8Array): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(text.length)
  return Buffer.concat([size, text])
}
const sizedText = (text: string): Buffer => sized(Buffer.from(text, 'utf8'))

function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES)
  bytes.writeBigUInt64BE(BigInt(number))
  return bytes
}
const lotBytes = ({ definition, number }: LotKey): Buffer => Buffer.concat([sizedText(definition), numberBytes(number)])

/** Scope of a list of lots. */
export type LotList =
  | { readonly kind: 'class' }
  | { readonly kind: 'account'; readonly account: AccountId }
  | { readonly kind: 'reference'; readonly reference: string }

function prefixOf(list: LotList): Buffer {
  switch (list.kind) {
    case 'class':
      return featureIndexPrefix(RWA_INDEXES.live)
    case 'account':
      return Buffer.concat([featureIndexPrefix(RWA_INDEXES.byAccount), sized(keyBytes(list.account))])
    case 'reference':
      return Buffer.concat([featureIndexPrefix(RWA_INDEXES.byReference), sizedText(list.reference)])
  }
}

/** Index keys of a live lot. */
function keysOf(key: LotKey, { holder, beneficiary, reference }: LiveLot): Buffer[] {
  const lists: LotList[] = [{ kind: 'class' }, { kind: 'account', account: holder }, { kind: 'reference', reference }]
  if (beneficiary !== undefined) lists.push({ kind: 'account', account: beneficiary })
  const place = lotBytes(key)
  return lists.map((list) => Buffer.concat([prefixOf(list), place]))
}

function liveKeys(key: LotKey, bytes: Uint8Array | undefined): Buffer[] {
  if (bytes === undefined) return []
  const row = rwaLots.value.decode(bytes)
  if (!row.ok) throw new Error('a row of rwa_lot does not decode')
  return row.value.kind === 'live' ? keysOf(key, row.value.value) : []
}

const historyPrefix = (lot: LotKey): Buffer => Buffer.concat([featureIndexPrefix(RWA_INDEXES.history), lotBytes(lot)])

/** Height and index of an event in its block. */
function eventPlace(height: number, index: number): Buffer {
  const place = Buffer.alloc(4)
  place.writeUInt32BE(index)
  return Buffer.concat([numberValue(height), place])
}

const KINDS = new Map(Object.values(events).map((event) => [event.kind, event]))

/** Lots in the events of a block, each with the index of the event. */
function changesOf({ height, events: recorded }: Pick<IndexedBlock, 'height' | 'events'>): Buffer[] {
  return recorded.flatMap(({ event }, index) => {
    const objects = KINDS.get(event.kind)?.about?.(event.value as never).objects ?? []
    return objects
      .filter((id) => lotFault(id) === undefined)
      .map((lot) => Buffer.concat([historyPrefix(parseLot(lot)), eventPlace(height, index)]))
  })
}

export const rwaIndexes: IndexRun = (block) => {
  const put: (readonly [Uint8Array, Uint8Array])[] = changesOf(block).map((key) => [key, PRESENT])
  const del: Uint8Array[] = []
  for (const { row, bytes } of block.rows) {
    if (tableIdOf(row) !== rwaLots.id) continue
    const key = rwaLots.key.decode(rowKeyBytes(row).subarray(TABLE_ID_BYTES))
    if (!key.ok) throw new Error('the key of a row of rwa_lot does not decode')
    del.push(...liveKeys(key.value, block.before.rowBytes(row)))
    put.push(...liveKeys(key.value, bytes).map((one) => [one, PRESENT] as const))
  }
  return { put, del }
}

/** Changes of lots in a block; they are pruned with the block. */
export const rwaHistory: HistoryKeys = changesOf

/** First `limit` live lots of a list after a lot, ordered by class and number. */
export async function lotsOf(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  list: LotList,
  {
    definition,
    after,
    limit,
  }: { readonly definition: string | undefined; readonly after: LotKey | undefined; readonly limit: number },
): Promise<LotKey[]> {
  const whole = prefixOf(list)
  const prefix = definition === undefined ? whole : Buffer.concat([whole, sizedText(definition)])
  const next = after === undefined ? prefix : Buffer.concat([whole, lotBytes(after), Buffer.of(0)])
  // A cursor of another class does not widen the range.
  const gte = next.compare(prefix) < 0 ? prefix : next
  const found: LotKey[] = []
  for await (const [key] of indexRange({ gte, lt: beyond(prefix), limit })) {
    const size = key.readUInt16BE(whole.length)
    const at = whole.length + 2 + size
    found.push({
      definition: key.toString('utf8', whole.length + 2, at),
      number: Number(key.readBigUInt64BE(at)),
    })
  }
  return found
}

/** Upper bound of the keys with a prefix: lengths, numbers and heights do not begin with this byte. */
const beyond = (prefix: Uint8Array): Buffer => Buffer.concat([prefix, Buffer.of(0xff)])

/** Position of a change: its height, and the index of its event in the block. */
export interface ChangePlace {
  readonly height: number
  readonly index: number
}

/** Changes of a lot before a position, newest first. */
export async function changesBefore(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  lot: LotKey,
  { before, limit }: { readonly before: ChangePlace | undefined; readonly limit: number },
): Promise<ChangePlace[]> {
  const prefix = historyPrefix(lot)
  const lt = before === undefined ? beyond(prefix) : Buffer.concat([prefix, eventPlace(before.height, before.index)])
  const found: ChangePlace[] = []
  for await (const [key] of indexRange({ gte: prefix, lt, reverse: true, limit })) {
    const at = key.length - PLACE_BYTES
    found.push({ height: key.readUIntBE(at, 6), index: key.readUInt32BE(at + 6) })
  }
  return found
}
