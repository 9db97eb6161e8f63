import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

export default class GovActivate extends LedgerCommand {
  static override description =
    `Activate an upgrade that a vote proposed, once a quorum of validators attested its ABI. Any account may.
The network switches two heights later.`
  static override examples = ['<%= config.bin %> gov activate 5f0c… --key-file alice.json']
  static override args = {
    id: Args.string({ description: 'id of the upgrade', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovActivate)
    await this.send(flags, ({ read }) => [read(instructions.activateReadyUpgrade, { id: args.id })])
  }
}
