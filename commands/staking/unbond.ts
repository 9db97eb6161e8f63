import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingUnbond extends LedgerCommand {
  static override description = 'Unbond stake; it can be withdrawn once it can no longer be slashed.'
  static override examples = ['<%= config.bin %> staking unbond 200 --key-file nina.json']
  static override args = {
    amount: Args.string({ description: 'amount of the stake asset', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StakingUnbond)
    await this.send(flags, ({ read }) => [read(staking.unbondStake, { amount: args.amount })])
  }
}
