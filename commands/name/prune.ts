import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { canonicalName, nameArg } from '../../src/cli/names/forms.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NamePrune extends LedgerCommand {
  static override description = 'Remove an open name from the ledger. Any account may do this.'
  static override examples = ['<%= config.bin %> name prune desk@bank --key-file bob.json']
  static override args = nameArg
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NamePrune)
    const name = await canonicalName(args.name)
    await this.send(flags, ({ read }) => [read(names.pruneName, { name })])
  }
}
