import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { callArg } from '../../src/cli/conference/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as conferences } from '../../src/features/conference/schema/instructions.js'

export default class ConferenceAdmit extends LedgerCommand {
  static override description = 'Admit keys to a private call, as its host. Admitted keys cannot be removed.'
  static override examples = ['<%= config.bin %> conference admit bank:board 5e1c… 9a02… --key-file alice.json']
  static override strict = false
  static override args = {
    ...callArg,
    key: Args.string({
      description: 'key of a member, from `conference key show`; may be repeated',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(ConferenceAdmit)
    const keys = argv.map(String).slice(1)
    await this.send(flags, ({ read }) => [read(conferences.admitConferenceMembers, { call: args.call, keys })])
  }
}
