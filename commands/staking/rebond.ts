import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingRebond extends LedgerCommand {
  static override description = 'Bond unbonding stake again, newest first.'
  static override examples = ['<%= config.bin %> staking rebond 200 --key-file nina.json']
  static override args = {
    amount: Args.string({ description: 'amount of the stake asset', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StakingRebond)
    await this.send(flags, ({ read }) => [read(staking.rebondStake, { amount: args.amount })])
  }
}
