import { ReadCommand } from '../../src/cli/command/read-command.js'
import { accountArg } from '../../src/cli/input/texts.js'

export default class StakingShow extends ReadCommand {
  static override description = 'Show the stake and nominations of an account; without an account the total stake.'
  static override examples = ['<%= config.bin %> staking show', '<%= config.bin %> staking show nina@bank']
  static override args = { account: accountArg({ description: 'address or alias', ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StakingShow)
    const { account } = args
    if (account === undefined) await this.show(flags, ({ staking }) => staking.stake)
    else await this.show(flags, ({ staking }) => staking.accountStake, { params: { id: account } })
  }
}
