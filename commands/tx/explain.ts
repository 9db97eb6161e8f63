import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class TxExplain extends BaseCommand {
  static override description = `Explain the status of a transaction, and the next step.
For a hash: committed, rejected and by which instruction, still queued and the reason of the delay, expired, or
unknown. For a file: the result of the ledger now. Exits 6 if it is or would be rejected, 8 if it is still queued.`
  static override examples = [
    '<%= config.bin %> tx explain 5f0c...',
    '<%= config.bin %> tx build pay.json --account alice@bank | <%= config.bin %> tx explain -',
  ]
  static override args = {
    transaction: Args.string({
      description: 'hash, or a file with a transaction, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxExplain)
    const settings = await this.settings(flags)
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    if (/^[0-9a-fA-F]{64}$/.test(args.transaction)) {
      const { explainHash } = await import('../../src/cli/transaction/explain.js')
      const view = await withGateway(settings, (client) => explainHash(client, args.transaction.toLowerCase()))
      this.out.result(view, [view.what, ...(view.try === null ? [] : [`Try: ${view.try}`])].join('\n'))
      return this.exitWith(view.exit)
    }
    const { dryRunOf, printDryRun } = await import('../../src/cli/transaction/dry-run.js')
    const { readTransaction } = await import('../../src/cli/transaction/file.js')
    const { payload, codec } = await readTransaction(args.transaction)
    printDryRun(this.out, await withGateway(settings, (client) => dryRunOf(client, payload, codec)))
  }
}
