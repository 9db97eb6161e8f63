import { writeFlags } from '../../src/cli/command/flags.js'
import { AgreementCommand } from '../../src/cli/repo/agreement-command.js'
import { agreementArgs } from '../../src/cli/repo/forms.js'
import { instructions } from '../../src/features/repo/schema/instructions.js'

export default class RepoWithdraw extends AgreementCommand {
  static override description = 'Withdraw an agreement before it opens, as the seller or the buyer.'
  static override examples = ['<%= config.bin %> repo withdraw R1 --key-file alice.json']
  static override args = agreementArgs
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoWithdraw)
    await this.act(args.agreement, flags, instructions.withdrawRepo)
  }
}
