import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { amountText } from '../../src/cli/input/values.js'
import { SubscriptionCommand } from '../../src/cli/subscription/change-command.js'
import { subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionUsage extends SubscriptionCommand {
  static override description =
    `Record usage of a subscription. The key is that of the provider or of a meter of the plan.
The sequence number must increase, so that usage that is sent twice counts once.`
  static override examples = [
    '<%= config.bin %> subscription usage bob@bank/cloud 12.5 --account carol@bank --sequence 7 --key-file meter.json',
  ]
  static override args = {
    ...subscriptionArgs,
    quantity: Args.string({ description: 'quantity of the usage', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...subscriptionFlags,
    ...writeFlags,
    sequence: Flags.integer({ description: 'sequence number, greater than every earlier one', required: true, min: 1 }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionUsage)
    await this.change(args.subscription, flags, (read, subscription) =>
      read(instructions.recordSubscriptionUsage, {
        subscription,
        sequence: flags.sequence,
        quantity: amountText(args.quantity),
      }),
    )
  }
}
