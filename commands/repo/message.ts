import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { withGateway } from '../../src/cli/gateway/gateway.js'
import { formFlag } from '../../src/cli/iso/written.js'
import { agreementArgs, agreementId, partyFlag } from '../../src/cli/repo/forms.js'

export default class RepoMessage extends BaseCommand {
  static override description =
    `Write the ISO 20022 message of a cash movement of an agreement: the notification of a debit or credit (camt.054).
The bridge accepts the output. The command fails with iso_unmapped if the IBAN or the currency is missing or not bound to the party and the
cash, or if nothing was paid: proposals, margin calls, defaults, close-outs and collateral have no message in this profile.`
  static override examples = [
    '<%= config.bin %> repo message R1 --leg opening --side seller --iban DE75512108001245126199 --currency EUR',
    '<%= config.bin %> repo message R1 --leg repurchase --side buyer --iban FR7630006000011234567890189 --currency EUR --form json',
  ]
  static override args = agreementArgs
  static override flags = {
    ...partyFlag,
    leg: Flags.option({
      options: ['opening', 'repurchase', 'margin'] as const,
      description: 'payment of the purchase price, repurchase, or last change of the cash margin',
      default: 'opening' as const,
    })(),
    side: Flags.option({
      options: ['seller', 'buyer'] as const,
      description: 'party that is notified',
      default: 'seller' as const,
    })(),
    iban: Flags.string({ description: 'IBAN of the party, which the ledger must bind to its account' }),
    currency: Flags.string({ description: 'currency, which the ledger must bind to the cash' }),
    ...formFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoMessage)
    const { repoMessageOf } = await import('../../src/cli/repo/message.js')
    const { messageText } = await import('../../src/cli/iso/written.js')
    const { leg, side, iban, currency, form } = flags
    const pairs = await withGateway(await this.settings(flags), async (client) => {
      const id = await agreementId(client, args.agreement, flags.account)
      return repoMessageOf(client, { id, leg, side, iban, currency })
    })
    const message = messageText(pairs, 'camt.054', form)
    this.out.result({ family: 'camt.054', form, message }, message)
  }
}
