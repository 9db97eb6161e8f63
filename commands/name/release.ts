import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { canonicalName, nameArg } from '../../src/cli/names/forms.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NameRelease extends LedgerCommand {
  static override description = 'End a lease, as its owner. The quarantine of the name begins at once.'
  static override examples = ['<%= config.bin %> name release desk@bank --key-file alice.json']
  static override args = nameArg
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameRelease)
    const name = await canonicalName(args.name)
    await this.send(flags, ({ read }) => [read(names.releaseName, { name })])
  }
}
