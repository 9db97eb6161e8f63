import { writeFlags } from '../../src/cli/command/flags.js'
import { SubscriptionCommand } from '../../src/cli/subscription/change-command.js'
import { subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionResume extends SubscriptionCommand {
  static override description =
    `Resume a paused or suspended subscription: charge the rest of its period and its debt, less its credit.`
  static override examples = ['<%= config.bin %> subscription resume bob@bank/news --key-file carol.json']
  static override args = subscriptionArgs
  static override flags = { ...subscriptionFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionResume)
    await this.change(args.subscription, flags, (read, subscription) =>
      read(instructions.resumeSubscription, { subscription }),
    )
  }
}
