import { ListCommand } from '../../../src/cli/command/list-command.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'
import { assetArg } from '../../../src/cli/input/texts.js'

export default class LedgerHolderList extends ListCommand {
  static override description = 'List the holders of an asset with their balances, in the order of their addresses.'
  static override examples = [
    '<%= config.bin %> ledger holder list eur#bank',
    '<%= config.bin %> ledger holder list eur#bank --all --json',
  ]
  static override args = {
    asset: assetArg({ description: 'asset definition name#domain', required: true, ignoreStdin: true }),
  }
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LedgerHolderList)
    const columns = { ACCOUNT: 'account', BALANCE: 'amount' }
    await this.list(flags, ({ assets }) => assets.holders, columns, { params: { id: args.asset } })
  }
}
