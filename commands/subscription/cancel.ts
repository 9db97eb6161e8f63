import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { SubscriptionCommand } from '../../src/cli/subscription/change-command.js'
import { subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionCancel extends SubscriptionCommand {
  static override description = `Cancel a subscription at once, or at the end of its period.
The unused part of a paid period becomes credit, which the provider can refund.
The key is that of the subscriber or of the provider.`
  static override examples = [
    '<%= config.bin %> subscription cancel bob@bank/news --key-file carol.json',
    '<%= config.bin %> subscription cancel bob@bank/news --at-end --key-file carol.json',
  ]
  static override args = subscriptionArgs
  static override flags = {
    ...subscriptionFlags,
    ...writeFlags,
    'at-end': Flags.boolean({ description: 'keep the service until the end of the period' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionCancel)
    await this.change(args.subscription, flags, (read, subscription) =>
      read(instructions.cancelSubscription, { subscription, at: flags['at-end'] ? 'PeriodEnd' : 'Immediate' }),
    )
  }
}
