import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions } from '../../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionPlanClose extends LedgerCommand {
  static override description = `Close a plan to new subscribers. Existing subscriptions continue.
The key is that of the provider.`
  static override examples = ['<%= config.bin %> subscription plan close news --key-file bob.json']
  static override args = {
    name: Args.string({ description: 'name of the plan', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionPlanClose)
    await this.send(flags, ({ read }) => [read(instructions.closePlan, { plan: args.name })])
  }
}
