import { ListCommand } from '../../../src/cli/command/list-command.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'

export default class LedgerDomainList extends ListCommand {
  static override description = 'List the domains in the order of their ids.'
  static override examples = [
    '<%= config.bin %> ledger domain list',
    '<%= config.bin %> ledger domain list --all --json',
  ]
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(LedgerDomainList)
    await this.list(flags, ({ domains }) => domains.domains, { DOMAIN: 'id', OWNER: 'owned_by' })
  }
}
