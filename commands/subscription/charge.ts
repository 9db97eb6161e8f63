import { writeFlags } from '../../src/cli/command/flags.js'
import { SubscriptionCommand } from '../../src/cli/subscription/change-command.js'
import { subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionCharge extends SubscriptionCommand {
  static override description = `Make the due charge of a subscription before its due run does. Any account may send it.
A failed payment is recorded and retried after the delays of the plan.`
  static override examples = [
    '<%= config.bin %> subscription charge bob@bank/news --account carol@bank --key-file bob.json',
  ]
  static override args = subscriptionArgs
  static override flags = { ...subscriptionFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionCharge)
    await this.change(args.subscription, flags, (read, subscription) =>
      read(instructions.chargeSubscription, { subscription }),
    )
  }
}
