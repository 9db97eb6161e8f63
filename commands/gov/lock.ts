import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { assetFlag } from '../../src/cli/input/texts.js'
import { positiveAmountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

export default class GovLock extends LedgerCommand {
  static override description =
    'Lock an amount of a voting asset, so that it can vote. It cannot be transferred, burned or frozen while it is locked.'
  static override examples = ['<%= config.bin %> gov lock 500 --asset vote#bank --key-file alice.json']
  static override args = {
    amount: Args.string({ description: 'amount', required: true, ignoreStdin: true }),
  }
  static override flags = {
    asset: assetFlag({ description: 'asset definition of a track', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovLock)
    const amount = positiveAmountText(args.amount)
    await this.send(flags, async ({ asset, read }) => [
      read(instructions.lockVotes, { definition: await asset(flags.asset), amount }),
    ])
  }
}
