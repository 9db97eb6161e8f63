import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingChill extends LedgerCommand {
  static override description = 'Withdraw a validator from the next elections.'
  static override examples = ['<%= config.bin %> staking chill --key-file val.json']
  static override flags = writeFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingChill)
    await this.send(flags, ({ read }) => [read(staking.chillValidator, {})])
  }
}
