/** Owns the read indexes of repos: agreements of a party, and changes of an agreement. */
import { bytes, type Infer, struct, varint } from '../../../codec/index.js'
import type { IndexRun, QueryContext } from '../../../executor/reads.js'
import { changedRows, featureIndexPrefix, numberValue, PRESENT } from '../../../ledger/indexes.js'
import { type AccountId, type DataEvent, type EventDef, keyBytes } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { REPO_INDEXES } from '../schema/records.js'
import { agreements } from './tables.js'

const ID_BYTES = 32
const HEIGHT_BYTES = 6
/** Maximum size of an event of an agreement, in bytes. */
const EVENT_MAX_BYTES = 1_024

function partyPrefix(party: AccountId): Buffer {
  const id = keyBytes(party)
  return Buffer.concat([featureIndexPrefix(REPO_INDEXES.parties), Buffer.of(id.length), id])
}
const changesPrefix = (id: Uint8Array): Buffer => Buffer.concat([featureIndexPrefix(REPO_INDEXES.changes), id])
function changeKey(id: Uint8Array, height: number, index: number): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(index)
  return Buffer.concat([changesPrefix(id), numberValue(height), number])
}

/** An event of an agreement, by the number of its kind. */
const change_ = struct('RepoChange', { atMs: varint, event: varint, value: bytes(EVENT_MAX_BYTES) })
type Change = Infer<typeof change_>

const EVENTS_BY_ID: ReadonlyMap<number, EventDef<unknown>> = new Map(
  Object.values(events).map((def) => [def.id, def as EventDef<unknown>]),
)
const EVENTS_BY_KIND: ReadonlyMap<string, EventDef<unknown>> = new Map(
  Object.values(events).map((def) => [def.kind, def as EventDef<unknown>]),
)

/** Agreement of an event. */
const idOfEvent = ({ value }: DataEvent): Uint8Array | undefined => {
  const { id } = value as { readonly id?: Uint8Array }
  return id
}

export const repoIndexes: IndexRun = ({ height, timeMs, rows, events: recorded }) => {
  const put: (readonly [Uint8Array, Uint8Array])[] = []
  for (const { key, value } of changedRows(agreements, rows)) {
    const { seller, buyer, custodian } = value.value
    for (const party of [seller, buyer, ...(custodian === undefined ? [] : [custodian])])
      put.push([Buffer.concat([partyPrefix(party), key]), PRESENT])
  }
  for (const [index, { event }] of recorded.entries()) {
    const def = EVENTS_BY_KIND.get(event.kind)
    const id = def === undefined ? undefined : idOfEvent(event)
    if (def === undefined || id === undefined) continue
    const change: Change = { atMs: timeMs, event: def.id, value: def.schema.encode(event.value) }
    put.push([changeKey(id, height, index), change_.encode(change)])
  }
  return { put, del: [] }
}

/** First `limit` agreements of a party after an id, ordered by id. */
export async function agreementsOf(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  party: AccountId,
  { after, limit }: { readonly after: Uint8Array | undefined; readonly limit: number },
): Promise<Buffer[]> {
  const prefix = partyPrefix(party)
  const gte = after === undefined ? prefix : Buffer.concat([prefix, after, Buffer.of(0)])
  const lt = Buffer.concat([prefix, Buffer.alloc(ID_BYTES + 1, 0xff)])
  const found: Buffer[] = []
  for await (const [key] of indexRange({ gte, lt, limit })) found.push(key.subarray(prefix.length))
  return found
}

/** Change of an agreement with its position. */
export interface FoundChange {
  readonly height: number
  readonly index: number
  readonly atMs: number
  readonly event: DataEvent
}

/** Last `limit` changes of an agreement before a position, newest first. */
export async function changesOf(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  id: Uint8Array,
  { before, limit }: { readonly before: readonly [height: number, index: number] | undefined; readonly limit: number },
): Promise<FoundChange[]> {
  const prefix = changesPrefix(id)
  const lt =
    before === undefined ? Buffer.concat([prefix, Buffer.alloc(HEIGHT_BYTES + 5, 0xff)]) : changeKey(id, ...before)
  const found: FoundChange[] = []
  for await (const [key, value] of indexRange({ gte: prefix, lt, reverse: true, limit })) {
    const change = change_.decode(value)
    const def = change.ok ? EVENTS_BY_ID.get(change.value.event) : undefined
    const event = change.ok ? def?.schema.decode(change.value.value) : undefined
    if (!change.ok || def === undefined || event?.ok !== true)
      throw new Error('a change of an agreement does not decode')
    found.push({
      height: key.readUIntBE(prefix.length, HEIGHT_BYTES),
      index: key.readUInt32BE(prefix.length + HEIGHT_BYTES),
      atMs: change.value.atMs,
      event: { kind: def.kind, value: event.value } as DataEvent,
    })
  }
  return found
}
