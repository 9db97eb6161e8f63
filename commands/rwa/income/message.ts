import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { withGateway } from '../../../src/cli/gateway/gateway.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import { formFlag } from '../../../src/cli/iso/written.js'

export default class RwaIncomeMessage extends BaseCommand {
  static override description =
    `Write the ISO 20022 message of income: the notification of a credit of an owner of lots, or of the debit of the issuer (camt.054).
The bridge accepts the output. The command fails with iso_unmapped if the IBAN or the currency is missing or not bound to the account and
the cash, or if the transaction paid nothing to or from the account.`
  static override examples = [
    '<%= config.bin %> rwa income message HASH --account alice@bank --iban DE75512108001245126199 --currency EUR',
  ]
  static override args = {
    hash: Args.string({
      description: 'hash of the transaction that claimed or declared the income',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    account: accountFlag({ description: 'account that is notified', required: true }),
    iban: Flags.string({ description: 'IBAN of the account, which the ledger must bind to it' }),
    currency: Flags.string({ description: 'currency, which the ledger must bind to the cash' }),
    ...formFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaIncomeMessage)
    const { incomeMessageOf } = await import('../../../src/cli/rwa/income.js')
    const { messageText } = await import('../../../src/cli/iso/written.js')
    const { account, iban, currency, form } = flags
    const pairs = await withGateway(await this.settings(flags), (client) =>
      incomeMessageOf(client, { hash: args.hash, account, iban, currency }),
    )
    const message = messageText(pairs, 'camt.054', form)
    this.out.result({ family: 'camt.054', form, message }, message)
  }
}
