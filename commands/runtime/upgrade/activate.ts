import { Args } from '@oclif/core'
import { abiOfUpgrade, lookAtAbi } from '../../../src/cli/chain/upgrade.js'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as upgrades } from '../../../src/features/upgrades/schema.js'

export default class RuntimeUpgradeActivate extends LedgerCommand {
  static override description =
    'Activate a proposed upgrade within its window: the network switches two heights later. Needs CanManageRuntimeUpgrades.'
  static override examples = ['<%= config.bin %> runtime upgrade activate 5f0c… --key-file admin.json']
  static override args = {
    id: Args.string({ description: 'id of the upgrade', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RuntimeUpgradeActivate)
    await this.send(flags, async (drafting) => {
      const abi = await abiOfUpgrade(drafting.client, args.id)
      if (abi !== undefined) await lookAtAbi(drafting, abi)
      return [drafting.read(upgrades.activateUpgrade, { id: args.id })]
    })
  }
}
