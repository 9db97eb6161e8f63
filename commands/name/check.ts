import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'
import { canonicalName, nameArg } from '../../src/cli/names/forms.js'

export default class NameCheck extends ReadCommand {
  static override description = 'Check if a name can be registered, what it costs, and why not.'
  static override examples = [
    '<%= config.bin %> name check treasury-desk@bank',
    '<%= config.bin %> name check treasury-desk@bank --years 2 --json',
  ]
  static override args = nameArg
  static override flags = {
    years: Flags.integer({ description: 'years of the lease', default: 1, min: 1, max: 5 }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameCheck)
    const { postView, viewOf, withGateway } = await import('../../src/cli/gateway/gateway.js')
    const { pairs } = await import('../../src/cli/terminal/output.js')
    const settings = await this.settings(flags)
    const record = { name: await canonicalName(args.name), years: flags.years }
    const found = await withGateway(settings, (client) => postView(client, (all) => all.names.available, record))
    const { amount, definition } = viewOf(found.price)
    const text = pairs([
      ['name', String(found.canonical)],
      ['free', found.available === true ? 'yes' : `no: ${String(found.reason)}`],
      ['why', found.available === true ? undefined : String(found.message)],
      [
        'price',
        amount === undefined
          ? 'none'
          : `${String(amount)} ${String(definition)} for ${flags.years === 1 ? 'a year' : `${flags.years} years`}`,
      ],
    ])
    this.out.result(found, text)
  }
}
