import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { jsonOrText } from '../../src/cli/ledger/forms.js'
import { instructions as parameters } from '../../src/features/parameters/schema.js'

export default class ParameterSet extends LedgerCommand {
  static override description = 'Set a parameter of the chain. Needs CanSetParameters.'
  static override examples = [
    '<%= config.bin %> parameter set block_teu 120000 --key-file admin.json',
    '<%= config.bin %> parameter set fee_sink \'{"Account": "cw1..."}\'',
  ]
  static override args = {
    name: Args.string({ description: 'name of the parameter', required: true, ignoreStdin: true }),
    value: Args.string({ description: 'value, JSON or text', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ParameterSet)
    await this.send(flags, ({ read }) => [
      read(parameters.setParameter, { name: args.name, value: jsonOrText(args.value) }),
    ])
  }
}
