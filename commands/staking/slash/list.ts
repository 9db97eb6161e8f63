import { ListCommand } from '../../../src/cli/command/list-command.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'
import { accountFlag } from '../../../src/cli/input/texts.js'

export default class StakingSlashList extends ListCommand {
  static override description = 'List slashes, newest first: open, executed and cancelled.'
  static override examples = [
    '<%= config.bin %> staking slash list',
    '<%= config.bin %> staking slash list --account val-3@bank',
  ]
  static override flags = { account: accountFlag({ description: 'only slashes of this validator' }), ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingSlashList)
    const { account } = flags
    const columns = { ID: 'id', VALIDATOR: 'validator', FAULT: 'kind', TERM: 'term', STATUS: 'status', TAKEN: 'taken' }
    await this.list(flags, ({ staking }) => staking.slashes, columns, { query: { account } })
  }
}
