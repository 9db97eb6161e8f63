import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingWithdraw extends LedgerCommand {
  static override description = 'Withdraw unbonded stake that is unlocked.'
  static override examples = ['<%= config.bin %> staking withdraw --key-file val.json']
  static override flags = writeFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingWithdraw)
    await this.send(flags, ({ read }) => [read(staking.withdrawStake, {})])
  }
}
