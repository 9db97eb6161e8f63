import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag, assetFlag } from '../../src/cli/input/texts.js'
import { positiveAmountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { lotPath } from '../../src/cli/rwa/forms.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'
import { instructions, lotSettlementObject } from '../../src/features/rwas/schema/instructions.js'
import { accountId } from '../../src/model/index.js'

export default class RwaSettle extends LedgerCommand {
  static override description = `Deliver a lot, or a part of it, against payment: both legs move or none.
The seller and the buyer send the same terms: the first with --agree, which permits the other to settle them, the second
without it. Each id can be used once.`
  static override examples = [
    '<%= config.bin %> rwa settle deal-7 --lot gold#bank/1 --quantity 100 --from alice@bank --to bob@bank --asset eur#bank --amount 5400 --agree alice@bank --key-file bob.json',
    '<%= config.bin %> rwa settle deal-7 --lot gold#bank/1 --quantity 100 --from alice@bank --to bob@bank --asset eur#bank --amount 5400 --key-file alice.json',
  ]
  static override args = {
    id: Args.string({ description: 'id of the settlement', required: true, ignoreStdin: true }),
  }
  static override flags = {
    lot: Flags.string({ description: 'lot, as name#domain/number', required: true }),
    quantity: Flags.string({ description: 'quantity of the lot to deliver', required: true }),
    from: accountFlag({ description: 'seller and holder of the lot: address or alias', required: true }),
    to: accountFlag({ description: 'buyer: address or alias', required: true }),
    asset: assetFlag({ description: 'asset of the payment', required: true }),
    amount: Flags.string({ description: 'amount of the payment', required: true }),
    agree: accountFlag({ description: 'permit this account to settle the terms, instead of settling them' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaSettle)
    const [quantity, amount] = [positiveAmountText(flags.quantity), positiveAmountText(flags.amount)]
    lotPath(flags.lot)
    await this.send(flags, async ({ account, asset, read, address, codec }) => {
      const [seller, buyer] = [await account(flags.from), await account(flags.to)]
      const terms = read(instructions.settleRwaDvp, {
        id: args.id,
        delivery: { lot: flags.lot, quantity, to: buyer },
        payment: { asset: { definition: await asset(flags.asset), account: buyer }, to: seller, amount },
      })
      if (flags.agree === undefined) return [terms]
      const self = accountId.fromJson(address, codec)
      if (!self.ok) throw new Error('the address of a key does not decode')
      const object = lotSettlementObject(terms.value, self.value)
      return [
        read(permissions.grant, {
          subject: { Permission: { name: 'CanSettle', object } },
          to: { Account: await account(flags.agree) },
        }),
      ]
    })
  }
}
