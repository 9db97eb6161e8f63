/** Owns the read indexes of contracts: their events, and the transactions that called them. */

import type { HistoryBlock, HistoryKeys, IndexRun } from '../../../executor/reads.js'
import { featureIndexPrefix } from '../../../ledger/indexes.js'
import { type AccountId, isEvent, isInstruction, keyBytes, rejectionOf } from '../../../model/index.js'
import { events as contractEvents } from '../schema/events.js'
import { instructions } from '../schema/instructions.js'
import { indexedCall, indexedEvent } from '../schema/views.js'

/** Indexes of contracts. Append only: the numbers are on disk. */
const INDEX = { events: 700, calls: 701 } as const
export type ContractIndex = keyof typeof INDEX
const PLACE_BYTES = 14

/** Position of an entry: height, index in the block, index within the entry. */
export interface Place {
  readonly height: number
  readonly entry: number
  readonly position: number
}

const prefixOf = (index: ContractIndex, address: AccountId): Buffer => {
  const id = keyBytes(address)
  return Buffer.concat([featureIndexPrefix(INDEX[index]), Buffer.of(id.length), id])
}
function placeBytes({ height, entry, position }: Place): Buffer {
  const bytes = Buffer.alloc(PLACE_BYTES)
  bytes.writeUIntBE(height, 0, 6)
  bytes.writeUInt32BE(entry, 6)
  bytes.writeUInt32BE(position, 10)
  return bytes
}

/** Range of the entries of one contract before a position; read backwards, newest first. */
export function contractRange(index: ContractIndex, address: AccountId, before: Place | undefined) {
  const gte = prefixOf(index, address)
  const lt = Buffer.concat([gte, before === undefined ? Buffer.alloc(PLACE_BYTES, 0xff) : placeBytes(before)])
  const placeOf = (key: Buffer): Place => {
    const at = key.subarray(gte.length)
    return { height: at.readUIntBE(0, 6), entry: at.readUInt32BE(6), position: at.readUInt32BE(10) }
  }
  return { gte, lt, placeOf }
}

function entriesOf({ height, timeMs, events, entries, results }: HistoryBlock): [Uint8Array, Uint8Array][] {
  const put: [Uint8Array, Uint8Array][] = []
  const add = (index: ContractIndex, address: AccountId, place: Place, record: Uint8Array): void => {
    put.push([Buffer.concat([prefixOf(index, address), placeBytes(place)]), record])
  }
  for (const [position, { entry, event }] of events.entries()) {
    if (!isEvent(event, contractEvents.contractEvent)) continue
    const { address, topic, data } = event.value
    add('events', address, { height, entry, position }, indexedEvent.encode({ timeMs, topic, data }))
  }
  for (const [entry, { id: transaction, signed }] of entries.entries()) {
    const { authority, executable } = signed.payload.value
    for (const [position, one] of executable.value.entries()) {
      const outcome = results[entry]?.outcome
      if (!isInstruction(one, instructions.contractCall) || outcome === undefined) continue
      const { address, entrypoint } = one.value
      const called = outcome.kind === 'called' ? outcome.value : undefined
      const record = {
        timeMs,
        transaction,
        caller: authority,
        entrypoint,
        approved: rejectionOf(outcome) === undefined,
        trap: called?.trap ?? 0,
        gasUsed: called?.gasUsed ?? 0,
      }
      add('calls', address, { height, entry, position }, indexedCall.encode(record))
    }
  }
  return put
}

export const contractIndexes: IndexRun = (block) => ({ put: entriesOf(block), del: [] })
export const contractHistory: HistoryKeys = (block) => entriesOf(block).map(([key]) => key)
