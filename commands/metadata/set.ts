import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { jsonOrText, objectOf } from '../../src/cli/ledger/forms.js'
import { instructions as metadata } from '../../src/features/metadata/schema.js'

export default class MetadataSet extends LedgerCommand {
  static override description = 'Set a metadata value of an object. The value may be JSON.'
  static override examples = [
    '<%= config.bin %> metadata set alice@bank tier gold --key-file alice.json',
    '<%= config.bin %> metadata set bank limits \'{"day": 5}\'',
  ]
  static override args = {
    object: Args.string({
      description: 'domain, name#domain, name$domain, account, or trigger:NAME',
      required: true,
      ignoreStdin: true,
    }),
    key: Args.string({ description: 'metadata key', required: true, ignoreStdin: true }),
    value: Args.string({ description: 'value, JSON or text', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MetadataSet)
    const value = jsonOrText(args.value)
    await this.send(flags, async (drafting) => [
      drafting.read(metadata.setKeyValue, { target: await objectOf(args.object, drafting), key: args.key, value }),
    ])
  }
}
