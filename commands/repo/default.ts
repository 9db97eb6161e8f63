import { writeFlags } from '../../src/cli/command/flags.js'
import { AgreementCommand } from '../../src/cli/repo/agreement-command.js'
import { agreementArgs } from '../../src/cli/repo/forms.js'
import { instructions } from '../../src/features/repo/schema/instructions.js'

export default class RepoDefault extends AgreementCommand {
  static override description = `Declare a default of the seller, as the buyer.
It requires a margin call that was missed while its exposure remains, or a repurchase that the seller cannot pay after the grace.`
  static override examples = ['<%= config.bin %> repo default R1 --key-file bob.json']
  static override args = agreementArgs
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoDefault)
    await this.act(args.agreement, flags, instructions.defaultRepo)
  }
}
