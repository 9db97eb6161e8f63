import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { createFlags, createInstruction } from '../../src/cli/conference/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class ConferenceQuickstart extends LedgerCommand {
  static override description = 'Create a call with a new name, and print how to join it.'
  static override examples = ['<%= config.bin %> conference quickstart --key-file alice.json']
  static override flags = {
    domain: Flags.string({ description: 'domain of the call', default: 'bank' }),
    name: Flags.string({ description: 'name of the call (default: demo_ and the time in hex)' }),
    ...createFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ConferenceQuickstart)
    const call = `${flags.domain}:${flags.name ?? `demo_${Date.now().toString(16)}`}`
    await this.send(flags, async ({ read }) => [await createInstruction(read, call, flags)])
    const how = flags.private ? ' --private --payer-key-file PAYER.json' : ''
    this.out.note(`Join with: causeway conference join ${call}${how} --key-file MEMBER.json`)
  }
}
