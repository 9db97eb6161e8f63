/** Owns the rows of a block except running balances; pure. */
import { type CodecContext, formatNumeric, isJsonObject, type Json, toHex } from '../codec/index.js'
import { isJsonList } from '../codec/schema.js'
import { type Committee, setPositions } from '../consensus/index.js'
import type { EventItem } from '../events/event-item.js'
import { type BalanceChange, changesOf } from '../features/explorer/schema/changes.js'
import { type DecidedPayment, decidedPayments, partsOf } from '../features/iso20022/schema/claimed.js'
import {
  type AccountId,
  type BlockBody,
  type BlockEntry,
  type BlockOutcome,
  type CommittedBlock,
  type EntryResult,
  eventsOfEntry,
  executable,
  formatAddress,
  hashOfHeader,
  metadata,
  outcomeNameOf,
  rejectionOf,
  validatorKey,
} from '../model/index.js'
import type { Row } from './tables.js'
import * as tables from './tables.js'

/** Decoded verified block. */
export interface DecodedBlock {
  readonly block: CommittedBlock
  readonly outcome: BlockOutcome
  /** Absent for genesis. */
  readonly body: BlockBody | undefined
  /** Committee of its height; absent for genesis. */
  readonly committee: Committee | undefined
  readonly events: readonly EventItem[]
}

/** Names used in rows. */
export interface Naming {
  readonly codec: CodecContext
  /** Name of an error number. */
  readonly errorName: (code: number) => string | undefined
}

/** Replacement of the character NUL, which PostgreSQL does not accept in texts. */
const NUL_SHOWN = '\u2400'

/** Text in a form accepted by databases. */
export const plainText = (text: string): string => text.replaceAll('\0', NUL_SHOWN)

const withoutNul = (json: Json): Json => {
  if (typeof json === 'string') return plainText(json)
  if (isJsonList(json)) return json.map(withoutNul)
  if (!isJsonObject(json)) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [plainText(name), withoutNul(value)]))
}

/** JSON in a form accepted by databases. */
export function jsonText(json: Json): string {
  const text = JSON.stringify(json)
  return text.includes('\\u0000') ? JSON.stringify(withoutNul(json)) : text
}

export const timeText = (ms: number): string => new Date(ms).toISOString()
export const addressText = (account: AccountId, { codec }: Naming): string =>
  formatAddress(account, codec.addressPrefix)

/** Single member of a JSON object, the form of variants. */
const variant = (json: Json): readonly [kind: string, body: Json] =>
  isJsonObject(json) ? (Object.entries(json)[0] ?? ['', null]) : [String(json), null]

/** Add the rows of one block to its batch. */
export type AddRow = (table: tables.Table, row: Row) => void

/** A transaction of a block with its result. */
interface Entry {
  readonly entry: BlockEntry
  readonly result: EntryResult
  readonly position: number
  readonly height: number
  readonly timeMs: number
  readonly errorCode: string | null
}

function entryRows(one: Entry, text: string | null, naming: Naming, add: AddRow): void {
  const { entry, result, position, height, timeMs, errorCode } = one
  const { codec } = naming
  const payload = entry.transaction.value.payload.value
  const hash = toHex(result.transactionId)
  const { kind } = payload.executable
  const run: readonly Json[] =
    kind === 'instructions'
      ? (Object.values(
          executable.toJson(payload.executable, codec) as { readonly [kind: string]: readonly Json[] },
        )[0] ?? [])
      : [executable.toJson(payload.executable, codec)]
  add(tables.transactions, [
    hash,
    height,
    position,
    timeText(timeMs),
    addressText(payload.authority, naming),
    entry.lane,
    entry.dataspace.toString(),
    outcomeNameOf(result.outcome),
    errorCode,
    text === null ? null : plainText(text),
    result.teu,
    run.length,
    timeText(payload.createdAtMs),
    jsonText(metadata.toJson(payload.metadata, codec)),
  ])
  for (const [at, json] of run.entries()) {
    const [name, body] = variant(json)
    add(tables.instructions, [hash, at, height, name, jsonText(body)])
  }
}

/** Rows of the payments decided by a block, without claims that their submitter had not allowed. */
function paymentRows(
  entries: readonly Entry[],
  { events }: Pick<BlockOutcome, 'events'>,
  naming: Naming,
  add: AddRow,
): void {
  let debits: ReadonlyMap<number, Debits> | undefined
  for (const one of entries) {
    const { entry, result, position } = one
    const payload = entry.transaction.value.payload.value
    // Only a transaction of several payments has an event for each.
    const isShared = partsOf(payload.executable.value).length > 0
    const entryEvents = isShared ? eventsOfEntry(events, position) : []
    const decided = { payload, outcome: result.outcome, events: entryEvents }
    for (const [number, payment] of decidedPayments(decided, naming.errorName).entries()) {
      debits ??= debitsOf(events)
      const movement = payment.code === undefined ? debits.get(position)?.take(payment) : undefined
      add(tables.isoStatuses, paymentRow(one, number, payment, movement, naming))
    }
  }
}

/** Transfers of one entry; each belongs to at most one payment. */
class Debits {
  private readonly changes: (readonly [number: number, change: BalanceChange])[] = []

  add(number: number, change: BalanceChange): void {
    this.changes.push([number, change])
  }

  /** Number of the movement of a payment. */
  take(payment: DecidedPayment): number | undefined {
    const at = this.changes.findIndex(([, change]) => isOf(change, payment))
    const [found] = at < 0 ? [] : this.changes.splice(at, 1)
    return found?.[0]
  }
}

/** Transfers of a block, by the index of their entry. */
function debitsOf(events: BlockOutcome['events']): ReadonlyMap<number, Debits> {
  const found = new Map<number, Debits>()
  for (const [number, change] of changesOf(events).entries()) {
    if (change.kind !== 'transfer' || change.side !== 'debit') continue
    const own = found.get(change.entry) ?? new Debits()
    own.add(number, change)
    found.set(change.entry, own)
  }
  return found
}

/** True if a debit belongs to a payment: the only payment of a transaction is its first transfer between the two accounts. */
function isOf({ payment, account, counterparty, definition, amount }: BalanceChange, of: DecidedPayment): boolean {
  if (payment !== undefined) {
    const { submitter, family, messageId, place } = payment
    return place === of.place && messageId === of.messageId && family === of.family && submitter === of.submitter
  }
  const isBetween = account === of.source && counterparty === of.target && definition === of.definition
  return isBetween && formatNumeric(amount) === formatNumeric(of.amount)
}

function paymentRow(
  { result, position, height, timeMs }: Entry,
  number: number,
  payment: DecidedPayment,
  movement: number | undefined,
  naming: Naming,
): Row {
  const { submitter, family, messageId, payments, place, details, source, target, definition, amount, code } = payment
  return [
    height,
    position,
    number,
    timeText(timeMs),
    addressText(submitter, naming),
    family,
    messageId,
    payments,
    place,
    toHex(result.transactionId),
    code === undefined ? 'ACSC' : 'RJCT',
    code ?? null,
    details.currency,
    details.settlementDate,
    details.endToEndId === undefined ? null : plainText(details.endToEndId),
    details.uetr === undefined ? null : plainText(details.uetr),
    addressText(source, naming),
    addressText(target, naming),
    definition,
    formatNumeric(amount),
    movement ?? null,
  ]
}

function eventRows(events: readonly EventItem[], add: AddRow): void {
  for (const { record, position, traits, text } of events) {
    if (position === undefined) continue
    const [, entryEvents] = variant((JSON.parse(text) as { readonly event: Json }).event)
    const [, body] =
      traits.category === 'data' && isJsonObject(entryEvents) ? variant(entryEvents.event ?? null) : ['', entryEvents]
    add(tables.events, [
      position.height,
      position.index,
      timeText(record.timeMs),
      traits.category,
      traits.subject ?? null,
      traits.kind,
      traits.transaction ?? null,
      jsonText(body),
    ])
  }
}

function laneRows(entries: readonly Entry[], height: number, add: AddRow): void {
  const carried = new Map<number, { transactions: number; rejected: number; teu: number }>()
  for (const { entry, result } of entries) {
    const lane = carried.get(entry.lane) ?? { transactions: 0, rejected: 0, teu: 0 }
    lane.transactions += 1
    lane.rejected += rejectionOf(result.outcome) === undefined ? 0 : 1
    lane.teu += result.teu
    carried.set(entry.lane, lane)
  }
  for (const [lane, { transactions, rejected, teu }] of carried)
    add(tables.lanes, [height, lane, transactions, rejected, teu])
}

const keyText = (key: string): string => String(validatorKey.toJson(key))

/** Rows of a block that depend only on the block. */
export function ledgerRows(
  { block, outcome, body, committee, events }: DecodedBlock,
  naming: Naming,
  add: AddRow,
): void {
  const { header, certificate } = block
  const { height, timeMs } = header
  const texts = new Map(outcome.texts.map(({ entry, text }) => [entry, text]))
  const entries = (body?.entries ?? []).map((entry, position): Entry => {
    const result = outcome.results[position]
    if (result === undefined) throw new Error(`block ${height} has no result of transaction ${position}`)
    const rejection = rejectionOf(result.outcome)
    const errorCode = rejection === undefined ? null : (naming.errorName(rejection.code) ?? String(rejection.code))
    return { entry, result, position, height, timeMs, errorCode }
  })
  add(tables.blocks, [
    height,
    toHex(hashOfHeader(header)),
    toHex(header.parentHash),
    timeText(timeMs),
    certificate?.view ?? null,
    keyText(header.originProposer),
    entries.length,
    entries.filter(({ result }) => rejectionOf(result.outcome) !== undefined).length,
    header.payloadBytes,
    toHex(header.stateRoot),
    toHex(header.transactionsRoot),
    toHex(header.resultsRoot),
  ])
  for (const entry of entries) entryRows(entry, texts.get(entry.position) ?? null, naming, add)
  paymentRows(entries, outcome, naming, add)
  eventRows(events, add)
  laneRows(entries, height, add)
  const signed = new Set(certificate === undefined ? [] : setPositions(certificate.bitmap))
  for (const [position, key] of (committee?.keys ?? []).entries()) {
    add(tables.votes, [height, keyText(key), position, signed.has(position), key === header.originProposer])
  }
}
