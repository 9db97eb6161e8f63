import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag, assetFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'

export default class AssetTransfer extends LedgerCommand {
  static override description = `Transfer an amount of an asset, by default from the account of the signing key.
Accounts are given as addresses or as aliases label@domain.`
  static override examples = [
    '<%= config.bin %> asset transfer --key-file alice.json --to bob@bank --asset eur#bank --amount 12.50',
    '<%= config.bin %> asset transfer --from alice@bank --to bob@bank --asset eur#bank --amount 1 --key-file bridge.json',
  ]
  static override flags = {
    to: accountFlag({ description: 'receiving account', required: true }),
    asset: assetFlag({ description: 'asset definition name#domain', required: true }),
    amount: Flags.string({ description: 'amount, for example 12.50', required: true }),
    from: accountFlag({ description: 'paying account (default: account of the key)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(AssetTransfer)
    const { positiveAmountText } = await import('../../src/cli/input/values.js')
    const amount = positiveAmountText(flags.amount)
    await this.send(flags, async ({ account, asset: definition, read }) => {
      const asset = { definition: await definition(flags.asset), account: await account(flags.from) }
      return [read(assets.transfer, { asset, to: await account(flags.to), amount })]
    })
  }
}
