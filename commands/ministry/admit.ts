import { writeFlags } from '../../src/cli/command/flags.js'
import { agendaArg, councilVote } from '../../src/cli/gov/council.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class MinistryAdmit extends LedgerCommand {
  static override description =
    `Vote to admit an agenda, as a member of the council. It is admitted at a third of the weight.
The application of an admitted agenda is proposed without a deposit.`
  static override examples = ['<%= config.bin %> ministry admit AC-2026-1 --key-file carol.json']
  static override args = agendaArg
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MinistryAdmit)
    await this.send(flags, (drafting) => [councilVote(drafting, { Admit: { agenda: args.agenda } })])
  }
}
