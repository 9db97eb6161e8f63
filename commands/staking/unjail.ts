import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingUnjail extends LedgerCommand {
  static override description = 'Make a validator a candidate again, after a chill or the end of its jail time.'
  static override examples = ['<%= config.bin %> staking unjail --key-file val.json']
  static override flags = writeFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingUnjail)
    await this.send(flags, ({ read }) => [read(staking.unjailValidator, {})])
  }
}
