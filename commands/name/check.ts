import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'
import { canonicalName, nameArg } from '../../src/cli/names/forms.js'
import type { Json } from '../../src/codec/index.js'

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
    const { amountsOf, NO_NAMES } = await import('../../src/cli/gateway/directory.js')
    const { pairs } = await import('../../src/cli/terminal/output.js')
    const settings = await this.settings(flags)
    const record = { name: await canonicalName(args.name), years: flags.years }
    const [found, names] = await withGateway(settings, async (client) => {
      const view = await postView(client, (all) => all.names.available, record)
      return [view, this.out.json ? NO_NAMES : await amountsOf(client, view as Json)] as const
    })
    const { amount, definition } = viewOf(found.price)
    const price = names.amount(amount, definition)
    const text = pairs([
      ['name', String(found.canonical)],
      ['free', found.available === true ? 'yes' : `no: ${String(found.reason)}`],
      ['why', found.available === true ? undefined : String(found.message)],
      ['price', price === undefined ? 'none' : `${price} for ${flags.years === 1 ? 'a year' : `${flags.years} years`}`],
    ])
    this.out.result(found, text)
  }
}
