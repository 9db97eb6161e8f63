import { ListCommand } from '../../../src/cli/command/list-command.js'
import { type View, viewOf } from '../../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import { termsText } from '../../../src/cli/subscription/plan.js'

export default class SubscriptionPlanList extends ListCommand {
  static override description = 'List plans with their terms.'
  static override examples = [
    '<%= config.bin %> subscription plan list',
    '<%= config.bin %> subscription plan list --provider bob@bank --json',
  ]
  static override flags = {
    provider: accountFlag({ description: 'only plans of this account: address or alias' }),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SubscriptionPlanList)
    const columns = {
      PROVIDER: 'provider',
      PLAN: 'plan',
      OPEN: ({ is_open: isOpen }: View) => (isOpen === true ? 'yes' : 'no'),
      TERMS: ({ terms }: View) => termsText(viewOf(terms)),
    }
    const { provider } = flags
    await this.list(flags, ({ subscriptions }) => subscriptions.plans, columns, { query: { provider } })
  }
}
