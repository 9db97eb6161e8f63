import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { canonicalName, nameArg, recordChanges } from '../../src/cli/names/forms.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NameSetRecord extends LedgerCommand {
  static override description = `Set or remove records of a name, as its holder or manager.
The record asset makes the name resolve to an asset definition; text:KEY is a text of at most 512 bytes.`
  static override examples = [
    '<%= config.bin %> name set-record desk@bank --set text:url=https://bank.example --key-file alice.json',
    '<%= config.bin %> name set-record desk@bank --remove text:url --key-file alice.json',
  ]
  static override args = nameArg
  static override flags = {
    set: Flags.string({ description: 'record, as key=value', multiple: true }),
    remove: Flags.string({ description: 'key of a record', multiple: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameSetRecord)
    const name = await canonicalName(args.name)
    const set = recordChanges(flags.set, flags.remove)
    await this.send(flags, ({ read }) => [read(names.setNameRecords, { name, set })])
  }
}
