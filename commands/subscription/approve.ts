import { writeFlags } from '../../src/cli/command/flags.js'
import { SubscriptionCommand } from '../../src/cli/subscription/change-command.js'
import { subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionApprove extends SubscriptionCommand {
  static override description =
    `Approve a subscription to a plan that requires approval, which begins its trial or makes its first charge.
The key is that of the provider.`
  static override examples = [
    '<%= config.bin %> subscription approve bob@bank/news --account carol@bank --key-file bob.json',
  ]
  static override args = subscriptionArgs
  static override flags = { ...subscriptionFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionApprove)
    await this.change(args.subscription, flags, (read, subscription) =>
      read(instructions.approveSubscription, { subscription }),
    )
  }
}
