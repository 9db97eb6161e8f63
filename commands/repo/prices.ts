import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountFlag, assetFlag } from '../../src/cli/input/texts.js'

export default class RepoPrices extends ListCommand {
  static override description = 'List posted prices by their posters.'
  static override examples = ['<%= config.bin %> repo prices --poster bob@bank']
  static override flags = {
    poster: accountFlag({ description: 'only prices of this account: address or alias' }),
    asset: assetFlag({ description: 'only prices of this asset definition' }),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(RepoPrices)
    const columns = { POSTER: 'poster', ASSET: 'definition', PRICE: 'price', CASH: 'cash', AT: 'at_ms' }
    const query = { poster: flags.poster, definition: flags.asset }
    await this.list(flags, ({ repo }) => repo.prices, columns, { query })
  }
}
