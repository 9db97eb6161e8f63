import { Flags } from '@oclif/core'
import { ListCommand } from '../../src/cli/command/list-command.js'
import { textOf } from '../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { statusText } from '../../src/cli/subscription/show.js'

export default class SubscriptionList extends ListCommand {
  static override description = 'List subscriptions of a provider or of a subscriber.'
  static override examples = [
    '<%= config.bin %> subscription list --account carol@bank',
    '<%= config.bin %> subscription list --provider bob@bank --status past_due --json',
  ]
  static override flags = {
    provider: accountFlag({ description: 'only subscriptions to plans of this account: address or alias' }),
    account: accountFlag({ description: 'only subscriptions of this subscriber: address or alias' }),
    status: Flags.option({
      options: ['pending', 'trialing', 'active', 'past_due', 'suspended', 'paused', 'canceled'] as const,
      description: 'only subscriptions with this status',
    })(),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SubscriptionList)
    const { provider, account, status } = flags
    const columns = {
      ID: 'id',
      PROVIDER: 'provider',
      PLAN: 'plan',
      SUBSCRIBER: 'subscriber',
      STATUS: ({ status: is }: { readonly status?: unknown }) => statusText(textOf(is as string)),
      'NEXT CHARGE': 'due_ms',
      CREDIT: 'credit',
      PAID: 'spent',
    }
    const query = { provider, owned_by: account, status }
    await this.list(flags, ({ subscriptions }) => subscriptions.list, columns, { query })
  }
}
