import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'

export default class StakingSlashCancel extends LedgerCommand {
  static override description = 'Cancel a slash within its appeal window, as a holder of CanCancelSlash.'
  static override examples = ['<%= config.bin %> staking slash cancel 3 --reason "key stolen" --key-file admin.json']
  static override args = { id: Args.integer({ description: 'id of the slash', required: true, ignoreStdin: true }) }
  static override flags = {
    reason: Flags.string({ description: 'reason, at most 256 bytes', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StakingSlashCancel)
    await this.send(flags, ({ read }) => [read(staking.cancelSlash, { id: args.id, reason: flags.reason })])
  }
}
