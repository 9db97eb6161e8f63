import { writeFlags } from '../../src/cli/command/flags.js'
import { SubscriptionCommand } from '../../src/cli/subscription/change-command.js'
import { subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionPause extends SubscriptionCommand {
  static override description =
    `Pause an active subscription. The unused part of a paid period becomes credit; usage so far is charged.
The key is that of the subscriber or of the provider.`
  static override examples = [
    '<%= config.bin %> subscription pause bob@bank/news --key-file carol.json',
    '<%= config.bin %> subscription pause bob@bank/news --account carol@bank --key-file bob.json',
  ]
  static override args = subscriptionArgs
  static override flags = { ...subscriptionFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionPause)
    await this.change(args.subscription, flags, (read, subscription) =>
      read(instructions.pauseSubscription, { subscription }),
    )
  }
}
