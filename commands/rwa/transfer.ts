import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { positiveAmountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { lotArg } from '../../src/cli/rwa/forms.js'
import { instructions } from '../../src/features/rwas/schema/instructions.js'

export default class RwaTransfer extends LedgerCommand {
  static override description =
    'Transfer a lot, or a part of it, which becomes a separate lot. The key must hold the lot.'
  static override examples = [
    '<%= config.bin %> rwa transfer gold#bank/1 --to bob@bank --key-file alice.json',
    '<%= config.bin %> rwa transfer gold#bank/1 --to bob@bank --quantity 250',
  ]
  static override args = lotArg
  static override flags = {
    to: accountFlag({ description: 'account that gets it: address or alias', required: true }),
    quantity: Flags.string({ description: 'part of the lot (default: the whole lot)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaTransfer)
    const quantity = flags.quantity === undefined ? null : positiveAmountText(flags.quantity)
    await this.send(flags, async ({ account, read }) => [
      read(instructions.transferRwa, { lot: args.lot, quantity, to: await account(flags.to) }),
    ])
  }
}
