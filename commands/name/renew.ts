import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { canonicalName, nameArg } from '../../src/cli/names/forms.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NameRenew extends LedgerCommand {
  static override description = 'Renew a lease; the years count from its end.'
  static override examples = ['<%= config.bin %> name renew desk@bank --years 1 --key-file alice.json']
  static override args = nameArg
  static override flags = {
    years: Flags.integer({ description: 'years that are added', default: 1, min: 1, max: 10 }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameRenew)
    const name = await canonicalName(args.name)
    const { years } = flags
    await this.send(flags, async ({ client, read }) => {
      const { postView } = await import('../../src/cli/gateway/gateway.js')
      const found = await postView(client, (all) => all.names.available, { name, years })
      return [read(names.renewName, { name, years, max_price: found.price ?? null })]
    })
  }
}
