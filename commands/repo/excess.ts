import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { agreementArgs, draftedAgreement, marginFlags, marginOf } from '../../src/cli/repo/forms.js'
import { instructions } from '../../src/features/repo/schema/instructions.js'

export default class RepoExcess extends LedgerCommand {
  static override description =
    'Withdraw excess collateral or cash margin, as the seller. The rest must cover the debt.'
  static override examples = ['<%= config.bin %> repo excess R1 --cash "500 eur#bank" --key-file alice.json']
  static override args = agreementArgs
  static override flags = { ...marginFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoExcess)
    await this.send(flags, async (drafting) => {
      const margin = await marginOf(flags, drafting, await draftedAgreement(drafting, args.agreement))
      return [drafting.read(instructions.takeExcess, margin)]
    })
  }
}
