import { Flags } from '@oclif/core'
import type { LoadReport, PaymentLoad } from '../../src/cli/bulk/bench-payments.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { yesFlag } from '../../src/cli/command/flags.js'
import { accountFlag, assetFlag } from '../../src/cli/input/texts.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import type { Review } from '../../src/cli/transaction/review.js'

/** Payments a second, at most: beyond it this process is what is measured. */
const RATE_MAX = 10_000
/** Payments of one run, at most: the time of each is kept in memory. */
const PAYMENTS_MAX = 1_000_000

export default class BenchTx extends BaseCommand {
  static override description =
    `Send payments at a steady rate and measure the time from the due time of a payment to its commit.
It pays real amounts from the account of the key: on a production network use a dedicated account and asset. A dry run
of one payment comes first. The rate does not depend on the network (open loop); payments in progress at the end are followed to
their block. Exits 6 if a payment was rejected, 8 if one was not committed in time, 5 if the node was lost. Ctrl-C stops sending,
follows payments in progress and prints the summary (exit 130); a second one exits at once.`
  static override examples = [
    '<%= config.bin %> bench tx --to bob@bank --asset eur#bank --amount 0.01 --rate 100 --duration 10s --key-file alice.json',
    '<%= config.bin %> bench tx --to bob@bank --asset eur#bank --rate 20 --duration 1m --key-file alice.json --json',
  ]
  static override flags = {
    to: accountFlag({ description: 'receiving account', required: true }),
    asset: assetFlag({ description: 'asset definition name#domain', required: true }),
    amount: Flags.string({ description: 'amount of each payment', default: '0.01' }),
    rate: Flags.integer({ description: 'payments a second', default: 10, min: 1, max: RATE_MAX }),
    duration: Flags.string({ description: 'duration of the run', default: '10s', helpValue: 'DURATION' }),
    ...yesFlag,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchTx)
    const { positiveAmountText } = await import('../../src/cli/input/values.js')
    const { parseDuration } = await import('../../src/cli/input/duration.js')
    const { payAtRate, plannedPayments } = await import('../../src/cli/bulk/bench-payments.js')
    const load: PaymentLoad = {
      to: flags.to,
      asset: flags.asset,
      amount: positiveAmountText(flags.amount),
      rate: flags.rate,
      durationMs: parseDuration(flags.duration, '--duration'),
    }
    const planned = plannedPayments(load)
    if (planned > PAYMENTS_MAX) throw usageError(`${planned} payments exceed the limit of ${PAYMENTS_MAX} in one run`)
    const settings = await this.settings(flags)
    const { withStreams } = await import('../../src/cli/gateway/gateway.js')
    const { reviewed } = await import('../../src/cli/transaction/review.js')
    const { interruptible } = await import('../../src/cli/terminal/interrupt.js')
    const ask = (review: Review) => reviewed(this.out, review, flags, settings)
    const report = await withStreams(settings, (client) => {
      return interruptible((signal) =>
        this.withBar('paying', 'transactions', (onProgress) =>
          payAtRate(client, settings, load, { onProgress, signal, ask }),
        ),
      )
    })
    const { summaryText } = await import('../../src/cli/bulk/bench-summary.js')
    this.out.result(viewOf(load, report), summaryText(report))
    if (report.submitted < report.planned && report.stopped === undefined) {
      this.out.note(`${report.planned - report.submitted} were not sent: this machine is too slow for the rate.`)
    }
    this.exitWith(report.exit)
  }
}

const viewOf = (load: PaymentLoad, report: LoadReport) => ({
  rate: load.rate,
  duration_ms: load.durationMs,
  planned: report.planned,
  submitted: report.submitted,
  committed: report.committed,
  unmeasured: report.unmeasured,
  rejected: report.rejected,
  unanswered: report.unanswered,
  counts: report.counts,
  per_second: Math.round(report.perSecond * 10) / 10,
  elapsed_ms: Math.round(report.elapsedMs),
  latency_ms: report.latencies ?? null,
  histogram: report.histogram.map(({ upToMs, count }) => ({ up_to_ms: upToMs, count })),
  stopped: report.stopped ?? null,
  exit: report.exit,
})
