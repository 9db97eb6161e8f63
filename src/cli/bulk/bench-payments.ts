/**
 * Owns load on a running network: payments at a steady rate independent of the network (open loop), each followed to
 * its block through the event stream. A late payment does not delay the following ones.
 */
import type { CausewayClient } from '../../client/index.js'
import { instructions as assets } from '../../features/assets/schema/instructions.js'
import { anyInstruction, readInstruction } from '../../model/index.js'
import type { Settings } from '../settings/settings.js'
import type { Progressed } from '../terminal/meter.js'
import { dryRunError, dryRunOf } from '../transaction/dry-run.js'
import { Names } from '../transaction/resolve.js'
import type { Review } from '../transaction/review.js'
import { type BulkReport, submitBulk } from './bulk.js'
import { type Bucket, histogramOf, type Latencies, latenciesOf } from './latencies.js'
import { signerOf } from './sign.js'
import type { BulkItem } from './source.js'

/** Maximum pending payments; more would measure the queue instead of the network. */
const UNDER_WAY_MAX = 16_384
const NO_BYTES = Buffer.alloc(0)

/** Amount, rate and duration of a load. */
export interface PaymentLoad {
  /** Address or alias of the payee. */
  readonly to: string
  readonly asset: string
  /** Canonical text of each amount. */
  readonly amount: string
  /** Payments per second. */
  readonly rate: number
  readonly durationMs: number
}

/** Result of a load. */
export interface LoadReport {
  readonly planned: number
  readonly submitted: number
  readonly committed: number
  /** Committed payments found by a later look-up; without a commit time they are excluded from the latencies. */
  readonly unmeasured: number
  /** Number of payments refused by the node or the ledger. */
  readonly rejected: number
  /** Number of payments without a response, or not in a block in time. */
  readonly unanswered: number
  /** Measured payments per second, from the first submission to the last commit. */
  readonly perSecond: number
  readonly elapsedMs: number
  /**
   * Latencies from the due time of a payment to its commit, in ms, measured by this process; undefined if nothing was
   * measured.
   */
  readonly latencies: Latencies | undefined
  readonly histogram: readonly Bucket[]
  readonly counts: BulkReport['counts']
  readonly stopped: string | undefined
  readonly exit: number
}

/** Dependencies of a load on its command. */
export interface LoadRun {
  readonly onProgress: (now: Progressed) => void
  readonly signal: AbortSignal
  /** Show the content to be signed. */
  readonly ask: (review: Review) => Promise<void>
}

/** Send payments until the time is over or the signal is aborted, then wait for the pending ones. */
export async function payAtRate(
  client: CausewayClient,
  settings: Settings,
  load: PaymentLoad,
  { onProgress, signal, ask }: LoadRun,
): Promise<LoadReport> {
  const { address, codec, draft, sign, review } = await signerOf(client, settings)
  const names = new Names(client, settings)
  const to = await names.account(load.to)
  const asset = { definition: await names.asset(load.asset), account: address }
  const transfer = names.asserted([readInstruction(assets.transfer, { asset, to, amount: load.amount }, codec)])
  const planned = plannedPayments(load)
  // A rejection by the ledger is reported once, not for each payment.
  const { payload } = await draft(transfer)
  const rejected = dryRunError(await dryRunOf(client, payload, codec))
  if (rejected !== undefined) throw rejected
  await ask({
    ...review(`Payments: ${planned} times ${load.amount} ${load.asset} to ${load.to}.`),
    instructions: transfer.map((one) => anyInstruction.toJson(one, codec)),
    aliases: names.resolved,
    cautions: names.cautions,
  })
  const timesMs: number[] = []
  let unmeasured = 0
  const startedMs = performance.now()
  let lastMs = startedMs
  const report = await submitBulk(client, payments(planned, startedMs + load.durationMs), {
    wait: 'committed',
    prove: false,
    rate: load.rate,
    window: UNDER_WAY_MAX,
    timeoutMs: settings.timeoutMs,
    sign: async () => {
      const signed = await sign(transfer)
      return { ...signed, hash: signed.id.toString('hex') }
    },
    onProgress,
    onCommitted: (latencyMs) => {
      if (latencyMs === undefined) return void unmeasured++
      timesMs.push(latencyMs)
      lastMs = performance.now()
    },
    signal,
    expected: () => planned,
  })
  const { transactions, counts, stopped, elapsedMs, exit } = report
  const unanswered = (counts.pending ?? 0) + (counts.unreachable ?? 0)
  return {
    planned,
    submitted: transactions,
    committed: timesMs.length + unmeasured,
    unmeasured,
    rejected: report.failures.length - unanswered,
    unanswered,
    perSecond: (timesMs.length * 1_000) / Math.max(1, lastMs - startedMs),
    elapsedMs,
    latencies: latenciesOf(timesMs),
    histogram: histogramOf(timesMs),
    counts,
    stopped,
    exit,
  }
}

/** Payments of a load. */
export const plannedPayments = ({ rate, durationMs }: PaymentLoad): number =>
  Math.max(1, Math.round((rate * durationMs) / 1_000))

/** Planned payments up to the end of the time, so that a sender that falls behind does not run longer. */
async function* payments(planned: number, endMs: number): AsyncGenerator<BulkItem, void> {
  for (let number = 1; number <= planned && performance.now() < endMs; number += 1) {
    yield { place: `payment ${number}`, bytes: NO_BYTES }
  }
}
