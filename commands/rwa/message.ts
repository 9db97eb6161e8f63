import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { formFlag } from '../../src/cli/iso/written.js'

export default class RwaMessage extends BaseCommand {
  static override description =
    `Write the ISO 20022 message of a settlement of a lot: the instruction (sese.023), or its confirmation (sese.025).
The bridge accepts the output. The command fails with iso_unmapped if the ISIN of the class, a BIC, an IBAN or the currency is missing,
or if the transaction has no settlement: issues, free transfers, freezes and redemptions have no message in this profile.`
  static override examples = [
    '<%= config.bin %> rwa message HASH --family sese.025 --side delivery --seller-bic BANKDEFFXXX --seller-iban DE89370400440532013000 --buyer-bic BANKFRPPXXX --buyer-iban FR1420041010050500013M02606 --currency EUR',
  ]
  static override args = {
    hash: Args.string({ description: 'hash of the transaction', required: true, ignoreStdin: true }),
  }
  static override flags = {
    family: Flags.option({
      options: ['sese.023', 'sese.025'] as const,
      description: 'family',
      default: 'sese.023' as const,
    })(),
    side: Flags.option({
      options: ['delivery', 'receipt'] as const,
      description: 'side that the message is for',
      default: 'delivery' as const,
    })(),
    'seller-bic': Flags.string({ description: 'BIC of the seller' }),
    'seller-iban': Flags.string({ description: 'IBAN of the seller, which the ledger must bind to its account' }),
    'buyer-bic': Flags.string({ description: 'BIC of the buyer' }),
    'buyer-iban': Flags.string({ description: 'IBAN of the buyer, which the ledger must bind to its account' }),
    currency: Flags.string({ description: 'currency, which the ledger must bind to the asset of the payment' }),
    ...formFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaMessage)
    const { messageOf } = await import('../../src/cli/rwa/message.js')
    const { messageText } = await import('../../src/cli/iso/written.js')
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const { family, form, currency } = flags
    const request = {
      hash: args.hash,
      family,
      currency,
      side: flags.side === 'delivery' ? ('DELI' as const) : ('RECE' as const),
      seller: { bic: flags['seller-bic'], iban: flags['seller-iban'] },
      buyer: { bic: flags['buyer-bic'], iban: flags['buyer-iban'] },
    }
    const pairs = await withGateway(await this.settings(flags), (client) => messageOf(client, request))
    const message = messageText(pairs, family, form)
    this.out.result({ family, form, message }, message)
  }
}
