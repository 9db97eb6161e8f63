import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { table } from '../../../src/cli/command/output.js'
import { textOf } from '../../../src/cli/gateway/gateway.js'
import { listItems, pageFlags } from '../../../src/cli/gateway/pages.js'

export default class LedgerDomainList extends BaseCommand {
  static override description = 'List the domains in the order of their ids.'
  static override examples = [
    '<%= config.bin %> ledger domain list',
    '<%= config.bin %> ledger domain list --limit 1000 --json',
  ]
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(LedgerDomainList)
    const found = await listItems(await this.settings(flags), ({ domains }) => domains.domains, flags.limit)
    const rows = found.items.map((one) => [textOf(one.id) ?? '', textOf(one.owned_by) ?? ''])
    this.out.result(found, table(['DOMAIN', 'OWNER'], rows))
  }
}
