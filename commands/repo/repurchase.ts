import { writeFlags } from '../../src/cli/command/flags.js'
import { AgreementCommand } from '../../src/cli/repo/agreement-command.js'
import { agreementArgs } from '../../src/cli/repo/forms.js'
import { instructions } from '../../src/features/repo/schema/instructions.js'

export default class RepoRepurchase extends AgreementCommand {
  static override description =
    `Repurchase the collateral at the price of today: the seller pays, the collateral returns.
From the repurchase date on, any account may send it. Before that date it takes effect when both parties send it on one day.`
  static override examples = ['<%= config.bin %> repo repurchase R1 --key-file alice.json']
  static override args = agreementArgs
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoRepurchase)
    await this.act(args.agreement, flags, instructions.repurchaseRepo)
  }
}
