import { Flags } from '@oclif/core'
import { ListCommand } from '../../../src/cli/command/list-command.js'
import { textOf, type View } from '../../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'

export default class LedgerAccountList extends ListCommand {
  static override description = `List the accounts in the order of their addresses, optionally of one domain.
One account with its balances: \`ledger account show\`.`
  static override examples = [
    '<%= config.bin %> ledger account list',
    '<%= config.bin %> ledger account list --domain bank --all --json',
  ]
  static override flags = { domain: Flags.string({ description: 'only accounts of this domain' }), ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(LedgerAccountList)
    const columns = {
      // Its alias has a column of its own.
      ACCOUNT: ({ id }: View) => textOf(id),
      ALIAS: ({ label, domain }: View) => (typeof label === 'string' ? `${label}@${String(domain)}` : '-'),
      DOMAIN: 'domain',
    }
    await this.list(flags, ({ accounts }) => accounts.accounts, columns, { query: { domain: flags.domain } })
  }
}
