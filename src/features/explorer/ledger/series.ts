/**
 * Owns the read index of block metrics over time, by minute, hour and day. Each block updates one row of each unit,
 * whatever its number of transactions. Rows are in rings, so that old rows are overwritten instead of deleted.
 */
import type { IndexedBlock, QueryContext, QueryRun } from '../../../executor/reads.js'
import { SERIES_SPACE } from '../../../ledger/indexes.js'
import { GENESIS_HEIGHT, rejectionOf } from '../../../model/index.js'
import type { IndexChanges } from '../../../state/index.js'
import type { Series, SeriesMetric, SeriesQuery } from '../schema/series.js'

/** Time unit with its ring. Append only: numbers and slots are on disk. */
interface Unit {
  readonly id: number
  readonly ms: number
  /** Number of stored rows: the longest plot in this unit. */
  readonly kept: number
}
const MINUTES: Unit = { id: 0, ms: 60_000, kept: 48 * 60 }
const HOURS: Unit = { id: 1, ms: 3_600_000, kept: 400 * 24 }
/** Ring of one hundred years. */
const DAYS: Unit = { id: 2, ms: 86_400_000, kept: 36_500 }
const UNITS = [MINUTES, HOURS, DAYS] as const

/** Metrics of the blocks of one minute, hour or day. */
export interface Row extends Readonly<Record<SeriesMetric, number>> {
  /** Index of the minute, hour or day since the Unix epoch. */
  readonly bucket: number
  /** Time of its first block. */
  readonly firstMs: number
}

/** Fields in disk order, six bytes each. */
const FIELDS = ['bucket', 'firstMs', 'blocks', 'transactions', 'rejected', 'teu', 'bytes'] as const
const FIELD_BYTES = 6
const FIELD_MAX = 2 ** (8 * FIELD_BYTES) - 1

function encode(row: Row): Buffer {
  const bytes = Buffer.alloc(FIELD_BYTES * FIELDS.length)
  for (const [at, field] of FIELDS.entries()) {
    bytes.writeUIntBE(Math.min(row[field], FIELD_MAX), at * FIELD_BYTES, FIELD_BYTES)
  }
  return bytes
}

function decode(bytes: Buffer): Row {
  const number = (at: number): number => bytes.readUIntBE(at * FIELD_BYTES, FIELD_BYTES)
  return {
    bucket: number(0),
    firstMs: number(1),
    blocks: number(2),
    transactions: number(3),
    rejected: number(4),
    teu: number(5),
    bytes: number(6),
  }
}

/** Key of a slot in the ring of a unit. */
function placeKey({ id }: Unit, place: number): Buffer {
  const key = Buffer.alloc(6)
  key.writeUInt8(SERIES_SPACE, 0)
  key.writeUInt8(id, 1)
  key.writeUInt32BE(place, 2)
  return key
}

const bucketOf = (unit: Unit, timeMs: number): number => Math.floor(timeMs / unit.ms)

/** Units of all runs of a block, and the number of rejected transactions. */
function sumsOf(results: IndexedBlock['results'], transactions: number): Pick<Row, 'rejected' | 'teu'> {
  let [rejected, teu] = [0, 0]
  for (let at = 0; at < results.length; at += 1) {
    const result = results[at]!
    teu += result.teu
    // Trigger runs follow the transactions.
    if (at < transactions && rejectionOf(result.outcome) !== undefined) rejected += 1
  }
  return { rejected, teu }
}

/** The three rows after a block. */
export function seriesEntries(block: IndexedBlock): Required<IndexChanges>['put'] {
  const { height, timeMs, payloadBytes, entries, results, before } = block
  // Genesis had no votes, and rows of a snapshot belong to blocks that were counted elsewhere.
  if (height === GENESIS_HEIGHT || timeMs === 0) return []
  const { rejected, teu } = sumsOf(results, entries.length)
  return UNITS.map((unit) => {
    const bucket = bucketOf(unit, timeMs)
    const key = placeKey(unit, bucket % unit.kept)
    const there = before.indexGet(key)
    const found = there === undefined ? undefined : decode(there)
    const row = found?.bucket === bucket ? found : undefined
    const next: Row = {
      bucket,
      firstMs: row?.firstMs ?? timeMs,
      blocks: (row?.blocks ?? 0) + 1,
      transactions: (row?.transactions ?? 0) + entries.length,
      rejected: (row?.rejected ?? 0) + rejected,
      teu: (row?.teu ?? 0) + teu,
      bytes: (row?.bytes ?? 0) + payloadBytes,
    }
    return [key, encode(next)] as const
  })
}

/** Rows of a unit between two buckets, both inclusive, in slot order; at most the size of the ring. */
async function* rowsBetween(ctx: QueryContext, unit: Unit, from: number, to: number): AsyncGenerator<Row> {
  const [first, last] = [from % unit.kept, to % unit.kept]
  // A range past the end of the ring continues at its beginning.
  const spans = first <= last ? [[first, last]] : [[first, unit.kept - 1], [0, last]] // biome-ignore format: two spans of places
  for (const [begin, end] of spans as [number, number][]) {
    const range = { gte: placeKey(unit, begin), lt: placeKey(unit, end + 1), limit: unit.kept }
    for await (const [, bytes] of ctx.indexRange(range)) {
      const row = decode(bytes)
      if (row.bucket >= from && row.bucket <= to) yield row
    }
  }
}

/** Time of the first counted block. The slots of days are in time order for a hundred years. */
async function sinceOf(ctx: QueryContext): Promise<number | undefined> {
  const range = { gte: placeKey(DAYS, 0), lt: placeKey(DAYS, DAYS.kept), limit: 1 }
  for await (const [, bytes] of ctx.indexRange(range)) return decode(bytes).firstMs
  return undefined
}

/** Finest unit whose ring covers the time. */
const unitFor = (fromMs: number, toMs: number, headMs: number): Unit =>
  UNITS.find(({ ms, kept }) => toMs - fromMs < (kept - 1) * ms && fromMs > headMs - (kept - 1) * ms) ?? DAYS

export const seriesQuery: QueryRun<SeriesQuery, Series> = async (ctx, { metric, fromMs, toMs, points }) => {
  const { height } = ctx
  const sinceMs = await sinceOf(ctx)
  const empty = { metric, stepMs: MINUTES.ms, sinceMs, points: [], height }
  const header = await ctx.header(height)
  if (sinceMs === undefined || header === undefined || toMs <= Math.max(fromMs, sinceMs)) return empty
  const beginMs = Math.max(fromMs, sinceMs)
  const unit = unitFor(beginMs, toMs, header.timeMs)
  const last = bucketOf(unit, toMs - 1)
  // A range longer than the ring of days exceeds any chain.
  const first = Math.max(bucketOf(unit, beginMs), last - unit.kept + 1)
  const together = Math.ceil((last - first + 1) / points)
  const values = new Array<number>(Math.ceil((last - first + 1) / together)).fill(0)
  for await (const row of rowsBetween(ctx, unit, first, last)) {
    const at = Math.floor((row.bucket - first) / together)
    values[at] = (values[at] ?? 0) + row[metric]
  }
  const stepMs = together * unit.ms
  return {
    ...empty,
    stepMs,
    points: values.map((value, at) => ({ timeMs: first * unit.ms + at * stepMs, value })),
  }
}
