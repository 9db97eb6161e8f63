import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { objectOf } from '../../src/cli/ledger/forms.js'
import { instructions as metadata } from '../../src/features/metadata/schema.js'

export default class MetadataRemove extends LedgerCommand {
  static override description = 'Remove a metadata value of an object.'
  static override examples = ['<%= config.bin %> metadata remove alice@bank tier --key-file alice.json']
  static override args = {
    object: Args.string({
      description: 'domain, name#domain, name$domain, account, or trigger:NAME',
      required: true,
      ignoreStdin: true,
    }),
    key: Args.string({ description: 'metadata key', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MetadataRemove)
    await this.send(flags, async (drafting) => [
      drafting.read(metadata.removeKeyValue, { target: await objectOf(args.object, drafting), key: args.key }),
    ])
  }
}
