import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingBond extends LedgerCommand {
  static override description = 'Bond stake from the balance of the key.'
  static override examples = ['<%= config.bin %> staking bond 1000 --key-file nina.json']
  static override args = {
    amount: Args.string({ description: 'amount of the stake asset', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StakingBond)
    await this.send(flags, ({ read }) => [read(staking.bondStake, { account: null, amount: args.amount })])
  }
}
