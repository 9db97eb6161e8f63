import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { callArg } from '../../src/cli/conference/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as conferences } from '../../src/features/conference/schema/instructions.js'

export default class ConferenceEnd extends LedgerCommand {
  static override description = 'End a call permanently, as its host.'
  static override examples = ['<%= config.bin %> conference end bank:standup --key-file alice.json']
  static override args = callArg
  static override flags = {
    'ended-at-ms': Flags.integer({
      description: 'end time, ms since the Unix epoch (default: the time of the block)',
      min: 0,
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceEnd)
    const end = { call: args.call, ended_at_ms: flags['ended-at-ms'] ?? null }
    await this.send(flags, ({ read }) => [read(conferences.endConference, end)])
  }
}
