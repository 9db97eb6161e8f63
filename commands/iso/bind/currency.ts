import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { withGateway } from '../../../src/cli/gateway/gateway.js'
import { assetFlag } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'

export default class IsoBindCurrency extends LedgerCommand {
  static override description = `Bind a currency to an asset definition: payments in it move that asset.
The key must hold CanManageIsoCurrencies. A bound currency is refused unless --replace is given.`
  static override examples = ['<%= config.bin %> iso bind currency EUR --asset eur#bank --key-file admin.json']
  static override args = { currency: Args.string({ description: 'ISO 4217 code', required: true, ignoreStdin: true }) }
  static override flags = {
    asset: assetFlag({ description: 'asset definition name#domain', required: true, aliases: ['definition'] }),
    replace: Flags.boolean({ description: 'unbind it first from its current definition' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoBindCurrency)
    const { bindCurrency, currencyOf, withReplaceHint } = await import('../../../src/cli/iso/bind.js')
    const currency = currencyOf(args.currency)
    await withReplaceHint(
      this.send(flags, async ({ asset, read }) =>
        bindCurrency(read, currency, await asset(flags.asset), flags.replace),
      ),
      `currency ${currency}`,
      async () =>
        withGateway(await this.settings(flags), async (client) => {
          const { resolveAsset } = await import('../../../src/cli/transaction/resolve.js')
          return `asset definition ${await resolveAsset(client, `ccy:${currency}`)}`
        }),
    )
  }
}
