/** Owns the read indexes of governance: locks of an account, and acts of the council by term. */
import { bytes, type Infer, struct, varint } from '../../../codec/index.js'
import type { IndexRun, QueryContext } from '../../../executor/reads.js'
import { changedRows, featureIndexPrefix, numberValue, PRESENT } from '../../../ledger/indexes.js'
import { type AccountId, type DataEvent, type EventDef, event, isEvent, keyBytes } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { GOV_INDEXES } from '../schema/records.js'
import { locks } from './tables.js'

const HEIGHT_BYTES = 6
/** Maximum size of a council act, in bytes: an appointment of 21 members. */
const ACT_MAX_BYTES = 2_048
/** Upper bound of definition ids. */
const BEYOND_TEXT = Buffer.of(0xff)

function locksPrefix(account: AccountId): Buffer {
  const id = keyBytes(account)
  return Buffer.concat([featureIndexPrefix(GOV_INDEXES.locks), Buffer.of(id.length), id])
}

function termPrefix(term: number): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(term)
  return Buffer.concat([featureIndexPrefix(GOV_INDEXES.council), number])
}
function actKey(term: number, height: number, index: number): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(index)
  return Buffer.concat([termPrefix(term), numberValue(height), number])
}

/** An act, by the number of its event. */
const act_ = struct('GovStoredAct', { atMs: varint, event: varint, value: bytes(ACT_MAX_BYTES) })
type StoredAct = Infer<typeof act_>

/** Events that are acts of a council. */
const ACTS: readonly EventDef<unknown>[] = [events.govCouncilAppointed, events.govCouncilVoted] as EventDef<unknown>[]

const termOf = (one: DataEvent): number | undefined => {
  const isAct = isEvent(one, events.govCouncilAppointed) || isEvent(one, events.govCouncilVoted)
  return isAct ? one.value.term : undefined
}

export const govIndexes: IndexRun = ({ height, timeMs, rows, events: recorded }) => {
  const put: (readonly [Uint8Array, Uint8Array])[] = []
  for (const { key } of changedRows(locks, rows))
    put.push([Buffer.concat([locksPrefix(key.account), Buffer.from(key.definition)]), PRESENT])
  for (const [index, { event: one }] of recorded.entries()) {
    const term = termOf(one)
    const def = term === undefined ? undefined : ACTS.find(({ kind }) => kind === one.kind)
    if (term === undefined || def === undefined) continue
    const act: StoredAct = { atMs: timeMs, event: def.id, value: def.schema.encode(one.value) }
    put.push([actKey(term, height, index), act_.encode(act)])
  }
  return { put, del: [] }
}

/** Definitions in which an account has or had a lock, in order, after a given definition. */
export async function lockedDefinitions(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  account: AccountId,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const prefix = locksPrefix(account)
  const gte = after === undefined ? prefix : Buffer.concat([prefix, Buffer.from(after), Buffer.of(0)])
  const found: string[] = []
  for await (const [key] of indexRange({ gte, lt: Buffer.concat([prefix, BEYOND_TEXT]), limit }))
    found.push(key.toString('utf8', prefix.length))
  return found
}

/** Act of a council with its position. */
export interface FoundAct {
  readonly height: number
  readonly index: number
  readonly atMs: number
  readonly event: DataEvent
}

/** Act of an index row. */
function actOf(prefix: Buffer, key: Buffer, bytes: Buffer): FoundAct {
  const act = act_.decode(bytes)
  const def = act.ok ? ACTS.find(({ id }) => id === act.value.event) : undefined
  const value = act.ok ? def?.schema.decode(act.value.value) : undefined
  if (!act.ok || def === undefined || value?.ok !== true) throw new Error('an act of a council does not decode')
  return {
    height: key.readUIntBE(prefix.length, HEIGHT_BYTES),
    index: key.readUInt32BE(prefix.length + HEIGHT_BYTES),
    atMs: act.value.atMs,
    event: event(def, value.value),
  }
}

const beyondTerm = (prefix: Buffer): Buffer => Buffer.concat([prefix, Buffer.alloc(HEIGHT_BYTES + 5, 0xff)])

/** Last acts of a term before a position, newest first. */
export async function actsOf(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  term: number,
  before: readonly [height: number, index: number] | undefined,
  limit: number,
): Promise<FoundAct[]> {
  const prefix = termPrefix(term)
  const lt = before === undefined ? beyondTerm(prefix) : actKey(term, ...before)
  const found: FoundAct[] = []
  for await (const [key, bytes] of indexRange({ gte: prefix, lt, reverse: true, limit }))
    found.push(actOf(prefix, key, bytes))
  return found
}

/** Earliest act of a term in the index of this node; undefined if it has none. */
export async function firstActOf(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  term: number,
): Promise<FoundAct | undefined> {
  const prefix = termPrefix(term)
  for await (const [key, bytes] of indexRange({ gte: prefix, lt: beyondTerm(prefix), limit: 1 }))
    return actOf(prefix, key, bytes)
  return undefined
}
