import { writeFlags } from '../../src/cli/command/flags.js'
import { proposalArg } from '../../src/cli/gov/forms.js'
import { AFTER_ENACTMENT, StepCommand } from '../../src/cli/gov/steps.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

export default class GovEnact extends StepCommand {
  static override description =
    'Enact an approved proposal whose delay is over. Any account may, also after attempts that failed. It succeeds if the proposal is already enacted.'
  static override examples = ['<%= config.bin %> gov enact 1 --key-file alice.json']
  static override args = proposalArg
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovEnact)
    await this.makeStep(flags, args.proposal, AFTER_ENACTMENT, ({ read }) => [
      read(instructions.enactProposal, { proposal: args.proposal }),
    ])
  }
}
