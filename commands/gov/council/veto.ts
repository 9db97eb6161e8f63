import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { councilVote } from '../../../src/cli/gov/council.js'
import { proposalArg } from '../../../src/cli/gov/forms.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'

export default class GovCouncilVeto extends LedgerCommand {
  static override description =
    `Vote for the veto of a proposal, as a member of the council. It takes effect at the share of weight that governance set.
The same instructions can be proposed again, and then need 75 % approval and cannot be vetoed for 90 days.`
  static override examples = ['<%= config.bin %> gov council veto 3 --key-file carol.json']
  static override args = proposalArg
  static override flags = {
    forfeit: Flags.boolean({ description: 'the deposit goes to the governance account', default: false }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovCouncilVeto)
    const subject = { Veto: { proposal: args.proposal, forfeit: flags.forfeit } }
    await this.send(flags, (drafting) => [councilVote(drafting, subject)])
  }
}
