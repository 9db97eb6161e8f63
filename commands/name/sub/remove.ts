import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { canonicalName, nameArg } from '../../../src/cli/names/forms.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'

export default class NameSubRemove extends LedgerCommand {
  static override description = 'Remove a subname, as its owner or the holder of the name above it.'
  static override examples = ['<%= config.bin %> name sub remove pay.desk@bank --key-file alice.json']
  static override args = nameArg
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameSubRemove)
    const name = await canonicalName(args.name)
    await this.send(flags, ({ read }) => [read(names.removeSubname, { name })])
  }
}
