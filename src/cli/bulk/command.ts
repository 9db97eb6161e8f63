/** Owns the shared base of `tx submit --bulk` and `tx send --bulk`: flags, submission, output. */
import { Flags } from '@oclif/core'
import { shortId } from '../../base/ids.js'
import { BaseCommand } from '../command/base-command.js'
import type { withStreams } from '../gateway/gateway.js'
import type { WaitMode } from '../input/wait-mode.js'
import type { SettingFlags } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'
import { table } from '../terminal/output.js'
import type { BulkReport, Signed } from './bulk.js'
import type { BulkItem } from './source.js'

/** Maximum pending transactions: beyond it a node would only queue them. */
const WINDOW_MAX = 16_384
const WINDOW_DEFAULT = 256
const RATE_MAX = 1_000_000
/** Maximum failures listed in a text summary. */
const LISTED_MAX = 20

/** Flags of a bulk submission. */
export const bulkFlags = {
  bulk: Flags.boolean({ description: 'send many transactions: one line of JSON each, or concatenated codec frames' }),
  rate: Flags.integer({
    description: 'with --bulk: maximum transactions per second',
    min: 1,
    max: RATE_MAX,
    dependsOn: ['bulk'],
  }),
  window: Flags.integer({
    description: `with --bulk: maximum transactions in progress (default ${WINDOW_DEFAULT})`,
    min: 1,
    max: WINDOW_MAX,
    dependsOn: ['bulk'],
  }),
}

/** Exit codes of bulk commands. */
export const BULK_EXITS = `With --bulk the file contains many transactions; one that fails does not stop the others. The summary counts all and lists failed ones
(--json: every one). The exit code is that of the worst outcome: 5 if the node was lost, then 9, 8, 6, 4; 0 if all are
committed. Ctrl-C stops sending, waits for the transactions in progress and prints the summary (exit 130); a second one exits at once.`

type Client = Parameters<Parameters<typeof withStreams>[1]>[0]

/** Base class of commands that submit one transaction, or many. */
export abstract class BulkCommand extends BaseCommand {
  /** Submit the items of a file; `sign` makes a transaction of each. */
  protected async submitMany(
    path: string,
    flags: SettingFlags & {
      readonly wait: WaitMode
      readonly 'dry-run': boolean
      readonly rate?: number | undefined
      readonly window?: number | undefined
    },
    signer: (client: Client) => Promise<(item: BulkItem) => Promise<Signed>>,
  ): Promise<void> {
    if (flags['dry-run']) throw usageError('--dry-run is for one transaction and --bulk for many: use only one of them')
    const settings = await this.settings(flags)
    const { submitBulk } = await import('./bulk.js')
    const { bulkItems } = await import('./source.js')
    const { ByteSource } = await import('../input/byte-source.js')
    const { withStreams: through } = await import('../gateway/gateway.js')
    const { interruptible, untilInterrupted } = await import('../terminal/interrupt.js')
    const source = await ByteSource.open(path)
    try {
      const report = await through(settings, async (client) => {
        const sign = await signer(client)
        return interruptible((signal) =>
          this.withBar('submitting', 'transactions', (onProgress) =>
            submitBulk(client, untilInterrupted(bulkItems(source), source, signal), {
              wait: flags.wait,
              prove: client.isPinned,
              rate: flags.rate,
              window: flags.window ?? WINDOW_DEFAULT,
              timeoutMs: settings.timeoutMs,
              sign,
              onProgress,
              signal,
              expected: (taken) =>
                source.total === undefined ? undefined : Math.round((taken * source.total) / Math.max(1, source.taken)),
            }),
          ),
        )
      })
      this.summarize(report)
    } finally {
      source.close()
    }
  }

  private summarize({ transactions, counts, failures, stopped, elapsedMs, exit }: BulkReport): void {
    const perSecond = Math.round((transactions * 1_000) / Math.max(1, elapsedMs))
    const view = {
      transactions,
      counts,
      elapsed_ms: Math.round(elapsedMs),
      per_second: perSecond,
      stopped: stopped ?? null,
      exit,
      failures: failures.map(({ place, hash, error, exit: code }) => ({
        place,
        hash: hash ?? null,
        error,
        exit: code,
      })),
    }
    const lines = [
      `${transactions} transactions in ${(elapsedMs / 1_000).toFixed(1)} s, ${perSecond} a second`,
      ...Object.entries(counts).map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`),
    ]
    const listed = failures
      .slice(0, LISTED_MAX)
      .map(({ place, hash, error }) => [
        place,
        hash === undefined ? '-' : shortId(hash),
        error.code,
        error.message.slice(0, 100),
      ])
    if (listed.length > 0) lines.push('', table(['WHERE', 'HASH', 'RESULT', 'WHY'], listed))
    if (failures.length > LISTED_MAX) lines.push(`and ${failures.length - LISTED_MAX} more; --json lists all`)
    if (stopped !== undefined) lines.push('', `The remaining transactions were not sent: ${stopped}`)
    this.out.result(view, lines.join('\n'))
    this.exitWith(exit)
  }
}
