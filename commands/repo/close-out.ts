import { writeFlags } from '../../src/cli/command/flags.js'
import { AgreementCommand } from '../../src/cli/repo/agreement-command.js'
import { agreementArgs } from '../../src/cli/repo/forms.js'
import { instructions } from '../../src/features/repo/schema/instructions.js'

export default class RepoCloseOut extends AgreementCommand {
  static override description = `Close out an agreement in default, as the buyer.
Item by item the buyer gets the least quantity that covers the debt at market value; the rest returns to the seller.`
  static override examples = ['<%= config.bin %> repo close-out R1 --key-file bob.json']
  static override args = agreementArgs
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoCloseOut)
    await this.act(args.agreement, flags, instructions.closeOutRepo)
  }
}
