import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { agreementArgs, draftedAgreement, marginFlags, marginOf } from '../../../src/cli/repo/forms.js'
import { instructions } from '../../../src/features/repo/schema/instructions.js'

export default class RepoMarginMeet extends LedgerCommand {
  static override description = `Give margin, as the seller: cash or eligible collateral that covers the exposure.
Without items and cash, clear a margin call whose exposure no longer exists.`
  static override examples = [
    '<%= config.bin %> repo margin meet R1 --cash "9150 eur#bank" --key-file alice.json',
    '<%= config.bin %> repo margin meet R1 --lot gold#bank/2 --key-file alice.json',
  ]
  static override args = agreementArgs
  static override flags = { ...marginFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoMarginMeet)
    await this.send(flags, async (drafting) => {
      const margin = await marginOf(flags, drafting, await draftedAgreement(drafting, args.agreement))
      return [drafting.read(instructions.meetMargin, margin)]
    })
  }
}
