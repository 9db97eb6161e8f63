import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { hashOf } from '../../src/cli/input/values.js'

export default class TxWait extends BaseCommand {
  static override description = `Wait until a transaction is committed, and print its block.
Exits 6 if the ledger rejected it, 8 if it is not committed within --timeout.`
  static override examples = [
    '<%= config.bin %> tx wait 5f0c... --timeout 10s',
    '<%= config.bin %> tx submit signed.json --wait none | xargs <%= config.bin %> tx wait',
  ]
  static override args = {
    hash: Args.string({ description: 'hash of the transaction', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxWait)
    const hash = hashOf(args.hash)
    const settings = await this.settings(flags)
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const { waited } = await import('../../src/cli/transaction/submit.js')
    const context = { settings, out: this.out, silent: this.silent, wait: 'committed' } as const
    await withGateway(settings, (client) => waited(context, client, hash))
  }
}
