/** Owns the read indexes of contracts: what each told, and which transactions called it. */
import type { IndexedBlock, IndexRun } from '../../../executor/contract.js'
import { featureIndexPrefix } from '../../../ledger/indexes.js'
import { type AccountId, type EventOf, keyBytes } from '../../../model/index.js'
import { contractEvent } from '../schema/events.js'
import { type ContractCall, contractCall } from '../schema/instructions.js'

/** Indexes of contracts. Append only: the numbers are on disk. */
const INDEX = { events: 700, calls: 701 } as const
const PLACE_BYTES = 14
const NOTHING = Buffer.alloc(0)

/** Where something stands: height, entry of the block, position in it. */
export interface Place {
  readonly height: number
  readonly entry: number
  readonly position: number
}

const prefixOf = (index: keyof typeof INDEX, address: AccountId): Buffer => {
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

/** Range of what one contract has, older than a place; newest first when it is read backwards. */
export function contractRange(index: keyof typeof INDEX, address: AccountId, before: Place | undefined) {
  const gte = prefixOf(index, address)
  const lt = Buffer.concat([gte, before === undefined ? Buffer.alloc(PLACE_BYTES, 0xff) : placeBytes(before)])
  const placeOf = (key: Buffer): Place => {
    const at = key.subarray(gte.length)
    return { height: at.readUIntBE(0, 6), entry: at.readUInt32BE(6), position: at.readUInt32BE(10) }
  }
  return { gte, lt, placeOf }
}

export const contractIndexes: IndexRun = ({ height, events, entries }: IndexedBlock) => {
  const put: [Uint8Array, Uint8Array][] = []
  const add = (index: keyof typeof INDEX, address: AccountId, place: Place): void => {
    put.push([Buffer.concat([prefixOf(index, address), placeBytes(place)]), NOTHING])
  }
  for (const [position, { entry, event }] of events.entries()) {
    if (event.kind !== contractEvent.kind) continue
    add('events', (event.value as EventOf<typeof contractEvent>).address, { height, entry, position })
  }
  for (const [entry, { signed }] of entries.entries()) {
    for (const [position, { kind, value }] of signed.payload.value.executable.value.entries()) {
      if (kind === contractCall.kind) add('calls', (value as ContractCall).address, { height, entry, position })
    }
  }
  return { put, del: [] }
}
