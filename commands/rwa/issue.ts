import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { positiveAmountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { classArg, paperFlags, papersOf } from '../../src/cli/rwa/forms.js'
import { instructions } from '../../src/features/rwas/schema/instructions.js'

export default class RwaIssue extends LedgerCommand {
  static override description =
    'Issue a lot of a class, as its owner or a holder of CanMint. Its number is in the event RwaIssued of the transaction.'
  static override examples = [
    '<%= config.bin %> rwa issue gold#bank --to alice@bank --quantity 1500 --key-file admin.json',
    '<%= config.bin %> rwa issue gold#bank --to alice@bank --quantity 400 --reference BAR-17 --grade 999.9 --attribute vault=zurich',
  ]
  static override args = classArg
  static override flags = {
    to: accountFlag({ description: 'account that gets the lot: address or alias', required: true }),
    quantity: Flags.string({ description: 'quantity in the unit of the class', required: true }),
    ...paperFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaIssue)
    const record = { ...papersOf(flags), quantity: positiveAmountText(flags.quantity) }
    await this.send(flags, async ({ account, asset, read }) => [
      read(instructions.issueRwa, { ...record, class: await asset(args.class), to: await account(flags.to) }),
    ])
  }
}
