import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag, assetArg } from '../../src/cli/input/texts.js'
import { positiveAmountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'

export default class AssetMint extends LedgerCommand {
  static override description = 'Mint an amount into an account, as the owner of the definition or a holder of CanMint.'
  static override examples = [
    '<%= config.bin %> asset mint usd#bank --amount 100 --to alice@bank --key-file admin.json',
  ]
  static override args = {
    asset: assetArg({ description: 'asset definition name#domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    amount: Flags.string({ description: 'amount, for example 12.50', required: true }),
    to: accountFlag({ description: 'account (default: that of the key)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AssetMint)
    const amount = positiveAmountText(flags.amount)
    await this.send(flags, async ({ account, asset, read }) => [
      read(assets.mint, { asset: { definition: await asset(args.asset), account: await account(flags.to) }, amount }),
    ])
  }
}
