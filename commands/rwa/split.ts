import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { amountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { lotArg } from '../../src/cli/rwa/forms.js'
import { instructions } from '../../src/features/rwas/schema/instructions.js'

export default class RwaSplit extends LedgerCommand {
  static override description =
    'Divide a lot: each quantity becomes a separate lot, and the rest stays in the lot. The key must hold the lot.'
  static override examples = [
    '<%= config.bin %> rwa split gold#bank/1 --quantity 100 --quantity 250 --key-file alice.json',
  ]
  static override args = lotArg
  static override flags = {
    quantity: Flags.string({ description: 'quantity of a new lot; may be repeated', required: true, multiple: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaSplit)
    const quantities = flags.quantity.map(amountText)
    await this.send(flags, ({ read }) => [read(instructions.splitRwa, { lot: args.lot, quantities })])
  }
}
