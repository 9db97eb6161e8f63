import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { table } from '../../../src/cli/command/output.js'
import { textOf } from '../../../src/cli/gateway/gateway.js'
import { listItems, pageFlags } from '../../../src/cli/gateway/pages.js'

export default class LedgerAssetList extends BaseCommand {
  static override description = 'List the asset definitions in the order of their ids, with their total quantity.'
  static override examples = ['<%= config.bin %> ledger asset list', '<%= config.bin %> ledger asset list --json']
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(LedgerAssetList)
    const found = await listItems(await this.settings(flags), ({ assets }) => assets.definitions, flags.limit)
    const rows = found.items.map((one) => [
      textOf(one.id) ?? '',
      textOf(one.scale) ?? 'any',
      textOf(one.mintable) ?? '',
      textOf(one.total_quantity) ?? '',
      textOf(one.owned_by) ?? '',
    ])
    this.out.result(found, table(['ASSET', 'SCALE', 'MINTABLE', 'TOTAL', 'OWNER'], rows))
  }
}
