import { Flags } from '@oclif/core'
import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { statusText } from '../../src/cli/repo/show.js'

export default class RepoList extends ListCommand {
  static override description = 'List agreements by their ids.'
  static override examples = [
    '<%= config.bin %> repo list --party alice@bank',
    '<%= config.bin %> repo list --status open --json',
  ]
  static override flags = {
    party: accountFlag({ description: 'only agreements of this seller, buyer or custodian: address or alias' }),
    status: Flags.option({
      options: ['proposed', 'waiting', 'open', 'late', 'defaulted', 'closed'] as const,
      description: 'only agreements with this status',
    })(),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(RepoList)
    const { party, status } = flags
    const columns = { REFERENCE: 'reference', STATUS: statusText, SELLER: 'seller', BUYER: 'buyer', ID: 'id' }
    await this.list(flags, ({ repo }) => repo.agreements, columns, { query: { party, status } })
  }
}
