import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountFlag } from '../../src/cli/input/texts.js'

export default class StakingRewards extends ListCommand {
  static override description = 'List rewards with unpaid pages.'
  static override examples = [
    '<%= config.bin %> staking rewards',
    '<%= config.bin %> staking rewards --account val-0@bank',
  ]
  static override flags = { account: accountFlag({ description: 'only rewards of this validator' }), ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingRewards)
    const { account } = flags
    const columns = { EPOCH: 'epoch', VALIDATOR: 'validator', AMOUNT: 'amount', PAGES: 'pages' }
    await this.list(flags, ({ staking }) => staking.pendingRewards, columns, { query: { account } })
  }
}
