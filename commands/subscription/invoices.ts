import { ListCommand } from '../../src/cli/command/list-command.js'
import { withGateway } from '../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { invoiceAssets } from '../../src/cli/reads/list-assets.js'
import { subscriptionArgs, subscriptionFlags, subscriptionId } from '../../src/cli/subscription/forms.js'

export default class SubscriptionInvoices extends ListCommand {
  static override description = 'List the invoices of a subscription, newest first.'
  static override examples = ['<%= config.bin %> subscription invoices bob@bank/news --account carol@bank']
  static override args = subscriptionArgs
  static override flags = { ...subscriptionFlags, ...pageFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionInvoices)
    const settings = await this.settings(flags)
    const { account, reference } = flags
    const id = await withGateway(settings, (client) =>
      subscriptionId(client, settings, { text: args.subscription, account, reference }),
    )
    const columns = {
      NUMBER: 'invoice.number',
      FROM: 'invoice.start_ms',
      TO: 'invoice.end_ms',
      FIXED: 'invoice.fixed',
      USAGE: 'invoice.usage',
      CREDIT: 'invoice.credit',
      AMOUNT: 'invoice.amount',
      ASSET: 'asset',
      SKIPPED: 'invoice.skipped',
      PAID: 'invoice.paid_ms',
      REASON: 'reason',
    }
    const options = { texts: { params: { id } }, assets: invoiceAssets(id) }
    await this.list(flags, ({ subscriptions }) => subscriptions.invoices, columns, options)
  }
}
