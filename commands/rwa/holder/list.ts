import { ListCommand } from '../../../src/cli/command/list-command.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'
import { classArg } from '../../../src/cli/rwa/forms.js'

export default class RwaHolderList extends ListCommand {
  static override description = 'List accounts that own lots of a class, are eligible for it or are owed income.'
  static override examples = ['<%= config.bin %> rwa holder list gold#bank']
  static override args = classArg
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaHolderList)
    const columns = { ACCOUNT: 'account', LOTS: 'lots', ELIGIBLE: 'eligible', UNTIL: 'eligible_until_ms', OWED: 'owed' }
    await this.list(flags, ({ rwas }) => rwas.holders, columns, { params: { id: args.class } })
  }
}
