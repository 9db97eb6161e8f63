import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { canonicalName } from '../../src/cli/names/forms.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NameSetPrimary extends LedgerCommand {
  static override description = `Set the name that the account of the key is shown by, or remove it if none is given.
It is shown only while the name resolves to the account.`
  static override examples = ['<%= config.bin %> name set-primary desk@bank --key-file alice.json']
  static override args = {
    name: Args.string({ description: 'name, as path@domain (default: none)', ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameSetPrimary)
    const name = args.name === undefined ? null : await canonicalName(args.name)
    await this.send(flags, ({ read }) => [read(names.setPrimaryName, { name })])
  }
}
