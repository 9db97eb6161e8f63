import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'

export default class ConsensusModeCancel extends LedgerCommand {
  static override description = 'Cancel a pending change of the mode, as a holder of CanSetParameters.'
  static override examples = ['<%= config.bin %> consensus mode cancel --key-file admin.json']
  static override flags = writeFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusModeCancel)
    await this.send(flags, ({ read }) => [read(staking.cancelMode, {})])
  }
}
