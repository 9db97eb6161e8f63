import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { lotsOf, reasonFlag } from '../../src/cli/rwa/forms.js'
import { instructions } from '../../src/features/rwas/schema/instructions.js'

export default class RwaForce extends LedgerCommand {
  static override description =
    `Transfer lots without their holders, as the owner of their class or a holder of CanTransfer, if the class has the power.
Freezes and holds do not prevent the transfer, and stay on the lots.`
  static override examples = [
    '<%= config.bin %> rwa force gold#bank/1 --to bob@bank --reason "court order 7" --key-file admin.json',
  ]
  static override args = {
    lot: Args.string({ description: 'lots, as name#domain/number', required: true, ignoreStdin: true }),
  }
  static override flags = {
    to: accountFlag({ description: 'account that gets the lots: address or alias', required: true }),
    ...reasonFlag,
    ...writeFlags,
  }
  static override strict = false

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(RwaForce)
    const lots = lotsOf(argv)
    await this.send(flags, async ({ account, read }) => [
      read(instructions.forceTransferRwa, { lots, to: await account(flags.to), reason: flags.reason }),
    ])
  }
}
