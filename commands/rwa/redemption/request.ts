import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { positiveAmountText } from '../../../src/cli/input/values.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { lotArg } from '../../../src/cli/rwa/forms.js'
import { instructions } from '../../../src/features/rwas/schema/instructions.js'

export default class RwaRedemptionRequest extends LedgerCommand {
  static override description =
    'Offer a quantity of a lot for redemption: it is on hold until the issuer accepts it, or the issuer or the holder releases it.'
  static override examples = [
    '<%= config.bin %> rwa redemption request gold#bank/1 --quantity 100 --key-file alice.json',
  ]
  static override args = lotArg
  static override flags = {
    quantity: Flags.string({ description: 'quantity to redeem', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaRedemptionRequest)
    const quantity = positiveAmountText(flags.quantity)
    await this.send(flags, ({ read }) => [read(instructions.requestRwaRedemption, { lot: args.lot, quantity })])
  }
}
