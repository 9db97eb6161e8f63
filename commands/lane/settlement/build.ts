import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import type { Json } from '../../../src/codec/index.js'

export default class LaneSettlementBuild extends BaseCommand {
  static override description = `Build a settlement between two parties: both legs are paid, or none.
One delivers and the other pays (delivery against payment), or both pay (--pvp). Prints a file that the parties forward:
each but the last signs it, the last submits it. The asset of --against is the unit of settlement.`
  static override examples = [
    '<%= config.bin %> lane settlement build d1 --from carol@depot --deliver "3 bond#depot" --to alice@bank --against "270.5 eur#bank" --json > d1.json',
    '<%= config.bin %> lane settlement build fx7 --pvp --from bob@bank --deliver "100 usd#bank" --to alice@bank --against "92 eur#bank" --json',
  ]
  static override args = {
    id: Args.string({ description: 'id of the settlement, unique on the chain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    from: accountFlag({ description: 'delivering account, address or alias', required: true }),
    deliver: Flags.string({ description: 'delivered amount, such as "3 bond#depot"', required: true }),
    to: accountFlag({ description: 'receiving and paying account, address or alias', required: true }),
    against: Flags.string({ description: 'paid amount, such as "270.5 eur#bank"', required: true }),
    pvp: Flags.boolean({ description: 'payment against payment' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneSettlementBuild)
    const { amountOfAsset } = await import('../../../src/cli/lane/settlement.js')
    const { withGateway } = await import('../../../src/cli/gateway/gateway.js')
    const { Names } = await import('../../../src/cli/transaction/resolve.js')
    const { anyInstruction } = await import('../../../src/model/index.js')
    const delivered = amountOfAsset(flags.deliver, '--deliver')
    const paid = amountOfAsset(flags.against, '--against')
    const settings = await this.settings(flags)
    const instructions = await withGateway(settings, async (client) => {
      const names = new Names(client, settings)
      const [from, to] = [await names.account(flags.from), await names.account(flags.to)]
      const codec = await client.codec()
      const leg = ({ amount, definition }: typeof paid, source: string, target: string) => ({
        asset: { definition, account: source },
        to: target,
        amount,
      })
      const [delivery, payment] = [leg(delivered, from, to), leg(paid, to, from)]
      const jsonForm: Json = flags.pvp
        ? { SettlePvp: { id: args.id, first: payment, second: delivery } }
        : { SettleDvp: { id: args.id, delivery, payment } }
      // What the ledger could not even read is said here, before anybody signs it.
      const built = await names.settled(() => [names.instruction(jsonForm, 0, codec)])
      return names.asserted(built).map((one) => anyInstruction.toJson(one, codec))
    })
    const file = { instructions, agreements: [] }
    this.out.result(file, JSON.stringify(file, null, 2))
  }
}
