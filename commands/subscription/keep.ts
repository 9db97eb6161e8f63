import { writeFlags } from '../../src/cli/command/flags.js'
import { SubscriptionCommand } from '../../src/cli/subscription/change-command.js'
import { subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionKeep extends SubscriptionCommand {
  static override description = `Keep a subscription that would be canceled at the end of its period.`
  static override examples = ['<%= config.bin %> subscription keep bob@bank/news --key-file carol.json']
  static override args = subscriptionArgs
  static override flags = { ...subscriptionFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionKeep)
    await this.change(args.subscription, flags, (read, subscription) =>
      read(instructions.keepSubscription, { subscription }),
    )
  }
}
