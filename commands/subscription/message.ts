import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { withGateway } from '../../src/cli/gateway/gateway.js'
import { formFlag } from '../../src/cli/iso/written.js'
import { subscriptionArgs, subscriptionFlags, subscriptionId } from '../../src/cli/subscription/forms.js'

export default class SubscriptionMessage extends BaseCommand {
  static override description =
    `Write the ISO 20022 message of a paid charge: the notification of a debit or credit (camt.054).
The bridge accepts the output. The command fails with iso_unmapped if the IBAN or the currency is missing or not bound to the party and the
asset, or if the invoice moved no cash: open invoices and usage have no message in this profile.`
  static override examples = [
    '<%= config.bin %> subscription message bob@bank/news --account carol@bank --iban FR7630006000011234567890189 --currency EUR',
    '<%= config.bin %> subscription message bob@bank/news --account carol@bank --invoice 3 --side provider --iban DE75512108001245126199 --currency EUR',
  ]
  static override args = subscriptionArgs
  static override flags = {
    ...subscriptionFlags,
    invoice: Flags.integer({ description: 'number of the invoice (default: last paid)', min: 1 }),
    side: Flags.option({
      options: ['subscriber', 'provider'] as const,
      description: 'party that is notified',
      default: 'subscriber' as const,
    })(),
    iban: Flags.string({ description: 'IBAN of the party, which the ledger must bind to its account' }),
    currency: Flags.string({ description: 'currency, which the ledger must bind to the asset of the plan' }),
    ...formFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionMessage)
    const { chargeMessageOf } = await import('../../src/cli/subscription/message.js')
    const { messageText } = await import('../../src/cli/iso/written.js')
    const { account, reference, invoice, side, iban, currency, form } = flags
    const settings = await this.settings(flags)
    const pairs = await withGateway(settings, async (client) => {
      const id = await subscriptionId(client, settings, { text: args.subscription, account, reference })
      return chargeMessageOf(client, { id, invoice, side, iban, currency })
    })
    const message = messageText(pairs, 'camt.054', form)
    this.out.result({ family: 'camt.054', form, message }, message)
  }
}
