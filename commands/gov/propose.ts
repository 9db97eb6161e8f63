import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { headingFlags } from '../../src/cli/gov/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class GovPropose extends LedgerCommand {
  static override description =
    `Propose instructions, which governance carries out if the electorate of the track approves them.
They are simulated on the last block first: a proposal that would fail is refused with the code of its error, unless --force is given.
The number of the proposal is in the event GovProposalSubmitted; \`gov list\` shows it.`
  static override examples = [
    '<%= config.bin %> gov propose --track 1 --title Slower --set block_time_ms=50 --key-file alice.json',
    '<%= config.bin %> gov propose instructions.json --track 0 --title Members --key-file alice.json',
    '<%= config.bin %> gov propose --track 0 --title "Deny sample" --agenda AC-2026-1 --key-file alice.json',
  ]
  static override args = {
    file: Args.string({
      description: 'file with the instructions in JSON, or - for standard input',
      ignoreStdin: true,
    }),
  }
  static override flags = {
    set: Flags.string({ description: 'parameter to set, as NAME=VALUE', multiple: true }),
    agenda: Flags.string({ description: 'agenda of the ministry to apply' }),
    ...headingFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovPropose)
    const { proposedList } = await import('../../src/cli/gov/forms.js')
    const { proposalOf } = await import('../../src/cli/gov/proposal.js')
    await this.send(flags, async (drafting) => {
      const list = await proposedList(drafting, args.file, flags)
      return [await proposalOf(drafting, flags, list)]
    })
  }
}
