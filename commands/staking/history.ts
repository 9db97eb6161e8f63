import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountArg } from '../../src/cli/input/texts.js'

export default class StakingHistory extends ListCommand {
  static override description =
    'List the stake history of an account: bonds, payouts, withdrawals, slashes; newest first.'
  static override examples = ['<%= config.bin %> staking history nina@bank']
  static override args = {
    account: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StakingHistory)
    const columns = { HEIGHT: 'height', ACTION: 'action', AMOUNT: 'amount', VALIDATOR: 'validator', EPOCH: 'epoch' }
    await this.list(flags, ({ staking }) => staking.stakeHistory, columns, { params: { id: args.account } })
  }
}
