import { writeFlags } from '../../../src/cli/command/flags.js'
import { AgreementCommand } from '../../../src/cli/repo/agreement-command.js'
import { agreementArgs } from '../../../src/cli/repo/forms.js'
import { instructions } from '../../../src/features/repo/schema/instructions.js'

export default class RepoMarginCall extends AgreementCommand {
  static override description = 'Call margin for the exposure of an agreement, as the buyer or the custodian.'
  static override examples = ['<%= config.bin %> repo margin call R1 --key-file bob.json']
  static override args = agreementArgs
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoMarginCall)
    await this.act(args.agreement, flags, instructions.callMargin)
  }
}
