/** Owns the tables with the results of runs. */
import type { ScaleResult } from './run.js'
import type { Variant } from './variants.js'

/** A completed run. */
export type ScaleRow = Variant & { readonly result: ScaleResult }

interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Results of runs: their environment, their figures, the phases of a block, and the utilisation. */
export interface ScaleReport {
  readonly head: readonly (readonly [string, string])[]
  readonly figures: Table
  readonly load: Table
}

const whole = (value: number): string => value.toFixed(0)
const tenths = (value: number): string => value.toFixed(1)
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(0)

type Column = readonly [head: string, cell: (row: ScaleRow) => string]

const NAMES: readonly Column[] = [
  ['VALIDATORS', ({ result }) => String(result.validators)],
  ['VARIANT', ({ variant }) => variant],
]
const FIGURES: readonly Column[] = [
  ...NAMES,
  ['P50 MS', ({ result }) => whole(result.finalityP50Ms)],
  ['P99 MS', ({ result }) => whole(result.finalityP99Ms)],
  ['BLOCKS/S', ({ result }) => tenths(result.blocksPerSecond)],
  ['TX/S', ({ result }) => whole(result.transactionsPerSecond)],
  ['MESSAGES', ({ result }) => whole(result.messagesPerBlock.consensus + result.messagesPerBlock.payload)],
  ['KB', ({ result }) => kilobytes(result.bytesPerBlock.consensus + result.bytesPerBlock.payload)],
  ['GOSSIP KB', ({ result }) => kilobytes(result.bytesPerBlock.gossip)],
  ['PROPOSER KB', ({ result }) => kilobytes(result.proposerBytesUp)],
  ['BUSY', ({ result }) => percent(result.proposerBusyShare)],
  ['VIEWS LOST', ({ result }) => String(result.viewsLost)],
  ['OPEN', ({ result }) => String(result.unfinished)],
]
const LOAD: readonly Column[] = [
  ...NAMES,
  ['PROPOSE MS', ({ result }) => whole(result.phasesMs.propose)],
  ['PAYLOAD', ({ result }) => whole(result.phasesMs.payload)],
  ['EXECUTE', ({ result }) => whole(result.phasesMs.execute)],
  ['PREPARE', ({ result }) => whole(result.phasesMs.prepare)],
  ['COMMIT', ({ result }) => whole(result.phasesMs.commit)],
  ['APPLY', ({ result }) => whole(result.phasesMs.apply)],
  ['MAIN', ({ result }) => percent(result.busy.main.max)],
  ['CRYPTO', ({ result }) => percent(result.busy.crypto.max)],
  ['LEDGER', ({ result }) => percent(result.busy.ledger.max)],
  ['UPLINK', ({ result }) => percent(result.busy.uplink.max)],
]

const tableOf = (columns: readonly Column[], rows: readonly ScaleRow[]): Table => ({
  head: columns.map(([head]) => head),
  rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
})

/** Tables of runs that differ only in their number of validators and their variant. */
export function reportOf(rows: readonly ScaleRow[]): ScaleReport {
  const roundTrips = rows.map(({ result }) => whole(result.medianRoundTripMs))
  const [first] = rows
  const head: [string, string][] =
    first === undefined
      ? []
      : [
          ['latency', `${first.scenario.latency}, median round trip ${[...new Set(roundTrips)].join(', ')} ms`],
          ['load', `${first.scenario.rate} transactions/s of ${first.scenario.transactionBytes} bytes`],
        ]
  return { head, figures: tableOf(FIGURES, rows), load: tableOf(LOAD, rows) }
}
