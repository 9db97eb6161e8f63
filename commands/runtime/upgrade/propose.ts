import { Flags } from '@oclif/core'
import { lookAtAbi } from '../../../src/cli/chain/upgrade.js'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as upgrades } from '../../../src/features/upgrades/schema.js'

export default class RuntimeUpgradePropose extends LedgerCommand {
  static override description = `Propose to upgrade the network to another ABI. Needs CanManageRuntimeUpgrades.
It can be activated at the heights from --start to below --end; install a release that supports it on every node before.`
  static override examples = [
    '<%= config.bin %> runtime upgrade propose --name second --abi 2 --abi-hash 5f0c… --start 9000 --end 9900 --key-file admin.json',
  ]
  static override flags = {
    name: Flags.string({ description: 'name of the upgrade', required: true }),
    description: Flags.string({ description: 'description of the changes', default: '' }),
    abi: Flags.integer({ description: 'number of the ABI', required: true, min: 2 }),
    'abi-hash': Flags.string({ description: 'hash of the ABI, as shown by `runtime abis`', required: true }),
    start: Flags.integer({ description: 'first height at which it can be activated', required: true, min: 2 }),
    end: Flags.integer({ description: 'first height at which it can no longer be activated', required: true, min: 3 }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(RuntimeUpgradePropose)
    const manifest = {
      name: flags.name,
      description: flags.description,
      abi_version: flags.abi,
      abi_hash: flags['abi-hash'],
      start_height: flags.start,
      end_height: flags.end,
    }
    await this.send(flags, async (drafting) => {
      await lookAtAbi(drafting, { number: flags.abi, hash: flags['abi-hash'] })
      return [drafting.read(upgrades.proposeUpgrade, { manifest })]
    })
  }
}
