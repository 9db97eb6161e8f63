import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { assetFlag } from '../../../src/cli/input/texts.js'
import { positiveAmountText } from '../../../src/cli/input/values.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { classArg } from '../../../src/cli/rwa/forms.js'
import { instructions } from '../../../src/features/rwas/schema/instructions.js'

export default class RwaIncomeDeclare extends LedgerCommand {
  static override description =
    'Declare income: pay cash for the owners of all lots of a class, in proportion, as the owner of the class. Owners claim it.'
  static override examples = [
    '<%= config.bin %> rwa income declare fund#bank --cash eur#bank --amount 1000 --key-file admin.json',
  ]
  static override args = classArg
  static override flags = {
    cash: assetFlag({ description: 'asset that is paid, the same for all income of a class', required: true }),
    amount: Flags.string({ description: 'amount', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaIncomeDeclare)
    const amount = positiveAmountText(flags.amount)
    await this.send(flags, async ({ asset, read }) => [
      read(instructions.declareRwaIncome, {
        class: await asset(args.class),
        cash: await asset(flags.cash),
        amount,
      }),
    ])
  }
}
