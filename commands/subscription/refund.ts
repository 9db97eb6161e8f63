import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { positiveAmountText } from '../../src/cli/input/values.js'
import { SubscriptionCommand } from '../../src/cli/subscription/change-command.js'
import { subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionRefund extends SubscriptionCommand {
  static override description = `Refund credit of a subscription to its subscriber. The key is that of the provider.`
  static override examples = [
    '<%= config.bin %> subscription refund bob@bank/news --account carol@bank --amount 0.50 --key-file bob.json',
  ]
  static override args = subscriptionArgs
  static override flags = {
    ...subscriptionFlags,
    ...writeFlags,
    amount: Flags.string({ description: 'amount of the credit, for example 0.50', required: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionRefund)
    await this.change(args.subscription, flags, (read, subscription) =>
      read(instructions.refundSubscription, { subscription, amount: positiveAmountText(flags.amount) }),
    )
  }
}
