import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { holdArg, lotArg } from '../../../src/cli/rwa/forms.js'
import { instructions } from '../../../src/features/rwas/schema/instructions.js'

export default class RwaRedemptionSettle extends LedgerCommand {
  static override description =
    `Settle a redemption: --accept burns the quantity, as the owner of the class or a holder of CanBurn; --release ends the hold,
which the holder may do too.`
  static override examples = [
    '<%= config.bin %> rwa redemption settle gold#bank/1 1 --accept --key-file admin.json',
    '<%= config.bin %> rwa redemption settle gold#bank/1 1 --release',
  ]
  static override args = { ...lotArg, ...holdArg }
  static override flags = {
    accept: Flags.boolean({ description: 'burn the quantity', exactlyOne: ['accept', 'release'] }),
    release: Flags.boolean({ description: 'release the quantity' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaRedemptionSettle)
    const record = { lot: args.lot, hold: args.hold, accept: flags.accept === true }
    await this.send(flags, ({ read }) => [read(instructions.settleRwaRedemption, record)])
  }
}
