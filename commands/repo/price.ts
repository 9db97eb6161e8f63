import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { assetArg, assetFlag } from '../../src/cli/input/texts.js'
import { amountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions } from '../../src/features/repo/schema/instructions.js'

export default class RepoPrice extends LedgerCommand {
  static override description =
    'Post the price of a unit of an asset in cash. It counts in agreements that name the account as a poster.'
  static override examples = ['<%= config.bin %> repo price gold#bank 55 --cash eur#bank --key-file bob.json']
  static override args = {
    asset: assetArg({ description: 'asset definition', required: true, ignoreStdin: true }),
    price: Args.string({ description: 'price of a unit', required: true, ignoreStdin: true }),
  }
  static override flags = {
    cash: assetFlag({ description: 'asset definition of the price', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoPrice)
    await this.send(flags, async ({ asset, read }) => [
      read(instructions.postRepoPrice, {
        definition: await asset(args.asset),
        cash: await asset(flags.cash),
        price: amountText(args.price),
      }),
    ])
  }
}
