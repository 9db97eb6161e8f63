import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { proposedOf, termFlags } from '../../src/cli/repo/terms.js'
import { instructions } from '../../src/features/repo/schema/instructions.js'

export default class RepoPropose extends LedgerCommand {
  static override description =
    `Propose a repo: the seller gives collateral for cash, and buys it back at the repurchase date with interest.
The proposal counts as the consent of its account for 7 days; it opens with the consents of the other party and the custodian.`
  static override examples = [
    '<%= config.bin %> repo propose R1 --buyer bob@bank --poster bob@bank --cash "90000 eur#bank" --lot gold#bank/1 --haircut 2% --rate 3.65% --until next --calendar demo --key-file alice.json',
    '<%= config.bin %> repo propose R2 --from agreement.json --key-file alice.json',
  ]
  static override args = {
    reference: Args.string({ description: 'reference, 1 to 35 characters', required: true, ignoreStdin: true }),
  }
  static override flags = { ...termFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoPropose)
    await this.send(flags, async (drafting) => {
      const proposed = await proposedOf(flags, drafting)
      const proposal = { reference: args.reference, ...proposed }
      return [drafting.read(instructions.proposeRepo, proposal)]
    })
  }
}
