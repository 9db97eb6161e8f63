import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as upgrades } from '../../../src/features/upgrades/schema.js'

export default class RuntimeUpgradeCancel extends LedgerCommand {
  static override description = 'Cancel a proposed upgrade before its window ends. Needs CanManageRuntimeUpgrades.'
  static override examples = ['<%= config.bin %> runtime upgrade cancel 5f0c… --key-file admin.json']
  static override args = {
    id: Args.string({ description: 'id of the upgrade', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RuntimeUpgradeCancel)
    await this.send(flags, ({ read }) => [read(upgrades.cancelUpgrade, { id: args.id })])
  }
}
