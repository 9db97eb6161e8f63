/**
 * Owns the counters of conferences, updated with every block, so that a scrape is cheap. A node that started from a
 * snapshot counts from there, but knows the number of active calls from their rows.
 */

import type { IndexedBlock, IndexRun, QueryRun } from '../../../executor/reads.js'
import { changedRows, featureIndexPrefix, numberValue } from '../../../ledger/indexes.js'
import {
  type DataEvent,
  type Instruction,
  type InstructionDef,
  isEvent,
  isInstruction,
  outcomeNameOf,
} from '../../../model/index.js'
import { rowKey } from '../../../state/index.js'
import { errors as zkErrors } from '../../zk/schema.js'
import { events } from '../schema/events.js'
import { instructions } from '../schema/instructions.js'
import { CONFERENCE_INDEXES, splitConferenceId } from '../schema/records.js'
import { COUNTS_MAX, type ConferenceCount, type CountsView } from '../schema/views.js'
import { calls } from './tables.js'

/** Labels of a counter. */
type Labels = Omit<ConferenceCount, 'total'>

const PREFIX = featureIndexPrefix(CONFERENCE_INDEXES.counts)
/** Upper bound of the keys. */
const BEYOND = Buffer.of(0xff)
const keyOf = ({ what, first, second }: Labels): Buffer =>
  Buffer.concat([PREFIX, Buffer.from([what, first, second].join(' '), 'latin1')])
const numberOf = (bytes: Buffer | undefined): number => bytes?.readUIntBE(0, 6) ?? 0

const KINDS: ReadonlySet<string> = new Set(Object.keys(instructions))

/** Relation of the proof of an instruction; undefined: it has none. */
function relationOf(one: Instruction): string | undefined {
  if (isInstruction(one, instructions.joinConference)) {
    if (one.value.proof === undefined) return undefined
    return one.value.admissionRoot === undefined ? 'openJoin' : 'listedJoin'
  }
  return PROVING.find(([def]) => isInstruction<Provable>(one, def) && one.value.proof !== undefined)?.[1]
}
type Provable = { readonly proof: object | undefined }
const PROVING: readonly (readonly [def: InstructionDef<Provable>, relation: string])[] = [
  [instructions.leaveConference, 'leave'],
  [instructions.recordConferenceUsage, 'usage'],
  [instructions.postConferenceSignal, 'signal'],
]
const OUTCOMES: ReadonlyMap<number | undefined, string> = new Map([
  [zkErrors.proof_length.number, 'length'],
  [zkErrors.proof_refused.number, 'refused'],
])

/** Counters of an instruction by its outcome; `code`: number of its error. */
function* countsOf(one: Instruction, code: number | undefined): Generator<Labels> {
  yield { what: 'instruction', first: one.kind, second: String(code ?? 0) }
  const relation = relationOf(one)
  const outcome = code === undefined ? 'proven' : OUTCOMES.get(code)
  if (relation !== undefined && outcome !== undefined) yield { what: 'proof', first: relation, second: outcome }
}

function* countsOfEvent(event: DataEvent): Generator<Labels> {
  if (isEvent(event, events.conferenceRelayManifestUpdated)) {
    const { call, hopCount } = event.value
    yield { what: 'manifest', first: splitConferenceId(call).domain, second: hopCount === 0 ? 'cleared' : 'set' }
  }
  if (isEvent(event, events.conferenceRelayHealthUpdated)) {
    yield { what: 'report', first: event.value.status, second: '' }
  }
}

/** Counters of the transactions of a block: for a rejected one only the rejected instruction. */
function* countsOfBlock({ entries, results, events: blockEvents }: IndexedBlock): Generator<Labels> {
  for (const [index, { signed }] of entries.entries()) {
    const outcome = results[index]?.outcome
    const made = signed.payload.value.executable.value
    if (outcome !== undefined && outcomeNameOf(outcome) === 'approved') {
      for (const one of made) if (KINDS.has(one.kind)) yield* countsOf(one, undefined)
    }
    if (outcome?.kind !== 'rejected' || outcome.value.instruction === undefined) continue
    const rejected = made[outcome.value.instruction]
    if (rejected !== undefined && KINDS.has(rejected.kind)) yield* countsOf(rejected, outcome.value.code)
  }
  for (const { event } of blockEvents) yield* countsOfEvent(event)
}

const ACTIVE: Labels = { what: 'active', first: '', second: '' }

/** Change of the number of active calls in a block: an ended call is written once more at its end. */
function activeChange({ rows, before }: IndexedBlock): number {
  let change = 0
  for (const { key, value } of changedRows(calls, rows)) {
    const wasThere = before.hasRow(rowKey(calls, key))
    if (value.status === 'active') change += wasThere ? 0 : 1
    else change -= wasThere ? 1 : 0
  }
  return change
}

export const conferenceIndexes: IndexRun = (block) => {
  const changes = new Map<string, { readonly labels: Labels; total: number }>()
  const add = (labels: Labels, by: number): void => {
    const key = keyOf(labels).toString('latin1')
    const known = changes.get(key)
    if (known === undefined) changes.set(key, { labels, total: by })
    else known.total += by
  }
  for (const labels of countsOfBlock(block)) add(labels, 1)
  const active = activeChange(block)
  if (active !== 0) add(ACTIVE, active)
  const put = [...changes.values()].map(({ labels, total }): [Uint8Array, Uint8Array] => {
    const key = keyOf(labels)
    return [key, numberValue(numberOf(block.before.indexGet(key)) + total)]
  })
  return { put, del: [] }
}

export const conferenceCountsQuery: QueryRun<Record<string, never>, CountsView> = async ({ indexRange, height }) => {
  const counts: ConferenceCount[] = []
  let activeCalls = 0
  for await (const [key, value] of indexRange({
    gte: PREFIX,
    lt: Buffer.concat([PREFIX, BEYOND]),
    limit: COUNTS_MAX,
  })) {
    const [what = '', first = '', second = ''] = key.subarray(PREFIX.length).toString('latin1').split(' ')
    if (what === ACTIVE.what) activeCalls = numberOf(value)
    else counts.push({ what, first, second, total: numberOf(value) })
  }
  return { activeCalls, counts, height }
}
