import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'
import { accountFlag } from '../../src/cli/input/texts.js'

export default class StakingSimulate extends ReadCommand {
  static override description =
    'Show the result of an election on the current state, and the effect of a nomination on it.'
  static override examples = [
    '<%= config.bin %> staking simulate',
    '<%= config.bin %> staking simulate --account nina@bank --target val-2@bank --target val-3@bank --amount 9000',
  ]
  static override flags = {
    account: accountFlag({ description: 'nominating account (default: a new one)' }),
    target: accountFlag({ description: 'validator to back; may be repeated', multiple: true }),
    amount: Flags.string({ description: 'stake of the nomination (default: the bond of the account)' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingSimulate)
    const { account, amount, target = [] } = flags
    const query = { account, amount, targets: target.length === 0 ? undefined : target.join(',') }
    await this.show(flags, ({ staking }) => staking.simulate, { query })
  }
}
