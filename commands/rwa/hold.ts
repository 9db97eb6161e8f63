import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { positiveAmountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { lotArg, reasonFlag, timeAfter } from '../../src/cli/rwa/forms.js'
import { instructions } from '../../src/features/rwas/schema/instructions.js'

export default class RwaHold extends LedgerCommand {
  static override description =
    'Hold a quantity of a lot, as the owner of its class or a holder of CanControl: it does not move until it is released.'
  static override examples = [
    '<%= config.bin %> rwa hold gold#bank/1 --quantity 100 --for 30d --reason lien --key-file admin.json',
  ]
  static override args = lotArg
  static override flags = {
    quantity: Flags.string({ description: 'quantity to hold', required: true }),
    for: Flags.string({ description: 'duration of the hold, such as 30d (default: until it is released)' }),
    ...reasonFlag,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaHold)
    const record = {
      lot: args.lot,
      quantity: positiveAmountText(flags.quantity),
      reason: flags.reason,
      until_ms: timeAfter(flags.for, '--for'),
    }
    await this.send(flags, ({ read }) => [read(instructions.holdRwa, record)])
  }
}
