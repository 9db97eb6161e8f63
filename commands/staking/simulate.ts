import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class StakingSimulate extends ReadCommand {
  static override description = 'Show the election as it would be now, and what a nomination would change of it.'
  static override examples = [
    '<%= config.bin %> staking simulate',
    '<%= config.bin %> staking simulate --account nina@bank --target val-2@bank --target val-3@bank --amount 9000',
  ]
  static override flags = {
    account: Flags.string({ description: 'whose nomination it would be (default: a new one)' }),
    target: Flags.string({ description: 'validator that it would back; may be repeated', multiple: true }),
    amount: Flags.string({ description: 'stake that it would have (default: what the account bonds)' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingSimulate)
    const { account, amount, target = [] } = flags
    const query = { account, amount, targets: target.length === 0 ? undefined : target.join(',') }
    await this.show(flags, ({ staking }) => staking.simulate, { query })
  }
}
