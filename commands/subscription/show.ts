import { ReadCommand } from '../../src/cli/command/read-command.js'
import { withGateway } from '../../src/cli/gateway/gateway.js'
import { subscriptionArgs, subscriptionFlags, subscriptionId } from '../../src/cli/subscription/forms.js'
import { subscriptionFields } from '../../src/cli/subscription/show.js'

export default class SubscriptionShow extends ReadCommand {
  static override description =
    'Show a subscription: its plan, its mandate, its last invoice, and whether its subscriber is entitled.'
  static override examples = [
    '<%= config.bin %> subscription show bob@bank/news --account carol@bank',
    '<%= config.bin %> subscription show bob@bank/news --account carol@bank --json',
  ]
  static override args = subscriptionArgs
  static override flags = subscriptionFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionShow)
    const settings = await this.settings(flags)
    const { account, reference } = flags
    const id = await withGateway(settings, (client) =>
      subscriptionId(client, settings, { text: args.subscription, account, reference }),
    )
    await this.showFields(flags, ({ subscriptions }) => subscriptions.show, { params: { id } }, subscriptionFields)
  }
}
