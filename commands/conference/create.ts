import { writeFlags } from '../../src/cli/command/flags.js'
import { callArg, createFlags, createInstruction } from '../../src/cli/conference/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class ConferenceCreate extends LedgerCommand {
  static override description =
    'Create a call and become its host, as the owner of the domain or a holder of CanCreateConference.'
  static override examples = [
    '<%= config.bin %> conference create bank:standup --title "Stand-up" --key-file alice.json',
    '<%= config.bin %> conference create bank:board --private --admit 5e1c… --admit 9a02… --key-file alice.json',
  ]
  static override args = callArg
  static override flags = { ...createFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceCreate)
    await this.send(flags, async ({ read }) => [await createInstruction(read, args.call, flags)])
  }
}
