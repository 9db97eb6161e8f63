import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingFund extends LedgerCommand {
  static override description = 'Pay into the reward pot.'
  static override examples = ['<%= config.bin %> staking fund 5000 --key-file admin.json']
  static override args = {
    amount: Args.string({ description: 'amount of the stake asset', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StakingFund)
    await this.send(flags, ({ read }) => [read(staking.fundStakingRewards, { amount: args.amount })])
  }
}
