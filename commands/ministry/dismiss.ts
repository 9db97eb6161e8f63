import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { agendaArg, councilVote } from '../../src/cli/gov/council.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class MinistryDismiss extends LedgerCommand {
  static override description =
    'Vote to dismiss an agenda, as a member of the council. It is dismissed at half of the weight, for one reason.'
  static override examples = [
    '<%= config.bin %> ministry dismiss AC-2026-1 --reason "no evidence" --key-file carol.json',
  ]
  static override args = agendaArg
  static override flags = {
    reason: Flags.string({ description: 'reason, at most 256 bytes; it is public', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MinistryDismiss)
    const { reason } = flags
    await this.send(flags, (drafting) => [councilVote(drafting, { Dismiss: { agenda: args.agenda, reason } })])
  }
}
