import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag, assetArg } from '../../src/cli/input/texts.js'
import { positiveAmountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'

export default class AssetBurn extends LedgerCommand {
  static override description = 'Burn an amount from an account, by default that of the signing key.'
  static override examples = [
    '<%= config.bin %> asset burn usd#bank --amount 100 --from alice@bank --key-file admin.json',
  ]
  static override args = {
    asset: assetArg({ description: 'asset definition name#domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    amount: Flags.string({ description: 'amount, for example 12.50', required: true }),
    from: accountFlag({ description: 'account (default: that of the key)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AssetBurn)
    const amount = positiveAmountText(flags.amount)
    await this.send(flags, async ({ account, asset, read }) => [
      read(assets.burn, { asset: { definition: await asset(args.asset), account: await account(flags.from) }, amount }),
    ])
  }
}
