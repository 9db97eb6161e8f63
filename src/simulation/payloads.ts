/**
 * Owns the payload model of the simulator, in which records are numbers and a compact form contains the numbers of its
 * transactions.
 */
import type { AnswerOf, EffectOf, PayloadBreakdown, PlacedRecord } from '../consensus/index.js'
import { simulatedBody } from './chain-rules.js'
import type { LaneEntry } from './lanes.js'

/** Length of a modelled record. */
const RECORD_BYTES = 4

function recordOf(transaction: number): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES)
  bytes.writeUInt32BE(transaction)
  return bytes
}

/** Shares of lanes and dataspaces in a block: two dataspaces. */
export const sharesOf = (entries: readonly LaneEntry[]): PayloadBreakdown[] =>
  entries.map(({ transaction, lane }) => ({
    lane,
    dataspace: BigInt(transaction % 2),
    transactions: 1,
    payloadBytes: RECORD_BYTES,
    teu: 1,
  }))

/** Rebuild a payload from known transactions and valid received records. */
export function rebuilt(
  { job, compact, records }: EffectOf<'rebuild'>,
  known: ReadonlySet<number>,
): AnswerOf<'rebuilt'> {
  const decoded = simulatedBody.decode(compact)
  const sent = new Map(records.map((one) => [one.place, Buffer.from(one.bytes)]))
  const missing = decoded.ok
    ? decoded.value.transactions.flatMap((one, place) =>
        known.has(one) || sent.get(place)?.equals(recordOf(one)) === true ? [] : [place],
      )
    : []
  const body = decoded.ok && missing.length === 0 ? Buffer.from(compact) : undefined
  return { type: 'rebuilt', job, body, missing }
}

/** Requested records of a payload. */
export function recordsAt(effect: EffectOf<'serveRecords'>): PlacedRecord[] {
  const decoded = simulatedBody.decode(effect.body)
  if (!decoded.ok) return []
  const { transactions } = decoded.value
  return effect.places.flatMap((place) => {
    const one = transactions[place]
    return one === undefined ? [] : [{ place, bytes: recordOf(one) }]
  })
}
