import { ListCommand } from '../../../src/cli/command/list-command.js'
import { textOf } from '../../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'

export default class LedgerAssetList extends ListCommand {
  static override description = `List the asset definitions in the order of their ids, with their total quantity.
Holders of an asset: \`ledger holder list\`.`
  static override examples = ['<%= config.bin %> ledger asset list', '<%= config.bin %> ledger asset list --all --json']
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(LedgerAssetList)
    await this.list(flags, ({ assets }) => assets.definitions, {
      ASSET: 'id',
      SCALE: ({ scale }) => textOf(scale) ?? 'any',
      MINTABLE: 'mintable',
      TOTAL: 'total_quantity',
      OWNER: 'owned_by',
    })
  }
}
