import { writeFlags } from '../../src/cli/command/flags.js'
import { proposalArg } from '../../src/cli/gov/forms.js'
import { AFTER_VOTE, StepCommand } from '../../src/cli/gov/steps.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

export default class GovFinalize extends StepCommand {
  static override description =
    'Make the step of a proposal that is due: begin its vote, count it, or enact it. Any account may. It succeeds if the vote was already counted.'
  static override examples = ['<%= config.bin %> gov finalize 1 --key-file alice.json']
  static override args = proposalArg
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovFinalize)
    await this.makeStep(flags, args.proposal, AFTER_VOTE, ({ read }) => [
      read(instructions.finalizeProposal, { proposal: args.proposal }),
    ])
  }
}
